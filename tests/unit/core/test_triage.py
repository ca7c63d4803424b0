"""Tests of what is decided before any process is looked at."""

import subprocess
import sys

import pytest

from detection import NOW, context, left, pane, settings, stamp, stored
from tma.core import triage as plans
from tma.core.triage import HELD, LOOK, NONE, REMOVED, ROW, Plan, claimed, fresh, registered, triage

FRESH = stored("idle", stamped_at=NOW - 1000)
CLAIM = {**stored("blocked", source="hook", stamped_at=NOW - 1000), "@agent_pid": "0"}


def test_an_ignored_pane_loses_its_stamp_even_when_fresh() -> None:
    """Ignoring comes first, and the user's own option stays (ID-3, RM-4)."""
    plan = triage(pane({**FRESH, "@agent_ignore": "no"}, command="ssh"), context())

    assert (plan.outcome, plan.reason) == (plans.REMOVED, plans.IGNORED)
    assert left(plan) == {"ignore": "no"}


def test_an_ignored_pane_without_stamp_is_left_alone() -> None:
    """There is nothing to remove (ID-3)."""
    plan = triage(pane({"@agent_ignore": "1"}), context())

    assert (plan.outcome, plan.ops) == (plans.NONE, [])


def test_a_dead_pane_loses_its_stamp() -> None:
    """A finished program is no agent, whatever the pane still shows (ID-4)."""
    plan = triage(pane(FRESH, dead=True), context())

    assert (plan.outcome, plan.reason) == (plans.REMOVED, plans.PANE_DEAD)


def test_a_remote_pane_without_claim_is_held() -> None:
    """No row, and its options are neither refreshed nor removed (ID-7, REM-6)."""
    plan = triage(pane(FRESH, command="ssh"), context())

    assert (plan.outcome, plan.reason, plan.boundary) == (plans.HELD, plans.OUT_OF_SCOPE, "remote_shell")
    assert plan.ops == []


def test_a_nested_multiplexer_without_claim_loses_its_stamp() -> None:
    """No row, a leftover stamp goes (ID-7, REM-16)."""
    plan = triage(pane(FRESH, command="tmux"), context())

    assert (plan.outcome, plan.boundary) == (plans.REMOVED, "nested_multiplexer")


def test_a_local_claim_is_none_behind_a_boundary() -> None:
    """A claim with a process was made before the hop (REM-9, ID-6)."""
    plan = triage(pane({**CLAIM, "@agent_pid": "20"}, command="ssh"), context())

    assert plan.outcome == plans.HELD


def test_a_fresh_claim_behind_a_boundary_gives_its_row() -> None:
    """It outranks the boundary (ID-6, REM-8)."""
    plan = triage(pane(CLAIM, command="ssh"), context())

    assert (plan.outcome, plan.reason) == (plans.ROW, plans.FRESH)


def test_a_command_that_was_not_asked_for_is_no_boundary() -> None:
    """A fresh stamp stands until it ages (ID-7, READ-1)."""
    assert triage(pane(FRESH, command=""), context()).reason == plans.FRESH


@pytest.mark.parametrize(("age", "expected"), [(-1, False), (0, True), (2999, True), (3000, False)])
def test_a_settled_stamp_is_fresh_for_the_freshness(age: int, *, expected: bool) -> None:
    """A stamp from the future is not fresh (CYC-1)."""
    assert fresh(stamp("idle", stamped=NOW - age), settings(), NOW) is expected


@pytest.mark.parametrize(
    ("state", "since_ms", "expected"),
    [
        ("blocked", 1, False),
        ("blocked", -999, False),
        ("blocked", -1000, True),
        ("idle", 1, True),
    ],
)
def test_a_blocked_stamp_is_not_fresh_once_its_window_printed(state: str, since_ms: int, *, expected: bool) -> None:
    """The prompt may have been dismissed, and some hooks say nothing; a printed second counts to its end (CYC-1)."""
    now = NOW // 1000 * 1000 + 2000
    held = stamp(state, stamped=now - since_ms)

    assert fresh(held, settings(), now + 1000, activity_s=now // 1000) is expected


@pytest.mark.parametrize(
    ("printed_ago_s", "stamped_ago_ms", "expected"),
    [
        (0, 2000, True),  # in the second that still runs
        (1, 2000, False),
        (2, 1999, False),
        (1, 1, False),
        (1, 0, True),  # stamped after it fell silent
    ],
)
def test_a_working_stamp_is_not_fresh_once_its_window_fell_silent(
    printed_ago_s: int, stamped_ago_ms: int, *, expected: bool
) -> None:
    """What it did may have been interrupted, of which some hooks say nothing (CYC-1)."""
    now = NOW // 1000 * 1000 + 3000
    held = stamp("working", stamped=now - stamped_ago_ms, evidence=now - stamped_ago_ms)

    assert fresh(held, settings(), now, activity_s=now // 1000 - printed_ago_s) is expected


@pytest.mark.parametrize(
    ("evidence_ago_ms", "printed_ago_s", "expected"),
    [
        (500, 2, True),  # the look saw it working
        (501, 2, False),
        (501, 0, True),  # it prints
        (501, None, True),  # a window that tells no activity
    ],
)
def test_a_silent_working_stamp_that_the_last_look_did_not_confirm_is_not_fresh(
    evidence_ago_ms: int, printed_ago_s: int | None, *, expected: bool
) -> None:
    """The dwell alone may have kept it, and it ends before the stamp is old (CYC-1)."""
    now = NOW // 1000 * 1000 + 3000
    held = stamp("working", stamped=now - 500, evidence=now - evidence_ago_ms)
    activity_s = 0 if printed_ago_s is None else now // 1000 - printed_ago_s

    assert fresh(held, settings(), now, activity_s=activity_s) is expected


def test_a_blocked_stamp_of_a_window_that_tells_no_activity_is_fresh() -> None:
    """Unknown is no output (CYC-1)."""
    assert fresh(stamp("blocked", stamped=NOW), settings(), NOW)


def test_a_stamp_in_progress_is_not_fresh() -> None:
    """A producer looks again (RD-4, CYC-1)."""
    assert not fresh(stamp("idle", stamped=NOW, evidence=NOW + 1), settings(), NOW)


def test_freshness_zero_makes_nothing_fresh() -> None:
    """Every cycle reads everything (CYC-1)."""
    assert not fresh(stamp("idle", stamped=NOW), settings(freshness_secs=0), NOW)


def test_a_stale_or_absent_stamp_is_to_be_looked_at() -> None:
    """Nothing cheap decides it (CYC-3)."""
    assert triage(pane(stored("idle")), context()).outcome == plans.LOOK
    assert triage(pane(), context()).outcome == plans.LOOK


def test_an_explanation_looks_at_a_fresh_stamp() -> None:
    """It folds what a cycle would fold (EXP-1)."""
    assert triage(pane(FRESH), context(explain=True)).outcome == plans.LOOK


def test_a_stampede_consumes_stamps_of_any_age() -> None:
    """Stamped panes give rows, others none, and nothing is repaired (CYC-2)."""
    old = triage(pane(stored("working", evidence_at=NOW + 99_999)), context(stampede=True))
    bare = triage(pane(), context(stampede=True))

    assert (old.outcome, old.reason, old.ops) == (plans.ROW, plans.STAMPEDE, [])
    assert (bare.outcome, bare.ops) == (plans.NONE, [])


def test_a_stampede_still_removes() -> None:
    """Ignored, dead and nested panes lose their stamps (CYC-2)."""
    crowd = context(stampede=True)

    assert triage(pane({**FRESH, "@agent_ignore": "1"}), crowd).outcome == plans.REMOVED
    assert triage(pane(FRESH, dead=True), crowd).outcome == plans.REMOVED
    assert triage(pane(FRESH, command="screen"), crowd).outcome == plans.REMOVED


def test_a_foreign_observer_only_reads() -> None:
    """Rows from decodable stamps, excluded panes dropped, no write of any kind (CYC-14, FWD-8)."""
    outside = context(foreign=True)
    decided = [
        triage(pane(stored("working", evidence_at=NOW + 99_999)), outside),
        triage(pane(stored("odd")), outside),
        triage(pane(), outside),
        triage(pane({**FRESH, "@agent_ignore": "1"}), outside),
        triage(pane(FRESH, dead=True), outside),
        triage(pane(FRESH, command="tmux"), outside),
    ]

    assert [plan.has_row for plan in decided] == [True, False, False, False, False, False]
    assert all(plan.ops == [] for plan in decided)


def test_triage_loads_no_rules_and_no_fold() -> None:
    """A pane whose stamp decides costs neither the fold nor a regular expression."""
    code = (
        "import sys, tma.core.triage as t;"
        "print([m for m in ('re', 'tma.core.detect.fold', 'tma.core.detect.identity', 'tma.core.detect.rules')"
        " if m in sys.modules])"
    )
    source = plans.__file__.rpartition("/tma/")[0]

    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {source!r});{code}"],
        check=True,
        capture_output=True,
        text=True,
    )

    assert done.stdout == "[]\n"


def test_a_new_plan_knows_the_stored_tuple_and_is_undecided() -> None:
    """The prior is decoded once (RD-2)."""
    plan = Plan(pane(stored("idle", source="hook")), NOW)

    assert plan.outcome == LOOK
    assert plan.prior is not None
    assert (plan.prior.state, plan.prior.source) == ("idle", "hook")
    assert plan.ops == []


def test_an_undecodable_tuple_reads_as_none_with_its_problem() -> None:
    """Only explanations name it (RD-3)."""
    plan = Plan(pane(stored("odd")), NOW)

    assert plan.prior is None
    assert plan.problem == "@agent_state is 'odd'"


def test_instants_far_ahead_count_as_now_and_are_repaired() -> None:
    """More than 60 s ahead is a clock that was set back; exactly 60 s is not (CLK-4)."""
    plan = Plan(pane(stored("idle", evidence_at=NOW + 60_001, turn_at=NOW + 60_000)), NOW)

    assert plan.prior is not None
    assert (plan.prior.evidence, plan.prior.turn) == (NOW, NOW + 60_000)
    assert left(plan)["evidence_at"] == str(NOW)
    assert plan.pane.options["@agent_evidence_at"] == str(NOW + 60_001)


def test_a_kept_plan_shows_the_stored_tuple() -> None:
    """The row comes from the stamp (CYC-3)."""
    plan = Plan(pane(stored("idle")), NOW).keep("fresh")

    assert (plan.outcome, plan.reason, plan.stamp_after) == (ROW, "fresh", plan.prior)
    assert plan.has_row
    assert not plan.captured
    assert not plan.reused


def test_a_dropped_plan_writes_nothing() -> None:
    """Held options are neither refreshed nor removed (ID-7)."""
    plan = Plan(pane(stored("idle", evidence_at=NOW + 99_999)), NOW).drop(HELD, "out of scope")

    assert plan.ops == []
    assert not plan.has_row


def test_a_cleared_plan_removes_what_an_agent_left() -> None:
    """Everything of the agent goes, the user's own stays (CH-REMOVE, RM-1)."""
    plan = Plan(pane({**stored("idle"), "@tma_title_match_pid": "7", "@agent_mute_until": "9"}), NOW).clear("no agent")

    assert (plan.outcome, left(plan)) == (REMOVED, {"mute_until": "9"})


def test_a_cleared_plan_of_a_clean_pane_writes_nothing() -> None:
    """Nothing to remove costs nothing (RC-2)."""
    plan = Plan(pane({"@agent_mute_until": "9"}), NOW).clear("no agent")

    assert (plan.outcome, plan.ops) == (NONE, [])


def test_a_stamp_that_changed_meanwhile_is_not_removed() -> None:
    """The removal names the stamp that was read (CH-REMOVE)."""
    plan = Plan(pane(stored("idle")), NOW).clear("no agent")
    plan.pane.options["@agent_stamped_at"] = str(NOW)

    assert left(plan)["state"] == "idle"


def test_a_session_of_a_loaded_agent_is_a_registration() -> None:
    """A name without manifest, no session or no tuple is none (ID-2)."""
    assert registered(stamp("idle", name="claude", session="s"), ["claude"])
    assert not registered(stamp("idle", name="claude"), ["claude"])
    assert not registered(stamp("idle", name="other", session="s"), ["claude"])
    assert not registered(None, ["claude"])


def test_a_report_without_a_local_process_is_a_claim() -> None:
    """A registration or a hook's tuple of a loaded agent claims, a capture does not (ID-6)."""
    assert claimed(stamp("idle", name="claude", session="s"), ["claude"])
    assert claimed(stamp("working", name="claude", source="hook"), ["claude"])
    assert not claimed(stamp("working", name="claude"), ["claude"])
    assert not claimed(stamp("working", name="other", source="hook"), ["claude"])
    assert not claimed(None, ["claude"])


def test_a_claim_with_a_local_process_was_made_before_the_hop() -> None:
    """A stored process id proves nothing about the far side (REM-9)."""
    assert not claimed(stamp("idle", name="claude", session="s", source="hook", pid=20), ["claude"])


def test_a_stopwatch_counts_from_its_own_start() -> None:
    """Each pane's rules have a budget of their own (MAN-RX-6)."""
    ticks = iter([100, 130, 160])
    made = context(elapsed_ms=lambda: next(ticks))

    spent = made.stopwatch()

    assert spent is not None
    assert [spent(), spent()] == [30, 60]


def test_without_a_running_clock_there_is_no_stopwatch() -> None:
    """A caller that measures nothing bounds nothing (MAN-RX-6)."""
    assert context().stopwatch() is None
