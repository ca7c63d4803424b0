"""What the scans lane does, where no server answers."""

import pytest

from gone import world
from tma.core.errors import TmaError
from tma.daemon.desk import Desk


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
