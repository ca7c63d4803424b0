"""A daemon started in the background."""

import os
from pathlib import Path

import pytest

from tma.adapters import lasting
from tma.services import launch
from tma.services.cache import Options


def test_a_background_daemon_knows_nothing_of_the_pane_that_started_it() -> None:
    """DLC-5."""
    kept = {"PATH": "p", "HOME": "h", "LC_ALL": "l", "XDG_STATE_HOME": "x", "TMA_TMUX_BIN": "t", "SSH_AUTH_SOCK": "s"}
    dropped = {"TMUX": "t", "TMUX_PANE": "%1", "SECRET": "s", "TMA_HOOK_PID": "1", "PYTHONPATH": "p", "TERM": "t"}
    assert launch.child_environment(kept | dropped) == kept


def test_a_log_that_cannot_be_had_is_nowhere(tmp_path: Path) -> None:
    """PTH-9: appended to, 0600."""
    opened = launch.open_log({"XDG_STATE_HOME": str(tmp_path)}, "key")
    os.write(opened, b"x")
    assert (tmp_path / "tma" / "daemon-key.log").stat().st_mode & 0o777 == 0o600
    os.close(opened)
    nowhere = launch.open_log({}, "key")
    os.write(nowhere, b"x")
    os.close(nowhere)


@pytest.mark.parametrize("named", [{"socket_name": "other"}, {"socket_path": "/given"}, {}])
def test_the_child_is_told_the_socket_and_no_name(monkeypatch: pytest.MonkeyPatch, named: dict[str, str]) -> None:
    """DLC-6, GLO-4: TMUX_TMPDIR is not passed on, and a name would mean another socket without it."""
    started: list[list[str]] = []
    monkeypatch.setattr(lasting, "detach", lambda words, **_: started.append(words))
    options = Options()
    for name, value in named.items():
        setattr(options, name, value)
    launch.start(options, {"TMUX_TMPDIR": "/elsewhere"}, "/elsewhere/tmux-0/other")
    (words,) = started
    assert words[words.index("--socket-path") + 1] == (options.socket_path or "/elsewhere/tmux-0/other")
    assert "--socket-name" not in words
