"""Rows made from panes and stamps, and their orders."""

from itertools import permutations

import pytest

from detection import NOW, pane, stamp
from rows import row
from tma.core.row import AgentRow, Origin, RepoLabel, attention_order, positional_order, row_of

ORIGIN = Origin("box", "/run/tmux-1000/default")


def made(options: dict[str, str] | None = None, **stamped: object) -> AgentRow:
    """The row of a pane with these companions."""
    return row_of(pane(options), stamp("idle", **stamped), NOW, origin=ORIGIN)


def test_a_bare_stamp_gives_a_row_that_says_nothing_more() -> None:
    """JSN-5: what is absent is None, the agent of a nameless stamp is a question mark."""
    bare = made()

    assert (bare.pane, bare.agent, bare.state, bare.since, bare.episode_ms) == ("%1", "?", "idle", 0, 0)
    assert not any((bare.attention, bare.done, bare.muted))
    absent = (
        "detail", "session", "transcript", "permission_request", "stamped_at_ms", "context", "context_at_ms", "tokens",
        "quota", "cost_usd", "model", "repo", "branch", "worktree", "pending_tool", "pending_call", "pending_summary",
    )  # fmt: skip
    assert [name for name in absent if getattr(bare, name) is not None] == []


def test_a_full_stamp_lands_in_its_fields() -> None:
    """json.md section 2: the tuple's part of the row."""
    full = made(
        {"@agent_model": "m-1"},
        name="claude",
        detail="error",
        since=5,
        turn=9,
        stamped=11,
        attention=True,
        session="S1",
    )

    assert (full.agent, full.detail, full.since, full.episode_ms, full.stamped_at_ms) == ("claude", "error", 5, 9, 11)
    assert (full.attention, full.done, full.session, full.model) == (True, True, "S1", "m-1")


def test_a_row_knows_its_place_and_origin() -> None:
    """READ-5, ROW-1: locator, title, every session that shows the pane, host and server."""
    seen = pane(sessions=[("$1", "a b"), ("$4", "c")], window_index=2, pane_index=3, title="t")

    placed = row_of(seen, stamp("idle"), NOW, origin=ORIGIN)

    assert (placed.locator, placed.title, placed.sessions) == ("a b:2.3", "t", ("a b", "c"))
    assert (placed.host, placed.server) == ("box", "/run/tmux-1000/default")


def test_a_mute_counts_while_its_deadline_lies_ahead() -> None:
    """CLK-6: equal is over, unreadable is not a mute."""
    muted = [made({"@agent_mute_until": until}).muted for until in (str(NOW + 1), "9" * 14, str(NOW), "x")]

    assert muted == [True, True, False, False]


@pytest.mark.parametrize(
    ("percent", "at", "expected"),
    [
        ("42", "7", (42, 7)),
        ("0", "7", (0, 7)),
        ("42", "", (None, None)),
        ("42", "0", (None, None)),
        ("101", "7", (None, None)),
        ("", "7", (None, None)),
    ],
)
def test_a_gauge_counts_only_with_its_instant(percent: str, at: str, expected: tuple[int | None, int | None]) -> None:
    """RD-5, JSN-6: a percentage without instant, or out of range, is nothing and never 0."""
    gauge = made({"@agent_context_pct": percent, "@agent_context_at": at})

    assert (gauge.context, gauge.context_at_ms) == expected


def test_tokens_count_only_with_their_instant() -> None:
    """RD-5: a chain in flight says nothing."""
    assert made({"@agent_tokens": "9"}).tokens is None
    assert made({"@agent_tokens": "9", "@agent_tokens_at": "1"}).tokens == 9


def test_the_open_call_is_one_thing() -> None:
    """json.md section 2: call and summary are null exactly when the tool is, and may be empty."""
    stray = made({"@agent_pending_call": "c", "@agent_pending_summary": "s"})
    bare = made({"@agent_pending_tool": "Bash"})

    assert (stray.pending_tool, stray.pending_call, stray.pending_summary) == (None, None, None)
    assert (bare.pending_tool, bare.pending_call, bare.pending_summary) == ("Bash", "", "")


def test_companions_stand_in_for_the_options_that_were_read() -> None:
    """GRD-5: a row shows what will stand, not what was read."""
    seen = pane({"@agent_pending_tool": "Bash"})

    shown = row_of(seen, stamp("idle"), NOW, origin=ORIGIN, companions={"@agent_transcript": "/t"})

    assert (shown.pending_tool, shown.transcript) == (None, "/t")


def test_a_repository_gives_three_fields_together() -> None:
    """json.md section 2: repo, branch and worktree are null together."""
    label = RepoLabel("app", "HEAD", worktree=True)

    labelled = row_of(pane(), stamp("idle"), NOW, origin=ORIGIN, label=label)

    assert (labelled.repo, labelled.branch, labelled.worktree) == ("app", "HEAD", True)


def test_who_needs_a_person_longest_comes_first() -> None:
    """ORD-1 and its example: blocked 9 s, blocked 5 s, done, working, idle, unknown."""
    expected = [
        row("%1", state="blocked", since=NOW - 9000),
        row("%2", state="blocked", since=NOW - 5000),
        row("%3", state="blocked", since=0),
        row("%4", attention=True, since=NOW - 1000),
        row("%5", state="working", since=NOW - 3_600_000),
        row("%6"),
        row("%7", state="unknown"),
    ]

    for shuffled in list(permutations(expected))[::97]:
        assert attention_order(shuffled) == expected


def test_equal_ages_are_ordered_by_place() -> None:
    """ORD-1, ORD-2: session name by bytes, then window, then pane, as numbers."""
    expected = [
        row(pane_index=1, session_name="B", window_index=9),
        row(pane_index=2, session_name="a", window_index=2),
        row(pane_index=10, session_name="a", window_index=2),
        row(pane_index=0, session_name="a", window_index=10),
        row(pane_index=0, session_name="é", window_index=0),
    ]

    assert attention_order(reversed(expected)) == expected
    assert positional_order(reversed(expected)) == expected


def test_place_alone_decides_the_positional_order() -> None:
    """ORD-2: state and age do not count."""
    first, second = row(window_index=0), row(state="blocked", window_index=1)

    assert positional_order([second, first]) == [first, second]
