"""Sample notices."""

from pathlib import Path

import pytest

from acting import fake_runtime
from tma.adapters.tmux.audience import Audience, Viewer
from tma.services.notify import screens, trial
from tma.services.notify.results import Outcome, Records


def test_a_sample_is_synthetic() -> None:
    """NTT-1: it names no pane of anybody's."""
    runtime, server = fake_runtime(lambda _: "")
    told = dict(trial.sample(runtime, "context_high").pairs)
    assert (told["pane"], told["agent"], told["locator"], told["context_pct"]) == ("%0", "claude", "session:0.0", 80)
    assert server.calls == []


@pytest.mark.parametrize(
    ("command", "end", "stderr", "fine"),
    [
        ("echo oops >&2; exit 7", "exited 7", "oops\n", False),
        ("true", "exited 0", "", True),
        ("kill -9 $$", "killed by signal 9", "", False),
        ("exec sleep 5", "timed out after 1s", "", False),
    ],
)
def test_a_command_is_run_and_its_end_told(  # what it runs, and what is said of it
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, end: str, stderr: str, *, fine: bool
) -> None:
    """DBG-5, NTT-1: the record of failures follows it."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    runtime, _ = fake_runtime(lambda _: "")
    runtime.settings.notify |= {"command": command, "command_timeout_s": 1}
    tried = trial.command(runtime, "blocked")
    assert tried is not None
    assert (tried.exit, tried.stderr, tried.clean) == (end, stderr, fine)
    assert (Records({"XDG_RUNTIME_DIR": str(tmp_path)}, lambda: 1).failure() is None) is fine


def test_without_a_command_there_is_nothing_to_run() -> None:
    """DBG-5."""
    assert trial.command(fake_runtime(lambda _: "")[0], "done") is None


def test_lines_name_sink_target_and_result() -> None:
    """NTT-2."""
    outcomes = [Outcome("osc", "a\tb", "ok"), Outcome("command", "", "failed", "exited 7")]
    assert trial.outcome_lines(outcomes) == "osc\ta b\tok\ncommand\t-\tfailed\texited 7\n"


def test_every_form_goes_to_every_terminal_with_a_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NTT-3: what was seen is kept by kind of terminal."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    runtime, _ = fake_runtime(lambda _: "")
    sent: list[bytes] = []
    who = Viewer("c", "/dev/c", control=False, suspended=False, termname="xterm", termtype="kitty", session_id="$1")
    monkeypatch.setattr(screens, "look", lambda *_: Audience("3.4", "/s", [who], ""))
    monkeypatch.setattr(screens, "write", lambda _, data: sent.append(data) or "ok")
    found = trial.live(runtime, lambda: None)
    assert [each.form for each in found] == ["9", "777", "99"]
    assert all(each.code.encode() in data for each, data in zip(found, sent, strict=True))
    trial.confirm(runtime, found, {found[2].code, "xxxx"})
    assert Records({"XDG_RUNTIME_DIR": str(tmp_path)}, lambda: 1).confirmed() == {"kitty": ["99"]}
