"""Edges between two looks."""

from rows import row
from tma.core.events.changes import Edge, edges


def test_changes_and_arrivals_come_in_row_order_then_departures_in_theirs() -> None:
    """EDG-2, EDG-4."""
    left, gone = row("%8", state="working"), row("%9", state="idle", attention=True)
    before = [row("%1", state="working"), gone, row("%2", state="idle"), left]
    now = [row("%3", state="unknown"), row("%2", state="idle"), row("%1", state="idle", attention=True)]

    assert edges(before, now) == [
        Edge(now[0], "", "unknown"),
        Edge(now[2], "working", "done"),
        Edge(gone, "done", ""),
        Edge(left, "working", ""),
    ]


def test_only_the_class_makes_an_edge() -> None:
    """EDG-1: detail, title, gauge and agent may change as they like; the mark of a blocked row changes no class."""
    before = [row("%1", state="blocked", detail="plan", attention=True, title="a", context=1)]
    now = [row("%1", "codex", state="blocked", detail="permission", title="b", context=2)]

    assert edges(before, now) == []


def test_taking_the_mark_down_is_an_edge_of_its_own() -> None:
    """EDG-5: done to idle."""
    now = [row("%1", state="idle")]

    assert edges([row("%1", state="idle", attention=True)], now) == [Edge(now[0], "done", "idle")]
