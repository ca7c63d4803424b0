"""The selector grammar and what it matches."""

import pytest

from rows import row
from tma.core.row import AgentRow
from tma.core.selector import Selection, parse_states, state_matches


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("idle", {"idle"}),
        (" blocked , done ", {"blocked", "done"}),
        (",working,,working,", {"working"}),
        ("idle,working,blocked,unknown,done", {"idle", "working", "blocked", "unknown", "done"}),
    ],
)
def test_a_state_list_is_read_with_spaces_and_empty_tokens(text: str, states: set[str]) -> None:
    """SEL-2: spaces around a token are ignored, empty tokens skipped, duplicates collapsed."""
    assert parse_states(text) == states


@pytest.mark.parametrize("text", ["", ",", " , ", "Idle", "idle;done", "i d l e", "idle,busy", "idle\t"])
def test_a_list_without_a_known_token_is_refused_naming_the_five(text: str) -> None:
    """SEL-2: no token, or an unknown one."""
    with pytest.raises(ValueError, match="idle, working, blocked, unknown, done"):
        parse_states(text)


@pytest.mark.parametrize(
    ("chosen", "tokens"),
    [
        (row(), {"idle"}),
        (row(attention=True), {"idle", "done"}),
        (row(state="blocked", attention=True), {"blocked"}),
        (row(state="working"), {"working"}),
        (row(state="unknown"), {"unknown"}),
    ],
)
def test_idle_includes_done_and_done_is_idle_with_attention(chosen: AgentRow, tokens: set[str]) -> None:
    """SEL-3: a blocked pane carries the mark too and is not done."""
    matching = {
        token
        for token in ("idle", "working", "blocked", "unknown", "done")
        if state_matches(chosen, frozenset({token}))
    }

    assert matching == tokens


def test_no_selector_selects_every_row() -> None:
    """SEL-1."""
    assert Selection().matches(row())


def test_selectors_must_all_hold_and_compare_exactly() -> None:
    """SEL-1: exact, case-sensitive, no patterns; different options AND."""
    one = row(repo="app", branch="main", sessions=("work",))

    assert Selection(session="work", repo="app", branch="main", agent="claude").matches(one)
    assert not Selection(session="work", agent="codex").matches(one)
    for wrong in ("Work", "wor", "w*", "work "):
        assert not Selection(session=wrong).matches(one)


def test_a_pane_matches_every_session_that_shows_it() -> None:
    """FC-29, ORD-4: one row, whichever of its sessions is named."""
    shared = row(sessions=("a", "b", "c"))

    assert all(Selection(session=name).matches(shared) for name in "abc")
    assert not Selection(session="work").matches(shared)


def test_a_row_without_repository_matches_neither_repo_nor_branch() -> None:
    """SEL-4."""
    assert not Selection(repo="app").matches(row())
    assert not Selection(branch="HEAD").matches(row())
    assert Selection(branch="HEAD").matches(row(repo="app", branch="HEAD"))


def test_only_repo_and_branch_need_labels() -> None:
    """SEL-6."""
    assert Selection(repo="a").needs_labels
    assert Selection(branch="b").needs_labels
    assert not Selection(session="s", agent="a", states=frozenset({"idle"})).needs_labels


def test_choosing_keeps_the_order() -> None:
    """ROW-4: a selector narrows rows and leaves their order."""
    rows = [row("%3"), row("%1", "codex"), row("%2")]

    assert Selection(agent="claude").choose(rows) == [rows[0], rows[2]]
