"""Looks one after another, as far as they need no server."""

import pytest

from detection import NOW, pane, stored
from gone import world
from tma.core.errors import TmuxGoneError
from tma.core.triage import Context, triage
from tma.services.cycle import Snapshot
from tma.services.stream import Look, Stream


def test_a_look_knows_every_pane_and_the_instant() -> None:
    """WAI-8: also panes without a row."""
    runtime = world()
    snapshot = Snapshot(NOW, None)
    context = Context(now=NOW, settings=runtime.settings, names=[])
    snapshot.plans = [triage(pane(stored("idle")), context), triage(pane(dead=True), context)]

    look = Look(snapshot, [])

    assert (look.now, look.panes) == (NOW, frozenset(("%1",)))


def test_settling_asks_nothing_of_a_server_where_no_mark_was_answered() -> None:
    """RC-2: and one that is gone by then is met by the next look."""
    runtime = world()
    snapshot = Snapshot(NOW, None)
    Look(snapshot, []).settle(runtime)
    context = Context(now=NOW, settings=runtime.settings, names=[])
    snapshot.answered = [triage(pane(stored("idle")), context)]

    Look(snapshot, []).settle(runtime)


def test_a_server_that_is_gone_ends_the_stream() -> None:
    """SUB-7, CLI-9."""
    with pytest.raises(TmuxGoneError):
        Stream(world()).look()
