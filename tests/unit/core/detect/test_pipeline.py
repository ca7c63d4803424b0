"""Tests of the one path from a pane to what is stored about it."""

import pytest

from detection import (
    NOW,
    SHELL,
    context,
    drive,
    judge_pane,
    left,
    manifest,
    pane,
    process,
    rule,
    shell_with,
    stored,
)
from tma.core import ops
from tma.core import triage as plans

LOOK = {"tree": shell_with("claude"), "capture": ["[idle]"]}
QUIET = {"hash": 1, "evidence_at": NOW - 20_000}
CLAIM = {**stored("blocked", source="hook", session="s"), "@agent_pid": "0"}
HOOKED = stored("working", source="hook", evidence_at=NOW - 5000, since=NOW - 9000)


def test_a_first_look_stamps_the_whole_tuple() -> None:
    """Tree, then screen, then every key of a publish (CYC-5, CH-PUBLISH)."""
    plan, needs = drive(judge_pane(pane(), context()), LOOK)

    assert needs == ["tree", "capture"]
    assert (plan.outcome, plan.reason, plan.manifest) == (plans.ROW, plans.JUDGED, "claude")
    assert left(plan) == {
        "name": "claude",
        "pid": "20",
        "state": "idle",
        "source": "capture",
        "evidence_at": str(NOW),
        "since": str(NOW),
        "stamped_at": str(NOW),
        "hash": "1",
    }
    assert plan.captured


def test_the_row_shows_what_will_be_stored() -> None:
    """Detail, mark and instants follow the projection (GRD-5, CYC-5)."""
    before = stored("working", evidence_at=NOW - 5000, since=NOW - 9000, turn_at=NOW - 9500)

    plan, _ = drive(judge_pane(pane(before), context()), {**LOOK, "capture": ["[permission]"]})

    after = plan.stamp_after
    assert after is not None
    assert (after.state, after.detail, after.attention) == ("blocked", "permission", True)
    assert (after.since, after.turn) == (NOW, NOW - 9500)


def test_the_state_that_stays_keeps_its_beginning() -> None:
    """`since` is written once a state run (GRD-6, GRD-5)."""
    before = stored("working", evidence_at=NOW - 5000, since=NOW - 9000, attention=1)

    plan, _ = drive(judge_pane(pane(before), context()), {**LOOK, "capture": ["[working]"]})

    assert plan.stamp_after is not None
    assert (plan.stamp_after.since, plan.stamp_after.evidence) == (NOW - 9000, NOW)
    assert plan.stamp_after.attention


def test_a_hold_refreshes_the_look_and_nothing_else() -> None:
    """Never state, never evidence (CH-HOLD, FOLD-11)."""
    plan, _ = drive(judge_pane(pane(HOOKED), context()), LOOK)

    changed = {key: value for key, value in left(plan).items() if HOOKED.get(f"@agent_{key}") != value}
    assert changed == {"hash": "1", "stamped_at": str(NOW)}
    assert plan.stamp_after is not None
    assert (plan.stamp_after.state, plan.stamp_after.evidence) == ("working", NOW - 5000)


def test_a_held_claim_gets_the_process_that_the_walk_found() -> None:
    """An event stores no process; the next look does (CH-REGISTER, REM-9)."""
    plan, _ = drive(judge_pane(pane({**HOOKED, "@agent_pid": "0"}), context()), LOOK)

    assert left(plan)["pid"] == "20"
    assert left(plan)["state"] == "working"


def test_a_hook_that_spoke_meanwhile_is_not_overwritten() -> None:
    """The guard travels with the write (GRD-PROTECT, GRD-3)."""
    seen = pane(stored("working", evidence_at=NOW - 5000))
    plan, _ = drive(judge_pane(seen, context()), LOOK)
    seen.options |= {"@agent_state": "blocked", "@agent_source": "hook", "@agent_evidence_at": str(NOW + 5)}

    assert (left(plan)["state"], left(plan)["source"]) == ("blocked", "hook")


def test_a_quiet_pane_is_neither_captured_nor_written() -> None:
    """The stamp is reused after the walk (CYC-4, RC-2)."""
    plan, needs = drive(judge_pane(pane(stored("idle", **QUIET), activity_s=1), context()), LOOK)

    assert needs == ["tree"]
    assert (plan.outcome, plan.reason, plan.ops) == (plans.ROW, plans.QUIET, [])
    assert plan.reused
    assert plan.stamp_after is plan.prior


def test_an_explanation_reuses_nothing() -> None:
    """It keeps what was seen on the way (EXP-1)."""
    plan, needs = drive(judge_pane(pane(stored("idle", **QUIET), activity_s=1), context(explain=True)), LOOK)

    assert needs == ["tree", "capture"]
    assert plan.verdict is not None
    assert [record.claim for record in plan.evidence] == ["idle"]
    assert plan.reading is not None
    assert len(plan.reading.trace) == 4


def test_a_pane_that_died_under_the_capture_has_no_row() -> None:
    """One pane's end never fails the cycle (CYC-6)."""
    plan, _ = drive(judge_pane(pane(HOOKED), context()), {**LOOK, "capture": None})

    assert (plan.outcome, plan.reason, plan.ops, plan.has_row) == (plans.DEAD, plans.VANISHED, [], False)


def test_another_program_in_the_pane_removes_a_known_agents_stamp() -> None:
    """Options outlive a respawned pane; the process that was known is gone (ID-13, CH-REMOVE)."""
    blocked = stored("blocked", source="hook", session="s", permission_request="r1", attention=1)

    plan, needs = drive(judge_pane(pane(blocked, command="bash"), context()), {"tree": SHELL})

    assert needs == ["tree"]
    assert (plan.outcome, plan.reason, left(plan)) == (plans.REMOVED, plans.REAPED, {})


def test_a_pane_that_ends_as_no_agent_loses_its_title_anchor() -> None:
    """A new process needs a new match (ID-10)."""
    plan, _ = drive(
        judge_pane(pane({"@tma_title_match_pid": "20"}, command="vim"), context()), {"tree": shell_with("vim")}
    )

    assert (plan.outcome, plan.options_after()) == (plans.REMOVED, {})


def test_a_plain_pane_costs_no_write() -> None:
    """No agent, nothing stored, nothing sent (ID-13, RC-2)."""
    plan, _ = drive(judge_pane(pane(command="bash"), context()), {"tree": SHELL})

    assert (plan.outcome, plan.reason, plan.ops) == (plans.NONE, plans.NO_AGENT, [])


def test_a_title_match_is_remembered_once() -> None:
    """The anchor is written only on change (ID-10, CH-ANCHOR)."""
    agent = manifest("gemini", process_names=["node"], title_patterns=["^Ready"])
    answers = {"tree": shell_with("node"), "capture": ["[idle]"]}

    first, _ = drive(judge_pane(pane(command="node", title="Ready"), context([agent])), answers)
    stored_now = first.options_after()
    second, _ = drive(
        judge_pane(pane(stored_now, command="node", title="box"), context([agent], now=NOW + 9000)), answers
    )

    assert stored_now["@tma_title_match_pid"] == "20"
    assert second.manifest == "gemini"
    assert not any("@tma_title_match_pid" in op for op in second.ops)


def test_an_agent_behind_a_boundary_is_never_walked_nor_captured() -> None:
    """Its events are the only evidence; its stamp is held (ID-6, REM-8)."""
    plan, needs = drive(judge_pane(pane(CLAIM, command="ssh"), context()), {})

    assert needs == []
    assert (plan.outcome, plan.reason, plan.ops) == (plans.ROW, plans.BEHIND, [])
    assert plan.identity is not None
    assert plan.identity.behind == "ssh"
    assert plan.verdict is not None
    assert not plan.verdict.publish
    assert not plan.verdict.reset
    assert plan.stamp_after is not None
    assert plan.stamp_after.state == "blocked"


def test_the_client_of_a_far_agent_ends_the_wait_for_its_end() -> None:
    """The tree holds more than shells again (ID-14, REM-10)."""
    marked = pane({**CLAIM, "@tma_reg_dead_since": str(NOW - 40_000)}, command="ssh")

    plan, _ = drive(judge_pane(marked, context()), {})

    assert "@tma_reg_dead_since" not in plan.options_after()
    assert plan.has_row


def test_a_script_that_reported_keeps_its_row_while_it_runs() -> None:
    """Without session id, without process of a known name, over three polls (ID-13)."""
    options = {**stored("working", source="hook"), "@agent_pid": "0"}
    tree = [process(10, 1, "bash", front=20), process(20, 10, "sh", group=20), process(21, 20, "sleep", group=20)]

    for poll in range(3):
        plan, _ = drive(judge_pane(pane(options, command="sh"), context(now=NOW + poll * 5000)), {"tree": tree})
        options = plan.options_after()
        assert (plan.outcome, plan.reason) == (plans.ROW, plans.UNSEEN)
    assert options["@agent_state"] == "working"


def test_shells_alone_are_marked_and_then_reaped() -> None:
    """The marker starts the 30 s, and the stamp goes with it (ID-14, CH-REAPER)."""
    first, _ = drive(judge_pane(pane(CLAIM, command="bash"), context()), {"tree": SHELL})
    marked = first.options_after()
    later, _ = drive(judge_pane(pane(marked, command="bash"), context(now=NOW + 29_999)), {"tree": SHELL})
    last, _ = drive(judge_pane(pane(marked, command="bash"), context(now=NOW + 30_000)), {"tree": SHELL})

    assert marked["@tma_reg_dead_since"] == str(NOW)
    assert (first.outcome, later.outcome, last.outcome) == (plans.ROW, plans.ROW, plans.REMOVED)
    assert later.ops == []
    assert left(last) == {}


def test_an_agent_that_is_seen_again_ends_the_wait() -> None:
    """A marker of an earlier silence must not reap the next one at once (ID-14)."""
    marked = pane({**HOOKED, "@tma_reg_dead_since": str(NOW - 90_000)})

    plan, _ = drive(judge_pane(marked, context()), LOOK)

    assert "@tma_reg_dead_since" not in plan.options_after()


def test_another_process_starts_a_new_episode() -> None:
    """The tuple is rewritten, the episode's marks go, the session stays (FOLD-1, CH-RESET, RM-2)."""
    before = stored("blocked", source="hook", pid=19, session="s", attention=1, turn_at=5, notified_at=6)

    plan, _ = drive(judge_pane(pane(before), context()), LOOK)

    after = left(plan)
    assert (after["state"], after["source"], after["pid"], after["since"]) == ("idle", "capture", "20", str(NOW))
    assert after["session"] == "s"
    assert not {"attention", "turn_at", "notified_at"} & set(after)


def test_a_repaired_clock_does_not_block_a_reset() -> None:
    """The guard compares with the repaired evidence (CLK-4, GRD-DECIDED)."""
    before = stored("blocked", source="hook", pid=19, evidence_at=NOW + 999_999)

    plan, _ = drive(judge_pane(pane(before), context()), LOOK)

    assert left(plan)["state"] == "idle"


@pytest.mark.parametrize(
    "broken",
    [
        {"@agent_state": "odd", "@agent_source": "hook", "@agent_evidence_at": str(NOW)},
        {"@agent_source": "hook"},
        {"@agent_state": "idle", "@agent_notified_at": "junk"},
        {"@agent_state": "idle", "@agent_stamped_at": "x;#{y}"},
        {"@agent_state": "idle", "@agent_source": "hook", "@agent_since": "1e9"},
        {"@agent_notified_at": "junk"},
    ],
)
def test_an_unreadable_tuple_is_rewritten(broken: dict[str, str]) -> None:
    """It reads as no stamp and does not stand in the way (RD-3, FZ-3)."""
    plan, _ = drive(judge_pane(pane(broken), context()), LOOK)

    assert plan.prior is None
    assert plan.stamp_after is not None
    assert (plan.stamp_after.state, left(plan)["state"]) == ("idle", "idle")


def test_an_unreadable_tuple_that_was_replaced_meanwhile_stays() -> None:
    """A hook that stamped after the read keeps its claim (GRD-3)."""
    seen = pane({"@agent_state": "odd", "@agent_source": "hook"})
    plan, _ = drive(judge_pane(seen, context()), LOOK)
    seen.options = stored("blocked", source="hook", evidence_at=NOW + 1, stamped_at=NOW + 1)

    assert (left(plan)["state"], left(plan)["source"]) == ("blocked", "hook")


def test_a_history_view_freezes_the_state() -> None:
    """Whatever else the screen shows (FOLD-4, CAP-6)."""
    plan, _ = drive(judge_pane(pane(stored("working")), context()), {**LOOK, "capture": ["[history]", "[idle]"]})

    assert plan.facts is not None
    assert plan.facts.history_view
    assert plan.stamp_after is not None
    assert plan.stamp_after.state == "working"


@pytest.mark.parametrize(("scroll", "state"), [(None, "idle"), (0, "idle"), (3, "working")])
def test_only_a_scrolled_pane_is_frozen(scroll: int | None, state: str) -> None:
    """Offset 0 in copy mode is the live screen (CAP-9, FOLD-4)."""
    plan, _ = drive(judge_pane(pane(stored("working"), scroll=scroll), context()), LOOK)

    assert plan.stamp_after is not None
    assert plan.stamp_after.state == state


def test_a_scrolled_pane_counts_as_not_looked_at() -> None:
    """Leaving copy mode prints nothing, so the frozen look must not quiet the next one (FOLD-4, CYC-4, CAP-3)."""
    held, _ = drive(judge_pane(pane(stored("idle", hash=1), scroll=3), context()), LOOK)
    first, _ = drive(judge_pane(pane(scroll=3), context()), LOOK)
    reset, _ = drive(judge_pane(pane(stored("idle", pid=19, hash=1), scroll=3), context()), LOOK)

    assert held.ops == []
    assert held.stamp_after is not None
    assert held.stamp_after.state == "idle"
    for plan in (first, reset):
        assert left(plan)["state"] == "unknown"
        assert "hash" not in left(plan)


def test_a_demoted_panes_hooks_do_not_hold_the_screen_back() -> None:
    """Folded as if captured (FOLD-16)."""
    plan, _ = drive(judge_pane(pane(HOOKED), context(demoted=frozenset({"%1"}))), LOOK)

    assert left(plan)["state"] == "idle"


def test_rules_over_their_budget_decide_nothing() -> None:
    """The pane's screen evidence is dropped for this cycle (MAN-RX-6)."""
    ticks = iter(range(0, 10_000, 400))

    plan, _ = drive(judge_pane(pane(stored("working")), context(elapsed_ms=lambda: next(ticks))), LOOK)

    assert plan.reading is not None
    assert plan.reading.exhausted
    assert plan.stamp_after is not None
    assert plan.stamp_after.state == "working"


PUBLISHER = manifest(published="claude-sessions-json")
STARTED_MS = NOW - 60_000


def record(status: str, at: int, waiting_for: str = "") -> tuple[str, int, int]:
    """A state file of process 20, its time of change and the process's start."""
    waiting = f',"waitingFor":"{waiting_for}"' if waiting_for else ""
    return f'{{"pid":20,"status":"{status}","statusUpdatedAt":{at}{waiting}}}', NOW, STARTED_MS


def published(before: dict[str, str], *said: object, capture: str = "") -> plans.Plan:
    """The plan of a pane whose agent writes a state file."""
    answers = {"tree": shell_with("claude"), "capture": [capture], "published": said[0] if said else None}
    plan, needs = drive(judge_pane(pane(before), context([PUBLISHER])), answers)
    assert needs == ["tree", "capture", "published"]
    return plan


def test_the_agents_own_word_ends_a_blocked_claim() -> None:
    """After Escape no event fires; the file does (APS-4, APS-6)."""
    before = stored("blocked", source="hook", evidence_at=NOW - 5000)

    plan = published(before, record("idle", NOW - 100))

    assert left(plan)["state"] == "idle"
    assert [each.source for each in plan.evidence] == ["published"]


def test_a_word_from_another_process_is_not_believed() -> None:
    """The pid in the file must be the observed agent's (APS-3)."""
    text, changed, started = record("idle", NOW - 100)

    plan = published(stored("blocked", source="hook"), (text.replace("20", "21"), changed, started))

    assert left(plan)["state"] == "blocked"


@pytest.mark.parametrize("answer", [None, ("not json", NOW, STARTED_MS), ("{}", NOW, STARTED_MS)])
def test_a_missing_or_broken_file_is_no_evidence(answer: object) -> None:
    """No message, no effect (APS-2)."""
    plan = published(stored("blocked", source="hook"), answer, capture="[permission]")

    assert [each.source for each in plan.evidence] == ["screen"]


def test_an_open_menu_in_the_file_freezes_the_state() -> None:
    """`dialog open` is a history view, no block (APS-4)."""
    plan = published(stored("working"), record("waiting", NOW - 100, "dialog open"), capture="[idle]")

    assert plan.facts is not None
    assert plan.facts.history_view
    assert left(plan)["state"] == "working"


def test_a_wait_in_the_file_blocks_without_detail() -> None:
    """It never yields a detail by itself (APS-5, STO-8)."""
    plan = published(stored("working"), record("waiting", NOW - 100, "permission prompt"))

    assert left(plan)["state"] == "blocked"
    assert "detail" not in left(plan)


def test_a_detail_that_no_option_may_hold_is_stored_empty() -> None:
    """The last net of the grammar (STO-5)."""
    agent = manifest(rules=[rule("blocked", "[odd]", detail="a b")])

    plan, _ = drive(judge_pane(pane(), context([agent])), {**LOOK, "capture": ["[odd]"]})

    assert plan.stamp_after is not None
    assert (plan.stamp_after.state, plan.stamp_after.detail) == ("blocked", "")


@pytest.mark.parametrize(
    ("tree", "command", "name"),
    [
        (shell_with("2.1.220", "claude"), "claude", "claude"),
        (shell_with(".claude-unwrapp", "claude"), ".claude-unwrapped", "claude"),
        (shell_with("codex-aarch64-a", "codex-aarch64-apple-darwin"), "codex-aarch64-apple-darwin", "codex"),
        (shell_with("MainThread", "node", "codex"), "MainThread", "codex"),
        ([process(10, 1, "bash", front=10), process(20, 10, "claude", group=10)], "bash", "claude"),
    ],
)
def test_an_agent_under_an_unexpected_name_is_read_normally(tree: list[object], command: str, name: str) -> None:
    """Versioned, wrapped, cut, interpreted or launched: the right agent, not capped (PROC-8, ID-11)."""
    agents = [manifest(), manifest("codex", process_names=["codex", "codex-aarch64-a"])]

    plan, _ = drive(judge_pane(pane(command=command), context(agents)), {**LOOK, "tree": tree})

    assert (plan.manifest, left(plan)["state"]) == (name, "idle")


def test_a_program_that_only_looks_like_a_version_is_not_claimed() -> None:
    """Outside any Claude path and under another name it is no agent (PROC-8)."""
    plan, _ = drive(judge_pane(pane(command="2.1.220"), context()), {"tree": shell_with("2.1.220")})

    assert plan.outcome == plans.NONE


def asking(what: str) -> list[str]:
    """A permission dialog about something."""
    return ["────────────", f" run {what}", " ❯ 1. Yes", "   2. No", "[permission]"]


def seen_blocked(lines: list[str], **parts: object) -> dict[str, str]:
    """What a first look at a dialog left, a while ago, with changes."""
    plan, _ = drive(judge_pane(pane(), context(now=NOW - 30_000)), {**LOOK, "capture": lines})
    return {**plan.options_after(), **{f"@agent_{key}": str(value) for key, value in parts.items()}}


def test_another_prompt_on_the_screen_is_another_episode() -> None:
    """GRD-6 for a pane without hooks: it begins now and calls again, though nothing between was seen."""
    before = seen_blocked(asking("A"))
    before.pop("@agent_attention")
    plan, _ = drive(judge_pane(pane(before), context()), {**LOOK, "capture": asking("B")})
    after = plan.stamp_after
    assert after is not None
    assert (before["@agent_since"], after.since, after.attention) == (str(NOW - 30_000), NOW, True)
    again, _ = drive(judge_pane(pane(plan.options_after()), context(now=NOW + 9)), {**LOOK, "capture": asking("B")})
    assert again.stamp_after is not None
    assert again.stamp_after.since == NOW


def test_of_two_producers_one_begins_the_next_episode() -> None:
    """STO-4: the server knows which dialog the episode stands for."""
    before = seen_blocked(asking("A"))
    first, _ = drive(judge_pane(pane(before), context()), {**LOOK, "capture": asking("B")})
    second, _ = drive(judge_pane(pane(before), context(now=NOW + 5)), {**LOOK, "capture": asking("B")})
    options = first.options_after()
    ops.apply(options, second.ops)
    assert options["@agent_since"] == str(NOW)


@pytest.mark.parametrize(
    ("before", "lines", "height"),
    [
        (seen_blocked(asking("A")), asking("A"), 24),
        (seen_blocked(asking("A")), asking("B"), 12),
        (seen_blocked(asking("A")), ["[permission]"], 24),
        (seen_blocked(["[permission]"]), asking("A"), 24),
        (seen_blocked(asking("A"), source="hook"), asking("B"), 24),
    ],
)
def test_the_same_prompt_keeps_its_episode(before: dict[str, str], lines: list[str], height: int) -> None:
    """Also in a pane that changed its height, cut for a moment, and under a hook's claim, which names its call."""
    plan, _ = drive(judge_pane(pane(before, height=height), context()), {**LOOK, "capture": lines})
    after = plan.stamp_after
    assert after is not None
    assert (after.state, after.since) == ("blocked", NOW - 30_000)


def test_a_prompt_that_is_gone_leaves_no_mark() -> None:
    """The next one is compared with nothing."""
    plan, _ = drive(judge_pane(pane(seen_blocked(asking("A"))), context()), {**LOOK, "capture": ["[working]"]})
    assert "@tma_dialog" not in plan.options_after()
