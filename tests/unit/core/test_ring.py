"""The daemon's memory of transitions."""

import pytest

from tma.core.ring import CAPACITY, History, Ring, Sight, Transition, parse


def sight(state: str, pane: str = "%1", at: int = 5) -> Sight:
    """A pane as one pass saw it."""
    return Sight(pane, state, at, "hook")


def test_a_first_sight_has_no_former_state_and_sameness_is_none() -> None:
    """DHI-1."""
    ring = Ring()
    assert [ring.observe([sight(state)]) for state in ("idle", "idle", "working")] == [1, 0, 1]
    assert parse(ring.document()) == History(
        CAPACITY, 2, [Transition("%1", "", "idle", 5, "hook"), Transition("%1", "idle", "working", 5, "hook")]
    )


def test_it_keeps_the_last_and_counts_all() -> None:
    """DHI-1: 256, ``recorded`` for life."""
    ring = Ring()
    for number in range(300):
        ring.observe([sight("idle" if number % 2 else "working", at=number)])
    found = parse(ring.document())
    assert (found.recorded, len(found.transitions)) == (300, CAPACITY)
    assert [found.transitions[0].at, found.transitions[-1].at] == [44, 299]


def test_a_pane_that_was_away_is_seen_for_the_first_time_again() -> None:
    """DHI-1: what a pass lacks is forgotten."""
    ring = Ring()
    for sights in ([sight("idle")], [], [sight("idle")]):
        ring.observe(sights)
    assert [each.was for each in parse(ring.document()).transitions] == ["", ""]


def test_unknown_lines_are_skipped() -> None:
    """DHI-2."""
    text = "cap=256\trecorded=7\nnew=1\n"
    text += "pane=%1\tfrom=\tto=idle\tat=x\tsource=hook\npane=%2\tfrom=\tto=idle\tat=1\tsource=s\textra=1\n"
    assert parse(text) == History(256, 7, [Transition("%2", "", "idle", 1, "s")])
    with pytest.raises(ValueError, match="no history"):
        parse("garbage")
