"""Unexplained bursts of output, counted until a pane's hooks are distrusted."""

import pytest

from tma.core import config
from tma.core.demotion import MAX_TRACKED, Demotion
from tma.core.settings import Settings
from tma.core.stamp import Stamp
from tma.core.state import BLOCKED, CAPTURE, HOOK, IDLE, WORKING

SETTINGS = Settings(config.parse({}))
NOW = 10_000_000


def stamp(state: str, source: str = HOOK, age_s: int = 100) -> Stamp:
    """A stored claim."""
    return Stamp(state, source=source, evidence=NOW - age_s * 1000)


def test_so_many_unexplained_edges_demote() -> None:
    """CYC-12: ``demote_edges`` of them."""
    counts = Demotion(3)
    for expected in (set(), set(), {"%1"}, {"%1"}):
        counts.edge("%1", stamp(IDLE), SETTINGS, NOW)
        assert counts.panes == expected


@pytest.mark.parametrize(
    ("claim", "counts"),
    [
        (stamp(IDLE, age_s=59), False),
        (stamp(IDLE, age_s=61), True),
        (stamp(BLOCKED, age_s=299), False),
        (stamp(BLOCKED, age_s=301), True),
        (stamp(WORKING, age_s=9999), False),
        (stamp(WORKING, CAPTURE), True),
        (stamp(IDLE, CAPTURE, 1), True),
    ],
)
def test_a_young_claim_or_one_of_work_explains_output(claim: Stamp, *, counts: bool) -> None:
    """CYC-12: a hook's claim inside its decay window, or of work that no screen contradicted."""
    demotion = Demotion(1)
    demotion.edge("%1", claim, SETTINGS, NOW)
    assert bool(demotion.panes) is counts


def test_a_hook_event_resets_and_a_gone_agent_is_forgotten() -> None:
    """CYC-12, DED-7."""
    demotion = Demotion(1)
    for pane in ("%1", "%2", "%3"):
        demotion.edge(pane, stamp(IDLE), SETTINGS, NOW)
    demotion.reset("%1")
    demotion.keep(frozenset({"%2"}))
    assert demotion.panes == {"%2"}


def test_of_too_many_panes_the_least_recently_touched_goes() -> None:
    """CYC-12: at most 4096."""
    demotion = Demotion(1)
    for number in range(MAX_TRACKED + 1):
        demotion.edge(f"%{number}", stamp(IDLE), SETTINGS, NOW)
    assert len(demotion.panes) == MAX_TRACKED
    assert "%0" not in demotion.panes


def test_another_threshold_counts_from_what_stands() -> None:
    """DRL-1: the counters are kept."""
    demotion = Demotion(5)
    demotion.edge("%1", stamp(IDLE), SETTINGS, NOW)
    demotion.adopt(1)
    assert demotion.panes == {"%1"}
