"""What each hook event leaves on a pane, run by the Python interpreter of the writes."""

import json

import pytest

from tma.core import guard, ops, stamp
from tma.core.events import chains
from tma.core.events.hooks import Event

Options = dict[str, str]

WORKING = {"event": "x", "state": "working"}
BLOCKED = {"event": "x", "state": "blocked", "detail": "permission"}
REMINDER = {"event": "x", "state": "blocked", "keep_detail": True}
IDLE = {"event": "x", "state": "idle"}
TURN_END = {"event": "x", "state": "idle", "turn_end": True}
START = {"event": "x", "lifecycle": "start"}
END = {"event": "x", "lifecycle": "end"}
IGNORED = {"event": "x", "ignore": True}


def send(options: Options, entry: object, at: int, kind: str = "x", **payload: object) -> Options:
    """Run one event on a pane's options and give them."""
    seen = Event(kind, at, json.dumps(payload))
    target = chains.Target("claude", options, ["$0"])
    ops.apply(options, chains.plan(seen, entry, target))  # type: ignore[arg-type]
    return options


def claim(state: str, at: int, **more: str) -> Options:
    """A pane with a hook's claim of a state."""
    options = {
        stamp.NAME: "claude", stamp.PID: "42", stamp.STATE: state, stamp.SOURCE: "hook", stamp.EVIDENCE_AT: str(at),
        stamp.SINCE: str(at), stamp.STAMPED_AT: str(at),
    }  # fmt: skip
    return options | {f"@agent_{key}": value for key, value in more.items()}


def test_an_event_writes_a_whole_settled_tuple() -> None:
    """CH-EVENT, HOOK-9: source hook, evidence and stamp of the event; no hash, pid 0 where none was known."""
    assert send({}, WORKING, 100, session_id="S1", transcript_path="/t") == {
        stamp.NAME: "claude", stamp.PID: "0", stamp.STATE: "working", stamp.SOURCE: "hook", stamp.EVIDENCE_AT: "100",
        stamp.SINCE: "100", stamp.STAMPED_AT: "100", stamp.SESSION: "S1", stamp.TRANSCRIPT: "/t",
    }  # fmt: skip


def test_a_known_pid_and_a_stored_session_are_kept() -> None:
    """CH-EVENT (7), HOOK-9: an ordinary event changes neither."""
    left = send(claim("idle", 100, session="S1"), WORKING, 200, session_id="S2")
    assert (left[stamp.PID], left[stamp.SESSION]) == ("42", "S1")


def test_an_older_event_leaves_nothing_behind() -> None:
    """CH-EVENT, GRD-EVENT, HOOK-17: a losing event writes no state, no session, no transcript, no freshness."""
    before = claim("working", 200)
    late = {"session_id": "S1", "transcript_path": "/t", "tool_name": "Bash", "request_id": "r", "model": "m"}
    for entry in (BLOCKED, TURN_END, IDLE, START, END):
        assert send(dict(before), entry, 199, **late) == before


def test_an_event_as_old_as_the_stored_one_writes() -> None:
    """GRD-1: equality writes."""
    assert send(claim("working", 200), BLOCKED, 200)[stamp.STATE] == "blocked"


def test_an_event_commits_whole_over_a_captures_newer_evidence() -> None:
    """GRD-EVENT: only a newer hook holds an event; its guard stays as it was through the whole chain."""
    captured = claim("working", 300) | {stamp.SOURCE: "capture"}
    left = send(captured, BLOCKED, 200, session_id="S1", tool_name="Bash")
    assert (left[stamp.SOURCE], left[stamp.EVIDENCE_AT], left[stamp.STAMPED_AT]) == ("hook", "200", "200")
    assert (left[stamp.ATTENTION], left[stamp.SESSION], left[stamp.PENDING_TOOL]) == ("1", "S1", "Bash")


def test_events_in_the_wrong_order_leave_the_newer_ones_values() -> None:
    """Race 3 of the store: t1 < t2 arrive as t2, t1."""
    left = send({}, TURN_END, 200, session_id="S1")
    assert send(dict(left), BLOCKED, 100, session_id="S2", tool_name="Bash") == left


def test_a_heartbeat_writes_nothing_for_two_seconds() -> None:
    """HOOK-9: the same claim, less than 2,000 ms old."""
    left = send({}, WORKING, 1000)
    assert send(dict(left), WORKING, 2999) == left
    later = send(dict(left), WORKING, 3000)
    assert (later[stamp.EVIDENCE_AT], later[stamp.SINCE]) == ("3000", "1000")


def test_a_heartbeat_after_another_detail_or_source_writes() -> None:
    """HOOK-9: only a hook's claim without another detail makes one needless."""
    compacting = claim("working", 1000, detail="compacting")
    assert stamp.DETAIL not in send(compacting, WORKING, 1100)
    captured = claim("working", 1000) | {stamp.SOURCE: "capture"}
    assert send(captured, WORKING, 1100)[stamp.SOURCE] == "hook"


@pytest.mark.parametrize("prior", ["", "idle", "working", "unknown", "nonsense"])
def test_a_blocked_event_raises_from_any_other_state(prior: str) -> None:
    """HOOK-10: an absent or undecodable prior is no state."""
    left = send(claim(prior, 100) if prior else {}, BLOCKED, 200)
    assert (left[stamp.ATTENTION], left[stamp.SINCE]) == ("1", "200")


def test_a_repeat_of_a_blocked_event_raises_nothing() -> None:
    """HOOK-10: the mark that was seen stays down, and the state began when it began."""
    left = send(claim("blocked", 100), BLOCKED, 200)
    assert stamp.ATTENTION not in left
    assert left[stamp.SINCE] == "100"


@pytest.mark.parametrize(
    ("prior", "raised"), [("working", True), ("blocked", False), ("idle", False), ("unknown", False), ("", False)]
)
def test_an_idle_event_raises_after_working_alone(prior: str, *, raised: bool) -> None:
    """HOOK-10: an interruption of work is news, an idle reminder is none; no scratch is left."""
    left = send(claim(prior, 100) if prior else {}, IDLE, 200)
    assert (stamp.ATTENTION in left) is raised
    assert stamp.STAGE not in left
    assert stamp.TURN_AT not in left


@pytest.mark.parametrize("prior", ["working", "blocked", "idle", "unknown"])
def test_a_turn_end_raises_and_records_its_turn(prior: str) -> None:
    """HOOK-10, HOOK-11: also from idle, when the mark of the last one was seen."""
    left = send(claim(prior, 100), TURN_END, 200)
    assert (left[stamp.ATTENTION], left[stamp.TURN_AT]) == ("1", "200")


def test_a_second_report_of_one_turn_end_records_no_second_turn() -> None:
    """CH-TURN, HOOK-11: two channels reporting one completion are one."""
    left = send(send(claim("working", 100), TURN_END, 200), TURN_END, 230)
    assert (left[stamp.TURN_AT], left[stamp.ATTENTION], left[stamp.EVIDENCE_AT]) == ("200", "1", "230")
    assert left[stamp.SINCE] == "200"


def test_a_second_completion_after_the_first_was_seen_is_a_new_episode() -> None:
    """HOOK-11: since stays, the turn moves."""
    left = send(claim("working", 100), TURN_END, 200)
    del left[stamp.ATTENTION]
    left = send(left, TURN_END, 300)
    assert (left[stamp.SINCE], left[stamp.TURN_AT], left[stamp.ATTENTION]) == ("200", "300", "1")


def test_working_raises_nothing_and_takes_no_mark_down() -> None:
    """HOOK-10: others never."""
    assert send(claim("idle", 100, attention="1"), WORKING, 200)[stamp.ATTENTION] == "1"
    assert stamp.ATTENTION not in send(claim("blocked", 100), WORKING, 200)


def test_a_reminder_keeps_the_detail_of_the_state_it_finds() -> None:
    """HOOK-9, MAN-FACT-4: a plan stays a plan; from another state the entry's own detail counts."""
    assert send(claim("blocked", 100, detail="plan"), REMINDER, 200)[stamp.DETAIL] == "plan"
    left = send(claim("working", 100, detail="compacting"), REMINDER, 200)
    assert left[stamp.STATE] == "blocked"
    assert stamp.DETAIL not in left


def test_another_pending_call_is_another_prompt() -> None:
    """GRD-6, race 11 of the store: blocked for call A, then for call B with no working between."""
    left = send({}, BLOCKED, 100, tool_name="Bash", tool_use_id="A", session_id="S1")
    del left[stamp.ATTENTION]
    again = send(dict(left), BLOCKED, 200, tool_name="Bash", tool_use_id="A", session_id="S1")
    assert again[stamp.SINCE] == "100"
    assert stamp.ATTENTION not in again
    other = send(dict(left), BLOCKED, 200, tool_name="Bash", tool_use_id="B", session_id="S1")
    assert (other[stamp.SINCE], other[stamp.ATTENTION], other[stamp.PENDING_CALL]) == ("200", "1", "B")


@pytest.mark.parametrize("named", ["per_2", "per 2,}#{x"])
def test_another_request_is_another_prompt(named: str) -> None:
    """GRD-6: compared in the server, by the staged text where it is outside the safe set."""
    left = send({}, BLOCKED, 100, request_id="per_1")
    other = send(dict(left), BLOCKED, 200, request_id=named)
    assert (other[stamp.SINCE], other[stamp.PERMISSION_REQUEST]) == ("200", named)
    again = send(dict(other), BLOCKED, 300, request_id=named)
    assert again[stamp.SINCE] == "200"
    assert stamp.STAGE not in again


def test_a_blocked_event_without_a_tool_leaves_the_trio_alone() -> None:
    """CH-PENDING: a late reminder does not take the call away."""
    left = send({}, BLOCKED, 100, session_id="S1", tool_name="Bash", tool_use_id="A", tool_input={"command": "ls"})
    assert [left[key] for key in (stamp.PENDING_TOOL, stamp.PENDING_CALL, stamp.PENDING_SUMMARY)] == ["Bash", "A", "ls"]
    assert send(dict(left), REMINDER, 200, session_id="S1") == left | {
        stamp.EVIDENCE_AT: "200",
        stamp.STAMPED_AT: "200",
    }


def test_the_trio_is_always_written_together() -> None:
    """CH-PENDING: a call without id or text empties what the last one left."""
    left = send({}, BLOCKED, 100, session_id="S1", tool_name="Bash", tool_use_id="A", tool_input={"command": "ls"})
    left = send(left, BLOCKED, 200, tool_name="AskUserQuestion")
    assert left[stamp.PENDING_TOOL] == "AskUserQuestion"
    assert stamp.PENDING_CALL not in left
    assert stamp.PENDING_SUMMARY not in left


@pytest.mark.parametrize("entry", [WORKING, IDLE, TURN_END, START])
def test_leaving_blocked_clears_the_open_call(entry: object) -> None:
    """CH-PENDING, HOOK-13: the trio and the request id go with every other state."""
    left = send({}, BLOCKED, 100, request_id="r", tool_name="Bash", tool_use_id="A", tool_input={"command": "ls"})
    assert not set(stamp.PENDING).intersection(send(left, entry, 200))


def test_a_registration_claims_idle_without_a_mark() -> None:
    """CH-REGISTER, HOOK-7: no raise, no turn; session, model and endpoint are stamped."""
    left = send(
        claim("working", 100), START, 200, session_id="S1", model="opus;", api_endpoint="http://127.0.0.1:4096/;"
    )
    assert (left[stamp.STATE], left[stamp.SESSION], left[stamp.MODEL]) == ("idle", "S1", "opus;")
    assert left[stamp.API_ENDPOINT] == "http://127.0.0.1:4096/;"
    assert not {stamp.ATTENTION, stamp.TURN_AT, stamp.DETAIL, stamp.STAGE}.intersection(left)


@pytest.mark.parametrize(("stored", "pid"), [("S1", "42"), ("S0", "0"), ("", "0")])
def test_a_registration_by_another_session_forgets_the_pid(stored: str, pid: str) -> None:
    """REM-9, CH-REGISTER: an agent that registers from the far side takes over."""
    left = send(claim("idle", 100, session=stored), START, 200, session_id="S1")
    assert (left[stamp.PID], left[stamp.SESSION]) == (pid, "S1")


def test_a_registration_without_a_session_keeps_session_and_pid() -> None:
    """CH-REGISTER: overwritten when the event carries one, kept when it carries none."""
    left = send(claim("idle", 100, session="S0"), START, 200)
    assert (left[stamp.PID], left[stamp.SESSION]) == ("42", "S0")


def test_an_end_removes_what_deregistration_names_and_spares_the_rest() -> None:
    """CH-DEREG, RM-1: the lock, the mute and the user's own option stay."""
    spared = {stamp.ACTION: "1:2:3:x", stamp.MUTE_UNTIL: "9"}
    assert send(claim("idle", 100, session="S1") | spared, END, 200, session_id="S1") == spared


@pytest.mark.parametrize(
    ("stored", "payload", "gone"),
    [
        ("S1", {"session_id": "S1"}, True),
        ("S1", {"session_id": "S0"}, False),
        ("S1", {}, True),
        ("", {"session_id": "S0"}, True),
        ("a b;", {"session_id": "a b;"}, True),
        ("a b;", {"session_id": "c d;"}, False),
    ],
)
def test_a_former_sessions_end_removes_nothing(stored: str, payload: dict[str, str], *, gone: bool) -> None:
    """HOOK-18: a late end acts only for the stored session; a missing side accepts."""
    assert (send(claim("idle", 100, session=stored), END, 200, **payload) == {}) is gone


@pytest.mark.parametrize(
    ("stored", "thread", "ended"),
    [("t1", "t1", True), ("t1", "t2", False), ("", "t1", False), ("t1", "", False), ("", "", False)],
)
def test_a_notice_of_an_unknown_thread_ends_no_turn(stored: str, thread: str, *, ended: bool) -> None:
    """HOOK-18, MAN-FACT-9: codex notifies for an internal thread too; a missing side ignores."""
    left = send(claim("working", 100, session=stored), TURN_END, 200, kind="notify", **{"thread-id": thread})
    assert (left[stamp.STATE] == "idle") is ended


@pytest.mark.parametrize(
    ("stored", "payload", "acts"),
    [
        ("S1", {"session_id": "S1"}, True),
        ("S1", {"session_id": "S2"}, False),
        ("S1", {}, False),
        ("", {"session_id": "S1"}, False),
        ("a b", {"session_id": "a b"}, True),
        ("a b", {"session_id": "c d"}, False),
    ],
)
def test_while_subagents_live_only_the_panes_session_acts(stored: str, payload: dict[str, str], *, acts: bool) -> None:
    """HOOK-5: either side missing means ignore; HOOK-6: without subagents nobody is compared."""
    left = send(claim("working", 100, session=stored, subagents=" a"), TURN_END, 200, **payload)
    assert (left[stamp.STATE] == "idle") is acts
    assert stamp.STAGE not in left
    assert send(claim("working", 100, session=stored), TURN_END, 200, **payload)[stamp.STATE] == "idle"


@pytest.mark.parametrize(("session", "left"), [("S2", None), ("S1", " a")])
def test_another_sessions_start_registers_and_forgets_the_former_subagents(session: str, left: str | None) -> None:
    """HOOK-5, HOOK-7: after a crash or a clear with sub-agents alive the pane must not stay deaf."""
    after = send(claim("working", 100, session="S1", subagents=" a"), START, 200, session_id=session)
    assert (after["@agent_session"], after["@agent_state"]) == (session, "idle")
    assert after.get("@agent_subagents") == left


def test_a_late_start_forgets_nothing() -> None:
    """GRD-EVENT: an older event leaves nothing behind."""
    before = claim("working", 300, session="S1", subagents=" a")
    assert send(before, START, 200, session_id="S2") == before


def test_subagents_come_and_go_without_touching_the_state() -> None:
    """CH-SUB: no state write; the option goes with the last of them."""
    before = claim("working", 100, session="S1")
    one = send(dict(before), None, 200, kind="SubagentStart", agent_id="a1")
    two = send(dict(one), None, 201, kind="SubagentStart", agent_id="b2")
    assert two[stamp.SUBAGENTS].split() == ["a1", "b2"]
    assert send(dict(two), None, 202, kind="SubagentStart", agent_id="a1") == two
    left = send(two, None, 203, kind="SubagentStop", agent_id="a1")
    assert left[stamp.SUBAGENTS].split() == ["b2"]
    assert send(left, None, 204, kind="SubagentStop", agent_id="b2") == before


def test_a_stray_subagent_stop_changes_nothing() -> None:
    """FC-03: bookkeeping neither goes negative nor grows, however often it comes."""
    before = claim("working", 100, subagents=" a1")
    left = dict(before)
    for _ in range(3):
        send(left, None, 200, kind="SubagentStop", agent_id="never-started")
    assert left == before
    assert send(claim("working", 100), None, 200, kind="SubagentStop", agent_id="x") == claim("working", 100)


def test_a_subagent_without_an_id_changes_nothing() -> None:
    """HOOK-5: no id, no change."""
    assert send({}, None, 100, kind="SubagentStart") == {}


def test_the_oldest_of_64_subagents_makes_room() -> None:
    """CH-SUB, SEC-R-1: at most 64 ids."""
    full = " " + " ".join(f"a{at}" for at in range(64))
    left = send({stamp.SUBAGENTS: full}, None, 100, kind="SubagentStart", agent_id="new")
    assert left[stamp.SUBAGENTS].split() == [*(f"a{at}" for at in range(1, 64)), "new"]
    assert send({stamp.SUBAGENTS: full}, None, 100, kind="SubagentStart", agent_id="a5")[stamp.SUBAGENTS] == full


def test_an_ignored_pane_gets_no_write_of_any_kind() -> None:
    """HOOK-5, RM-4: the user's option comes first."""
    before = {stamp.IGNORE: "1"}
    for entry, kind in ((WORKING, "x"), (START, "x"), (END, "x"), (None, "SubagentStart")):
        assert send(dict(before), entry, 100, kind=kind, agent_id="a", session_id="S1") == before


@pytest.mark.parametrize(
    ("stored", "payload", "cleared"),
    [
        ("S1", {"session_id": "S1"}, True),
        ("S1", {}, True),
        ("", {"session_id": "S1"}, True),
        ("S1", {"session_id": "S2"}, False),
        ("S1", {"session_id": "S1", "request_id": "r1"}, True),
        ("S1", {"session_id": "S1", "request_id": "r0"}, False),
    ],
)
def test_a_rejecting_reply_takes_the_request_down(stored: str, payload: dict[str, str], *, cleared: bool) -> None:
    """HOOK-13: unless both sessions are known and differ, or it answers another request (MAN-FACT-10)."""
    before = claim("blocked", 100, session=stored, permission_request="r1")
    left = send(dict(before), IGNORED, 200, kind="permission-replied", **payload)
    assert left == (
        {key: value for key, value in before.items() if key != stamp.PERMISSION_REQUEST} if cleared else before
    )


def test_a_late_reply_takes_nothing_down() -> None:
    """HOOK-17: a reply holds like every other event once a newer one stands."""
    before = claim("blocked", 300, permission_request="r1")
    assert send(dict(before), IGNORED, 200, kind="permission-replied") == before


def test_a_reply_to_the_former_request_leaves_the_next_one_open() -> None:
    """MAN-FACT-10: the second request may stand before the reply to the first arrives."""
    before = claim("blocked", 100, permission_request="per_2")
    assert send(dict(before), WORKING, 101, kind="permission-replied", request_id="per_1") == before
    left = send(before, WORKING, 102, kind="permission-replied", request_id="per_2")
    assert left[stamp.STATE] == "working"
    assert stamp.PERMISSION_REQUEST not in left


def test_a_transcript_is_stored_when_it_changes_and_never_cleared() -> None:
    """HOOK-16: by any committed event that names another path."""
    left = send(claim("idle", 100, transcript="/a"), WORKING, 200, transcript_path="/b")
    assert left[stamp.TRANSCRIPT] == "/b"
    assert send(left, TURN_END, 300)[stamp.TRANSCRIPT] == "/b"


@pytest.mark.parametrize("value", ["#(touch x)", "a,b}c;", "S1;", "#{pane_id}", "it's", "%1", '$HOME `id` \\ "', "0"])
def test_hostile_values_are_stored_as_they_are(value: str) -> None:
    """WR-5, race 8 of the store, FC-31: text is text."""
    left = send({}, START, 100, session_id=value, model=value, transcript_path=value)
    left = send(left, BLOCKED, 200, session_id=value, request_id=value, tool_name=value, tool_use_id=value)
    keys = (stamp.SESSION, stamp.TRANSCRIPT, stamp.PERMISSION_REQUEST, stamp.PENDING_TOOL, stamp.PENDING_CALL)
    assert {left[key] for key in keys} == {value}
    assert left[stamp.MODEL] == value.strip()
    assert stamp.STAGE not in left


def test_both_summaries_follow_every_state_and_removal() -> None:
    """RU-3: the window's and those of every session that shows it, last in the chain."""
    target = chains.Target("claude", {}, ["$0", "$3"])
    for entry in (TURN_END, START, END):
        _, _, chain = chains.plan(Event("x", 1, "{}"), entry, target)[0]
        scopes = [op[1:4] for op in chain[-9::3]]  # type: ignore[index]
        wanted = [("-w", "", stamp.SUMMARY), ("", "$0", stamp.SESSION_SUMMARY), ("", "$3", stamp.SESSION_SUMMARY)]
        assert scopes == wanted
        assert chain[-9:] == [op for op in chain if op[0] == "scoped"]  # type: ignore[index,attr-defined]


@pytest.mark.parametrize(
    ("before", "stamped_at", "expected"),
    [("idle", 60_000, True), ("working", 60_000, False), ("working", 59_999, True), ("blocked", 60_000, True)],
)
def test_one_more_claim_of_work_counts_nothing_anew(before: str, stamped_at: int, *, expected: bool) -> None:
    """RU-3: only a run that began with it, and once a minute for panes that vanished, whatever came elsewhere."""
    at = 119_999
    stands = {stamp.STATE: before, stamp.SINCE: "10", stamp.SOURCE: "hook", stamp.EVIDENCE_AT: "10"}
    stands |= {stamp.STAMPED_AT: str(stamped_at), stamp.event_seen("claude", "x"): str(at - 1)}
    target = chains.Target("claude", stands, ["$0"])
    _, _, chain = chains.plan(Event("x", at, "{}"), WORKING, target)[0]

    counts = [op for op in chain if op[0] == "scoped"]  # type: ignore[attr-defined]
    if not counts:
        *before_it, (form, condition, conditional) = chain  # type: ignore[misc]
        assert (form, len(conditional)) == ("when", 6)
        ops.apply(stands, before_it)
        counts = conditional if guard.truthy(guard.evaluate(condition, stands)) else []
    assert len(counts) == (6 if expected else 0)


def test_the_evidence_is_written_before_the_source_and_since_before_the_state() -> None:
    """Section 8 of the store: the order is part of the contract."""
    target = chains.Target("claude", {stamp.PERMISSION_REQUEST: "r"}, [])
    _, _, chain = chains.plan(Event("x", 1, '{"session_id": "S1"}'), TURN_END, target)[0]
    keys = [op[1] for op in chain if op[0] == "set"]  # type: ignore[attr-defined]
    assert keys == [
        stamp.TURN_AT, stamp.SINCE, stamp.STATE, stamp.DETAIL, stamp.EVIDENCE_AT, stamp.SOURCE, stamp.ATTENTION,
        stamp.SESSION, stamp.PERMISSION_REQUEST, stamp.PID, stamp.NAME, stamp.STAMPED_AT,
    ]  # fmt: skip
    _, _, chain = chains.plan(Event("x", 1, "{}"), REMINDER, target)[0]
    kept = [op[1] for op in chain if op[0] == "set"][:3]  # type: ignore[attr-defined]
    assert kept == [stamp.SINCE, stamp.DETAIL, stamp.STATE]


def seen_writes(at: int, kind: str = "x", entry: object = WORKING, **payload: object) -> list[object]:
    """The last op of an event's chain."""
    event = Event(kind, at, json.dumps(payload))
    return chains.plan(event, entry, chains.Target("my-agent", {}, ["$0"]))[-1:]  # type: ignore[arg-type,return-value]


@pytest.mark.parametrize(
    ("stored", "written"),
    [("", True), ("939999", True), ("940000", False), ("1000000", False), ("1060000", False), ("1060001", True)],
)
def test_when_an_event_was_last_seen_is_noted_once_a_minute(stored: str, written: bool) -> None:  # noqa: FBT001
    """WTR-1: decided by the server; a note that lies ahead is of a clock that was set back."""
    ((form, condition, body),) = seen_writes(1_000_000, "Stop.now")  # type: ignore[misc]

    note = "@tma_ev_my_agent_Stop_now"
    assert (form, body) == ("when", [("scoped_put", "-s", "", note, "1000000")])
    assert guard.truthy(guard.evaluate(condition, {note: stored} if stored else {})) is written


@pytest.mark.parametrize(("kind", "entry"), [("x", None), ("x", IGNORED), ("SubagentStart", None), ("notify", WORKING)])
def test_an_event_that_writes_nothing_notes_nothing(kind: str, entry: object) -> None:
    """WTR-1: only in a chain that is sent anyway."""
    assert seen_writes(1_000_000, kind, entry) == []


def test_a_sub_agents_event_is_noted_too() -> None:
    """WTR-1: the adapter knows it, the manifest does not."""
    assert seen_writes(1_000_000, "SubagentStart", None, agent_id="a1")[0][0] == "when"  # type: ignore[index]
