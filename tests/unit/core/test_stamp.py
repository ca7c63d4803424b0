"""The option table and the decoding of the stored tuple."""

import pytest

from tma.core import stamp

FULL = {
    stamp.NAME: "claude", stamp.PID: "42", stamp.STATE: "blocked", stamp.DETAIL: "permission", stamp.SOURCE: "hook",
    stamp.EVIDENCE_AT: "1000", stamp.SINCE: "900", stamp.STAMPED_AT: "1001", stamp.ATTENTION: "1",
    stamp.NOTIFIED_AT: "950", stamp.TURN_AT: "970", stamp.HASH: "1", stamp.SESSION: "s-1", stamp.SUBAGENTS: " a  b ",
}  # fmt: skip


def test_a_full_tuple_decodes_to_its_values() -> None:
    """RD-2: every option lands in its field."""
    found, problem = stamp.decode(FULL)
    assert found is not None
    assert problem == ""
    assert (found.name, found.pid, found.state, found.detail, found.source) == (
        "claude", 42, "blocked", "permission", "hook",
    )  # fmt: skip
    assert (found.evidence, found.since, found.stamped, found.notified, found.turn) == (1000, 900, 1001, 950, 970)
    assert (found.attention, found.hash, found.session, found.subagents) == (True, True, "s-1", ("a", "b"))


def test_no_state_is_no_stamp_whatever_else_stands() -> None:
    """RD-2: without a state there is no stamp and no problem."""
    assert stamp.decode({key: value for key, value in FULL.items() if key != stamp.STATE}) == (None, "")


def test_absent_options_read_as_their_defaults() -> None:
    """RD-2, GRD-2: detail none, source capture, numbers 0, flags down."""
    found, _ = stamp.decode({stamp.STATE: "idle"})
    assert found is not None
    assert (found.detail, found.source, found.evidence, found.pid) == ("", "capture", 0, 0)
    assert (found.attention, found.hash, found.subagents) == (False, False, ())


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (stamp.STATE, "busy"),
        (stamp.SOURCE, "other-tool"),
        (stamp.EVIDENCE_AT, "12x"),
        (stamp.SINCE, "-1"),
        (stamp.STAMPED_AT, "1.5"),
        (stamp.NOTIFIED_AT, "٣"),
        (stamp.TURN_AT, "9" * 17),
        (stamp.PID, str(2**32)),
    ],
)
def test_a_value_outside_its_grammar_is_undecodable_and_named(key: str, value: str) -> None:
    """RD-2, RD-3: the problem names option and value."""
    found, problem = stamp.decode({**FULL, key: value})
    assert found is None
    assert key in problem
    assert value in problem


def test_a_flag_is_one_or_absent() -> None:
    """Token grammar: any other value of a flag reads as absent."""
    found, _ = stamp.decode({**FULL, stamp.ATTENTION: "yes"})
    assert found is not None
    assert not found.attention


@pytest.mark.parametrize(
    ("since", "evidence", "stamped", "stepped", "in_progress"),
    [(100, 100, 100, False, False), (101, 100, 100, False, True), (100, 101, 100, False, True),
     (2100, 0, 100, False, True), (2101, 0, 100, True, False)],
)  # fmt: skip
def test_in_progress_and_clock_step_are_told_apart(
    since: int, evidence: int, stamped: int, *, stepped: bool, in_progress: bool
) -> None:
    """RD-4, CLK-3: at exactly 2000 ms ahead it is a chain in flight, one more is a stepped clock."""
    found = stamp.Stamp("idle", since=since, evidence=evidence)
    found.stamped = stamped
    assert (found.stepped, found.in_progress) == (stepped, in_progress)


def test_the_episode_is_the_later_of_since_and_turn() -> None:
    """CLK-5: the instant that names a state run or turn."""
    found = stamp.Stamp("idle", since=5)
    assert found.episode == 5
    found.turn = 9
    assert found.episode == 9


def test_deregistration_spares_exactly_four_options() -> None:
    """RM-1: the lock, the mute, the watcher and the user's own switch outlive an agent."""
    assert set(stamp.SPARED) == {"@agent_action", "@agent_mute_until", "@tma_watch_pid", "@agent_ignore"}
    assert not set(stamp.SPARED) & set(stamp.DEREG)
    assert len(stamp.READ_OPTIONS) == len(set(stamp.READ_OPTIONS))


@pytest.mark.parametrize("detail", ["a b", "x#{y}", "A", "a,b", "\n", "x" * 65])
def test_a_detail_outside_the_grammar_is_written_empty(detail: str) -> None:
    """STO-5: the last net before a format."""
    assert stamp.safe_detail(detail) == ""
    assert stamp.safe_detail("rate_limit") == "rate_limit"


def test_a_summary_lists_counts_in_the_fixed_order() -> None:
    """Section 3.4 of the store: pairs, single spaces, zero counts left out."""
    assert stamp.summary(["working", "blocked", "working"]) == "blocked:1 working:2"
    assert stamp.summary(["unknown", "idle"]) == "idle:1 unknown:1"
    assert stamp.summary([]) == ""


def test_states_outside_the_set_count_nothing() -> None:
    """RU-1: a foreign state is not counted."""
    assert stamp.summary(["busy", "idle"]) == "idle:1"
