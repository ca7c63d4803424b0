"""Frames as the events lane takes them."""

import pytest

from gone import world
from tma.core.pane import PaneRecord
from tma.core.wire import Ext, Frame
from tma.services import frames
from tma.services.intake import Delivery


def delivery(
    *, judged: bool = True, asked: bool = True, seen: bool = False, pane: PaneRecord | None = None
) -> Delivery:
    """What became of an event."""
    done = Delivery()
    done.judged, done.asked, done.seen, done.pane = judged, asked, seen, pane
    return done


@pytest.mark.parametrize(
    ("done", "verdict"),
    [
        (delivery(judged=False), False),
        (delivery(seen=False), False),
        (delivery(seen=True), True),
        (delivery(pane=PaneRecord("%1", 1)), True),
        (delivery(asked=False), True),
    ],
)
def test_a_verdict_is_a_known_kind_and_a_pane_that_was_there(done: Delivery, *, verdict: bool) -> None:
    """DWP-3."""
    assert frames.is_verdict(done) is verdict


def test_a_change_is_what_reads_otherwise_afterwards() -> None:
    """A heartbeat that the server holds back is none."""
    pane = PaneRecord("%1", 1)
    pane.options = {"@a": "1"}
    done = delivery(pane=pane)
    assert not frames.changes(done)
    done.ops = [("put", "@a", "1")]
    assert not frames.changes(done)
    done.ops = [("put", "@a", "2")]
    assert frames.changes(done)
    assert pane.options == {"@a": "1"}


def test_the_senders_place_is_what_the_frame_says() -> None:
    """OWN-3: parents that it read itself are taken; else none of a process that is gone."""
    ext = Ext()
    ext.sid, ext.anc, ext.own, ext.trust = 7, [(5, "sh")], "12", True
    origin = frames.origin_of(ext, world())
    assert (origin.session, origin.known, origin.own, origin.trusted) == (7, [(5, "sh")], "12", True)
    assert frames.origin_of(Ext(), world()).known == []


def test_a_former_servers_event_is_a_verdict_and_asks_nobody() -> None:
    """DWP-5."""
    ext = Ext()
    ext.srv = 5
    outcome = frames.apply(world(), Frame("%1", "claude", "Stop", "", ext), 6)
    assert (outcome.accepted, outcome.pane, outcome.trouble) == (True, "", None)


def test_a_server_that_does_not_answer_is_no_verdict() -> None:
    """DWP-3: tmux failed."""
    outcome = frames.apply(world(), Frame("%1", "claude", "Stop", "{}", Ext()), 6)
    assert not outcome.accepted
    assert outcome.trouble is not None
