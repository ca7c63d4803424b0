"""Values of a look checked on the way in."""

import pytest

from acting import NOW, facts
from tma.core import stamp
from tma.core.act.facts import FIELDS, is_call, is_command, parse


def test_a_look_gives_what_it_saw() -> None:
    """ACT-FACT-1."""
    seen = facts()
    assert (seen.agent, seen.state, seen.detail, seen.agent_pid) == ("claude", "blocked", "permission", 20)
    assert (seen.locator, seen.path, seen.title, seen.server) == (
        "work:1.0",
        "/home/u/app",
        "fix the build",
        ("box", 2),
    )


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (stamp.NAME, "Claude"),
        (stamp.NAME, "a b"),
        (stamp.NAME, "x" * 65),
        (stamp.STATE, "done"),
        (stamp.STATE, "#{?1,blocked,}"),
        (stamp.DETAIL, "a,b"),
        (stamp.SINCE, "1" * 17),
        (stamp.SINCE, "-1"),
        (stamp.PID, "12x"),
        (stamp.CONTEXT_PCT, "101"),
        (stamp.SESSION, "a b"),
        (stamp.SESSION, "../x"),
        (stamp.PERMISSION_REQUEST, "a\r\nb"),
        (stamp.PERMISSION_REQUEST, "x" * 129),
        (stamp.PENDING_CALL, "a b"),
        (stamp.PENDING_TOOL, "#{pane_id}"),
    ],
)
def test_a_value_that_fails_its_check_is_absent(key: str, value: str) -> None:
    """ACT-FACT-2: it never reaches a format, a path or an environment."""
    assert facts({key: value}).stored[key] == ""


def test_absent_values_have_their_meaning() -> None:
    """ACT-FACT-2, ACT-FACT-3: no state is unknown, no instant is 0."""
    seen = facts(dict.fromkeys((stamp.STATE, stamp.SINCE, stamp.TURN_AT, stamp.PID, stamp.CONTEXT_PCT), ""))
    assert (seen.state, seen.episode, seen.agent_pid, seen.context) == ("unknown", 0, 0, None)


def test_the_episode_is_the_later_of_since_and_turn() -> None:
    """CLK-5, ACT-FACT-3."""
    assert facts({stamp.SINCE: "5", stamp.TURN_AT: "9"}).episode == 9
    assert facts({stamp.SINCE: "9", stamp.TURN_AT: "5"}).episode == 9


@pytest.mark.parametrize(
    ("stamped", "stale"),
    [("", True), ("0", True), (NOW + 1, True), (NOW, False), (NOW - 2999, False), (NOW - 3000, True)],
)
def test_only_a_young_stamp_is_fresh(stamped: object, stale: bool) -> None:  # noqa: FBT001
    """ACT-FRESH-1."""
    assert facts({stamp.STAMPED_AT: str(stamped)}).is_stale(3000) is stale


def test_no_time_at_all_is_always_stale() -> None:
    """ACT-FRESH-1: ``freshness_secs = 0``."""
    assert facts({stamp.STAMPED_AT: str(NOW)}).is_stale(0)


@pytest.mark.parametrize("values", [[], [""] * len(FIELDS), ["%5"] * (len(FIELDS) - 1), ["%5"] * (len(FIELDS) + 1)])
def test_a_pane_that_is_not_there_gives_nothing(values: list[str]) -> None:
    """WR-7: every format of a missing pane is empty; a broken answer is no pane either."""
    assert parse(values, NOW) is None


def test_the_pending_summary_is_never_asked_for() -> None:
    """ACT-FACT-1: agent's text has no part in acting."""
    assert stamp.PENDING_SUMMARY not in FIELDS


@pytest.mark.parametrize(("text", "fits"), [("toolu_01:a.b-c", True), ("", False), ("a b", False), ("a" * 129, False)])
def test_a_call_is_a_short_plain_id(text: str, fits: bool) -> None:  # noqa: FBT001
    """ACT-BIND-1, ACT-LOG-4."""
    assert is_call(text) is fits


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("node", True),
        ("g++-12", True),
        ("2.1.220", True),
        ("a,b", False),
        ("", False),
        ("x" * 65, False),
        ("a b", False),
    ],
)
def test_a_command_may_stand_in_a_guard_only_if_it_is_plain(text: str, fits: bool) -> None:  # noqa: FBT001
    """ACT-GATE-5."""
    assert is_command(text) is fits
