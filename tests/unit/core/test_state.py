"""The closed sets and the small grammars."""

import pytest

from tma.core import state


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("17", 17),
        ("", None),
        ("1" * 17, None),
        ("-1", None),
        ("²", None),
        ("9007199254740992", None),
        ("9007199254740991", 2**53 - 1),
    ],
)
def test_a_stored_number_is_a_short_plain_decimal_or_nothing(text: str, value: int | None) -> None:
    """SEC-R-1: 16 digits, 0 to 2^53-1."""
    assert state.number(text) == value


@pytest.mark.parametrize("text", ["%0", "%123456789"])
def test_a_pane_id_is_a_percent_sign_and_digits(text: str) -> None:
    """CLI-5: the accepted form."""
    assert state.is_pane_id(text)


@pytest.mark.parametrize("text", ["", "%", "0", "%1234567890", "%1a", "%٣", "#{pane_id}", "% 1", "%-1", "%0001", "%00"])
def test_anything_else_is_no_pane_id(text: str) -> None:
    """CLI-5: refused, an unexpanded format included."""
    assert not state.is_pane_id(text)


def test_only_an_idle_pane_with_the_mark_is_done() -> None:
    """ATN-2: one definition."""
    assert state.class_of("idle", marked=True) == "done"
    assert state.class_of("idle", marked=False) == "idle"
    assert state.class_of("blocked", marked=True) == "blocked"


def test_ids_and_tokens_keep_to_their_alphabets() -> None:
    """Token grammar and ACT-FACT-2: what may leave the store as an id or a name."""
    assert state.is_id("toolu_01-A")
    assert not state.is_id("a b")
    assert not state.is_id("x" * 129)
    assert state.is_token("a-b_1")
    assert not state.is_token("A")
    assert not state.is_token("")
