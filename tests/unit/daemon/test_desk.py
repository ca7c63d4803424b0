"""What the scans lane does, where no server answers."""

import pytest

from gone import world
from tma.core.errors import TmaError, TmuxTimeoutError
from tma.daemon.desk import RETRY_MS, Desk
from tma.services import looks
from tma.services.cycle import Snapshot


def test_each_step_raises_what_tmux_says() -> None:
    """DEL-6: the loop drops that piece of work."""
    desk = Desk(world())
    for step in (
        desk.pass_over,
        desk.membership,
        desk.probe,
        lambda: desk.look(["%1"], frozenset()),
        lambda: desk.sweep(frozenset()),
    ):
        with pytest.raises(TmaError):
            step()
    desk.clear()
    desk.close()


def test_notes_are_handed_over_once() -> None:
    """They go to the log."""
    desk = Desk(world())
    desk.runtime.note("line")
    assert desk.notes() == ["line"]
    assert desk.notes() == []
    desk.close()


def test_notices_that_cannot_be_claimed_are_told_of_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """DSW-5: the loop hears why, and the next try is neither forgotten nor at once."""

    def fails(_snapshot: object) -> int:
        message = "tmux timed out"
        raise TmuxTimeoutError(message)

    desk = Desk(world())
    monkeypatch.setattr(desk._notifier, "dispatch", fails)
    monkeypatch.setattr(desk._notifier, "next_deadline_ms", lambda _snapshot: 5)
    monkeypatch.setattr(looks, "glance", lambda _runtime: Snapshot(7, None))
    turn = desk.pass_over()
    assert isinstance(turn.trouble, TmuxTimeoutError)
    assert turn.deadline_ms == 7 + RETRY_MS
    desk.close()
