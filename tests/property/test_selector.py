"""Selectors over any row and any list."""

from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from rows import row
from tma.core.row import AgentRow, attention_order, positional_order
from tma.core.selector import TOKENS, Selection, parse_states, state_matches
from tma.core.state import ATTENTION_ORDER

_NAMES = st.sampled_from(["a", "A", "a b", "", "é", "*", "\udcff"])
_ROWS = st.builds(
    lambda state, attention, since, place, **names: row(
        state=state,
        attention=attention,
        since=since,
        session_name=place[0],
        window_index=place[1],
        pane_index=place[2],
        **names,
    ),
    st.sampled_from(["idle", "working", "blocked", "unknown"]),
    st.booleans(),
    st.integers(0, 5),
    st.tuples(_NAMES, st.integers(0, 12), st.integers(0, 12)),
    agent=_NAMES,
    repo=st.none() | _NAMES,
    branch=st.none() | _NAMES,
    sessions=st.lists(_NAMES, max_size=3).map(tuple),
)
_SELECTIONS = st.builds(
    Selection,
    session=st.none() | _NAMES,
    repo=st.none() | _NAMES,
    branch=st.none() | _NAMES,
    agent=st.none() | _NAMES,
    states=st.none() | st.frozensets(st.sampled_from(TOKENS), min_size=1),
)


@given(st.lists(st.tuples(st.sampled_from([*TOKENS, ""]), st.integers(0, 2), st.integers(0, 2)), min_size=1))
def test_any_spelling_of_a_list_gives_its_tokens(pieces: list[tuple[str, int, int]]) -> None:
    """SEL-2: round trip; spaces, empty pieces and repeats change nothing."""
    text = ",".join(" " * before + token + " " * behind for token, before, behind in pieces)
    tokens = {token for token, _, _ in pieces} - {""}

    try:
        assert parse_states(text) == tokens
    except ValueError:
        assert not tokens


@given(st.text())
def test_any_text_is_a_list_of_states_or_refused(text: str) -> None:
    """SEL-2: never another error."""
    with suppress(ValueError):
        assert parse_states(text) <= set(TOKENS)


@given(_SELECTIONS, _ROWS)
def test_a_selection_is_the_conjunction_of_its_parts(selection: Selection, one: AgentRow) -> None:
    """SEL-1: different options AND."""
    parts = [
        Selection(**{name: value}) for name in Selection.__slots__ if (value := getattr(selection, name)) is not None
    ]

    assert selection.matches(one) is all(part.matches(one) for part in parts)


@given(_ROWS)
def test_every_row_is_in_exactly_one_class(one: AgentRow) -> None:
    """SEL-3, ORD-3: and matches the token of its class."""
    assert one.shown_class in ATTENTION_ORDER
    assert state_matches(one, frozenset({one.shown_class}))
    assert one.done is (one.shown_class == "done")


@given(st.lists(_ROWS, max_size=8), _SELECTIONS)
def test_orders_keep_every_row_and_choosing_keeps_the_order(rows: list[AgentRow], selection: Selection) -> None:
    """ORD-1, ORD-2, ROW-4: a sort loses nothing, a choice moves nothing."""
    ordered = attention_order(rows)

    assert sorted(map(id, ordered)) == sorted(map(id, rows))
    assert sorted(map(id, positional_order(rows))) == sorted(map(id, rows))
    assert [ATTENTION_ORDER.index(one.shown_class) for one in ordered] == sorted(
        ATTENTION_ORDER.index(one.shown_class) for one in rows
    )
    assert selection.choose(ordered) == [one for one in ordered if selection.matches(one)]
