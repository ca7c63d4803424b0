"""Summaries of windows and sessions."""

from tma.core import rollup


def test_a_summary_lists_counts_in_the_fixed_order() -> None:
    """Section 3.4 of the store: pairs, single spaces, zero counts left out."""
    assert rollup.summary(["working", "blocked", "working"]) == "blocked:1 working:2"
    assert rollup.summary(["unknown", "idle"]) == "idle:1 unknown:1"
    assert rollup.summary([]) == ""


def test_states_outside_the_set_count_nothing() -> None:
    """RU-1: a foreign state is not counted."""
    assert rollup.summary(["busy", "idle"]) == "idle:1"
