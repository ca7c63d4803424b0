"""The chains of the cycle, run by the interpreter in Python."""

from tma.core import guard, ops, stamp, writes
from tma.core.writes import Claim, Looked

NOW = 1_700_000_000_000


def looked(options: dict[str, str], now: int = NOW) -> Looked:
    """What a cycle saw of a pane with these options."""
    return Looked(now=now, pid=7, name="claude", options=dict(options))


def run(options: dict[str, str], chain: list[ops.Op]) -> dict[str, str]:
    """The options after a chain."""
    ops.apply(options, chain)
    return options


def blocked_hook(at: int) -> dict[str, str]:
    """A hook's open permission claim."""
    return {
        stamp.STATE: "blocked", stamp.DETAIL: "permission", stamp.SOURCE: "hook", stamp.EVIDENCE_AT: str(at),
        stamp.SINCE: str(at), stamp.STAMPED_AT: str(at), stamp.PENDING_TOOL: "Bash", stamp.PENDING_CALL: "c1",
    }  # fmt: skip


def test_a_first_publish_leaves_a_settled_tuple() -> None:
    """CH-PUBLISH, GRD-2: first writes land whole."""
    claim = Claim("blocked", source="capture", at=NOW, detail="permission", raised=True)
    found, _ = stamp.decode(run({}, writes.publish(claim, guard.carve(NOW), looked({}))))
    assert found is not None
    assert (found.state, found.detail, found.source, found.evidence, found.since) == (
        "blocked", "permission", "capture", NOW, NOW,
    )  # fmt: skip
    assert found.attention
    assert found.hash
    assert not found.in_progress


def test_since_moves_only_when_the_state_changes() -> None:
    """GRD-6: write-once a state run."""
    options: dict[str, str] = {}
    for step, state in enumerate(["working", "working", "idle"]):
        now = NOW + step * 1000
        run(options, writes.publish(Claim(state, source="capture", at=now), guard.protect(), looked(options, now)))
    assert options[stamp.SINCE] == str(NOW + 2000)


def test_a_stepped_clock_restarts_since_though_the_state_is_the_same() -> None:
    """CLK-3: more than 2000 ms ahead of this write is no state run."""
    options = {stamp.STATE: "idle", stamp.SINCE: str(NOW + 2001)}
    run(options, writes.publish(Claim("idle", source="capture", at=NOW), guard.protect(), looked(options)))
    assert options[stamp.SINCE] == str(NOW)
    options = {stamp.STATE: "idle", stamp.SINCE: str(NOW + 2000)}
    run(options, writes.publish(Claim("idle", source="capture", at=NOW), guard.protect(), looked(options)))
    assert options[stamp.SINCE] == str(NOW + 2000)


def test_a_hook_between_read_and_write_keeps_its_whole_tuple() -> None:
    """Race 1 of the store: a capture's working write meets a newer hook's blocked."""
    options = blocked_hook(NOW - 10)
    before = dict(options)
    run(options, writes.publish(Claim("working", source="capture", at=NOW), guard.protect(), looked({})))
    for key in (*stamp.TUPLE[2:7], *stamp.PENDING):
        assert options.get(key) == before.get(key)
    assert options[stamp.STAMPED_AT] == str(NOW)


def test_newer_blocked_chrome_replaces_a_working_hook_claim_and_older_does_not() -> None:
    """Race 2 of the store, FOLD-6: the carve-out lands at once, in its order."""
    working = {**blocked_hook(NOW), stamp.STATE: "working", stamp.DETAIL: ""}
    late = Claim("blocked", source="capture", at=NOW + 1, detail="permission", raised=True)
    assert run(dict(working), writes.publish(late, guard.carve(NOW + 1), looked(working)))[stamp.SOURCE] == "capture"
    early = Claim("blocked", source="capture", at=NOW, detail="permission", raised=True)
    kept = run(dict(working), writes.publish(early, guard.carve(NOW), looked(working)))
    assert (kept[stamp.STATE], kept[stamp.SOURCE]) == ("working", "hook")
    assert stamp.ATTENTION not in kept


def test_leaving_blocked_clears_the_open_call() -> None:
    """CH-PENDING: every publish of another state takes the pending call down, under its guard."""
    options = {**blocked_hook(NOW), stamp.PERMISSION_REQUEST: "r1"}
    run(options, writes.publish(Claim("idle", source="capture", at=NOW + 5), guard.decided(NOW), looked(options)))
    assert not set(options) & set(stamp.PENDING)


def test_stamped_at_never_goes_back_by_less_than_a_clock_step() -> None:
    """CH-PUBLISH, CH-HOLD, race 10: a slower writer leaves the newer freshness mark."""
    options = {stamp.STAMPED_AT: str(NOW + 2500)}
    assert run(options, writes.hold(looked({})))[stamp.STAMPED_AT] == str(NOW + 2500)
    options = {stamp.STAMPED_AT: str(NOW + stamp.LEAP_MS + 1)}
    assert run(options, writes.hold(looked({})))[stamp.STAMPED_AT] == str(NOW)


def test_a_hold_changes_neither_state_nor_evidence() -> None:
    """CH-HOLD: only freshness and the look are noted."""
    options = blocked_hook(NOW)
    before = dict(options)
    run(options, writes.hold(looked(options, NOW + 10)))
    changed = {key for key in options if options[key] != before.get(key)}
    assert changed == {stamp.HASH, stamp.STAMPED_AT}


def test_a_reset_rewrites_the_tuple_and_keeps_the_registration() -> None:
    """CH-RESET, RM-2: marks and turn go, session and gauges stay."""
    options = {**blocked_hook(NOW), stamp.TURN_AT: "5", stamp.NOTIFIED_AT: "5", stamp.SESSION: "s"}
    run(options, writes.reset(Claim("idle", source="capture", at=NOW + 1), NOW, looked(options, NOW + 1)))
    assert options[stamp.STATE] == "idle"
    assert options[stamp.SESSION] == "s"
    for key in (stamp.TURN_AT, stamp.NOTIFIED_AT, stamp.DETAIL, stamp.PENDING_TOOL):
        assert key not in options


def test_a_reset_waits_when_a_hook_spoke_since() -> None:
    """CH-RESET: suppressed as a whole; the next cycle decides again."""
    options = blocked_hook(NOW + 5)
    before = dict(options)
    assert run(options, writes.reset(Claim("idle", source="capture", at=NOW), NOW, looked(before))) == before


def test_removal_happens_only_if_nobody_stamped_since() -> None:
    """CH-REMOVE: the stamp that was read must still be the one that stands."""
    options = {**blocked_hook(NOW), stamp.MUTE_UNTIL: "9", stamp.IGNORE: "1"}
    assert run(dict(options), writes.remove(str(NOW - 1))) == options
    assert run(dict(options), writes.remove(str(NOW))) == {stamp.MUTE_UNTIL: "9", stamp.IGNORE: "1"}


def test_a_foreign_freshness_mark_is_compared_and_never_rendered() -> None:
    """CH-REMOVE, WR-5: text that is no number goes through the scratch option."""
    options = {stamp.STATE: "idle", stamp.STAMPED_AT: "#(touch x)"}
    chain = writes.remove("#(touch x)")
    assert run(dict(options), chain) == {}
    assert chain[0] == ops.put(stamp.STAGE, "#(touch x)")


def test_a_mark_raised_again_after_the_look_stays() -> None:
    """CH-ATTN: seen by input compares since and turn."""
    options = {stamp.SINCE: "5", stamp.TURN_AT: "9", stamp.ATTENTION: "1"}
    assert run(dict(options), writes.seen(5, "8"))[stamp.ATTENTION] == "1"
    assert stamp.ATTENTION not in run(dict(options), writes.seen(5, "9"))


def test_a_gauge_moves_forward_only() -> None:
    """CH-CONTEXT, GRD-1: as old writes, older holds; no value empties and still moves on."""
    options = run({}, writes.gauge(100, 40, 900))
    assert run(dict(options), writes.gauge(99, 10, 1)) == options
    assert run(dict(options), writes.gauge(100, 41, None)) == {stamp.CONTEXT_PCT: "41", stamp.CONTEXT_AT: "100"}
    assert run(dict(options), writes.gauge(101, None, None)) == {stamp.CONTEXT_AT: "101"}


def test_instants_far_ahead_come_back_to_the_present() -> None:
    """CLK-4: more than 60000 ms ahead is repaired, exactly as much is not; a mute never is."""
    far, near = str(NOW + 60_001), str(NOW + 60_000)
    options = {stamp.EVIDENCE_AT: far, stamp.TURN_AT: near, stamp.MUTE_UNTIL: far}
    run(options, writes.repair(looked(options)))
    assert options == {stamp.EVIDENCE_AT: str(NOW), stamp.TURN_AT: near, stamp.MUTE_UNTIL: far}


def test_an_event_older_than_a_captures_evidence_lands_whole() -> None:
    """Race 6 of the store: the guard must not turn true between source and evidence."""
    options = {stamp.STATE: "idle", stamp.SOURCE: "capture", stamp.EVIDENCE_AT: "100", stamp.SINCE: "100"}
    claim = Claim("blocked", source="hook", at=90)
    run(options, writes.tuple_ops(claim, guard.event(90), 90))
    assert (options[stamp.STATE], options[stamp.SOURCE], options[stamp.EVIDENCE_AT]) == ("blocked", "hook", "90")


def test_a_pane_of_shells_is_marked_and_unmarked() -> None:
    """ID-14: a pane without the mark needs no write."""
    assert writes.marked(5) == [("put", stamp.REG_DEAD_SINCE, "5")]
    assert writes.unmarked({}) == []
    assert writes.unmarked({stamp.REG_DEAD_SINCE: "5"}) == [("unset", stamp.REG_DEAD_SINCE)]


def test_the_server_counts_in_three_steps() -> None:
    """RU-3: words, letters, sums; the status line last and only with its format."""
    plain = [op[1:4] for op in writes.counted(["$0"], "")]
    assert plain == [("-w", "", stamp.SUMMARY)] * 3 + [("", "$0", stamp.SESSION_SUMMARY)] * 3
    assert [op[1:4] for op in writes.counted(["$0"], "F")[6:]] == [("-s", "", stamp.STATUS_LINE)] * 3
    assert writes.status_line("") == []
