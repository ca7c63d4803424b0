"""What turns leave behind."""

from detection import NOW, pane, stored
from gone import world
from tma.core.triage import FRESH, Plan
from tma.daemon.desk import Turn
from tma.daemon.ledger import Ledger
from tma.services.cycle import Snapshot


def turn(*claims: tuple[str, str], captures: int = 0) -> Turn:
    """A turn over panes ``%1``, ``%2`` …, each with a state and its source."""
    snapshot = Snapshot(NOW, None)
    snapshot.captures = captures
    for number, (state, source) in enumerate(claims, 1):
        record = pane(stored(state, source=source))
        record.pane_id = f"%{number}"
        snapshot.plans.append(Plan(record, NOW).keep(FRESH))
    return Turn(snapshot, fires=1)


def test_counts_grow_and_states_are_remembered() -> None:
    """DST-2, DHI-1."""
    ledger = Ledger(world())
    ledger.took(turn(("idle", "capture"), captures=2))
    ledger.took(turn(("working", "capture"), captures=1))
    assert (ledger.captures, ledger.fires) == (3, 2)
    assert ledger.ring.recorded == 2


def test_only_a_pane_that_comes_goes_or_is_known_otherwise_asks_for_the_sessions() -> None:
    """DCC-1: hooks do not tell of it, so output must."""
    ledger = Ledger(world())
    told = [
        ledger.took(turn(*claims))
        for claims in (
            [("idle", "capture")],
            [("working", "capture")],
            [("working", "capture"), ("idle", "hook")],
            [("working", "capture"), ("idle", "capture")],
            [("working", "capture")],
        )
    ]
    assert told == [False, False, False, True, True]


def demote(ledger: Ledger, panes: frozenset[str], times: int) -> None:
    """So many bursts of output that the hook's idle claim does not explain."""
    for _ in range(times):
        ledger.count_edges(turn(("idle", "hook")).snapshot, panes)


def test_a_demoted_pane_asks_once_and_again_when_its_hooks_speak() -> None:
    """CYC-12, DCC-1."""
    ledger = Ledger(world())
    ledger.took(turn(("idle", "hook")))
    demote(ledger, frozenset({"%1"}), 10)
    assert ledger.demotion.panes == {"%1"}
    assert [ledger.took(turn(("idle", "hook"))) for _ in range(2)] == [True, False]
    ledger.demotion.reset("%1")
    assert ledger.took(turn(("idle", "hook")))


def test_output_of_other_panes_and_of_hookless_ones_counts_for_nobody() -> None:
    """CYC-12."""
    ledger = Ledger(world())
    demote(ledger, frozenset({"%2"}), 10)
    for _ in range(10):
        ledger.count_edges(turn(("idle", "capture")).snapshot, frozenset({"%1"}))
    assert ledger.demotion.panes == frozenset()
