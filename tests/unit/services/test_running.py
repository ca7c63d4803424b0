"""Shell commands for actions."""

from pathlib import Path

import pytest

from tma.core.errors import TmaError
from tma.services import running
from tma.services.stop import Stop, StoppedError


def never() -> bool:
    """No deadline."""
    return False


def test_context_goes_as_environment_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SEC-X-1, ACT-EXEC-3: the words as they stand, no inherited argument."""
    monkeypatch.setitem(running.system.posix.environ, b"TMA_ARG_7", b"old")
    out = tmp_path / "out"
    command = f'printf "%s|%s|%s" "$TMA_TITLE" "${{TMA_ARG_7-none}}" "$0" > {out}'
    assert running.run(command, {"TMA_TITLE": "$(id) `id`"}, never, Stop()) == 0
    assert out.read_text() == "$(id) `id`|none|/bin/sh"


def test_codes_and_signals_come_back() -> None:
    """ACT-EXEC-6."""
    assert running.run("exit 3", {}, never, Stop()) == 3
    assert running.run("kill -9 $$", {}, never, Stop()) == -9


def test_a_late_command_is_killed() -> None:
    """ACT-EXEC-5."""
    assert running.run("sleep 60", {}, lambda: True, Stop()) is None


def test_a_signal_kills_it() -> None:
    """ACT-SEQ-4."""
    stop = Stop()
    stop._note(15, None)
    with pytest.raises(StoppedError):
        running.run("sleep 60", {}, never, stop)


def test_what_cannot_start_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """ACT-EXEC-7."""
    monkeypatch.setattr(running, "SHELL", "/nonexistent/sh")
    with pytest.raises(TmaError, match="cannot start"):
        running.run("true", {}, never, Stop())
