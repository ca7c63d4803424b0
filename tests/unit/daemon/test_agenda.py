"""What is due, in which order, and when the loop must look again."""

import pytest

from detection import NOW, pane, stored
from gone import world
from tma.core.control import Activity
from tma.core.detect.fold import Verdict
from tma.core.quiet import Facts
from tma.core.state import UNKNOWN
from tma.core.triage import JUDGED, Plan
from tma.daemon.agenda import CAPPED_LOOKS, POST_ATTACH_S, Agenda, Step
from tma.daemon.cadence import Cadence
from tma.daemon.desk import Turn
from tma.services.cycle import Snapshot

QUIET_S = 0.5
SWEEP_S = 60.0


def made() -> Agenda:
    """An agenda at second 0 that owes nothing but its sweep."""
    agenda = Agenda(Activity(int(QUIET_S * 1000)), Cadence(SWEEP_S, 0.0))
    agenda.begun(Step.MEMBERS)
    agenda.begun(Step.PASS)
    return agenda


def test_a_start_owes_the_sessions_and_a_pass() -> None:
    """DCC-2: clients first, then what stands."""
    agenda = Agenda(Activity(500), Cadence(SWEEP_S, 0.0))
    assert agenda.next(0) is Step.MEMBERS
    agenda.begun(Step.MEMBERS)
    assert agenda.next(0) is Step.PASS


def test_the_most_urgent_step_comes_first() -> None:
    """DEL-2: a reload, then edges, sessions, the sweep, a pass."""
    agenda = made()
    agenda.activity.output("%1", 1, 0)
    agenda.want(*Step)
    order = []
    while step := agenda.next(QUIET_S):
        order.append(step)
        if step is Step.LOOK:
            assert agenda.take("", QUIET_S) == ["%1"]
        agenda.begun(step)
    assert order == [Step.RELOAD, Step.LOOK, Step.MEMBERS, Step.SWEEP, Step.PASS]


def test_with_nothing_going_on_only_the_sweep_is_due() -> None:
    """DBU-1: no timer but the sweep's."""
    agenda = made()
    assert agenda.next(SWEEP_S - 1) is None
    assert agenda.due() == SWEEP_S
    assert agenda.next(SWEEP_S) is Step.SWEEP


def test_silence_is_due_before_the_sweep() -> None:
    """DED-1."""
    agenda = made()
    agenda.activity.output("%1", 1, 1000)
    assert agenda.due() == 1 + QUIET_S
    assert agenda.next(1.4) is None
    assert agenda.next(1 + QUIET_S) is Step.LOOK


def test_after_a_gap_one_sweep_runs_and_whatever_was_busy_is_one_edge() -> None:
    """DEL-5: more than two intervals long; a pane that prints without end does not keep the sweep from running."""
    agenda, now = made(), SWEEP_S * 2 + 0.1
    agenda.activity.output("%1", 1, int(SWEEP_S * 2 * 1000))
    assert agenda.next(now) is Step.SWEEP
    agenda.cadence.started(now)
    assert agenda.next(now) is Step.LOOK
    assert agenda.take("", now) == ["%1"]
    agenda.activity.output("%1", 1, int(now * 1000))
    assert agenda.next(now) is None


def test_a_pane_to_which_an_event_is_taken_waits_for_another_silence() -> None:
    """DEL-3: no look and no event at once on a pane."""
    agenda = made()
    agenda.activity.edges = {"%1": None, "%2": None}
    assert agenda.take("%1", 3.0) == ["%2"]
    assert agenda.due() == 3.0 + QUIET_S


def test_a_session_just_attached_to_is_looked_for_until_the_list_was_read() -> None:
    """DED-3: at once, then again and again, but not without a pause."""
    agenda = made()
    agenda.join("$1")
    assert agenda.next(1.0) is Step.MEMBERS
    assert agenda.joining(1.0) == {"$1"}
    assert agenda.next(1.0) is None
    assert agenda.due() == 1.0 + POST_ATTACH_S
    assert agenda.next(1.0 + POST_ATTACH_S) is Step.MEMBERS
    agenda.joined.clear()
    assert agenda.due() == SWEEP_S


@pytest.mark.parametrize(("deadline_ms", "due"), [(None, SWEEP_S), (NOW + 2000, 7.0), (NOW - 9000, 5.0)])
def test_a_notice_that_nothing_announces_asks_for_a_pass(deadline_ms: int | None, due: float) -> None:
    """DEL-5: epoch milliseconds become a deadline of the loop's clock."""
    agenda = made()
    agenda.expect(Turn(Snapshot(NOW, None), 0, deadline_ms), 5.0)
    assert agenda.due() == due
    assert agenda.next(due - 0.1) is None
    assert agenda.next(due) is (Step.SWEEP if deadline_ms is None else Step.PASS)


def capped(state: str = UNKNOWN) -> Snapshot:
    """A look that met another program in the foreground."""
    plan = Plan(pane(stored(state)), NOW).keep(JUDGED)
    plan.verdict = Verdict(state, detail="", source="capture", at=NOW, label="")
    plan.facts = Facts(agent_pid=20, foreground=False)
    snapshot = Snapshot(NOW, None)
    snapshot.plans = [plan]
    return snapshot


def test_a_hidden_screen_is_looked_at_three_more_times() -> None:
    """DED-6: until a hook speaks, each after another silence."""
    agenda, runtime, panes = made(), world(), frozenset({"%1"})
    for turn in range(CAPPED_LOOKS):
        agenda.follow_up(capped(), panes, runtime, float(turn))
        assert agenda.due() == turn + QUIET_S
        assert agenda.next(turn + QUIET_S) is Step.LOOK
        agenda.take("", turn + QUIET_S)
    agenda.follow_up(capped(), panes, runtime, 3.0)
    assert agenda.due() == SWEEP_S
    agenda.spoke("%1")
    agenda.follow_up(capped(), panes, runtime, 4.0)
    assert agenda.due() == 4.0 + QUIET_S


def test_panes_that_were_not_looked_at_are_not_followed_up() -> None:
    """DED-6."""
    agenda = made()
    agenda.follow_up(capped(), frozenset({"%2"}), world(), 1.0)
    assert agenda.due() == SWEEP_S
