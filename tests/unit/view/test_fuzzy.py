"""Matching and its scores."""

import pytest

from tma.view.fuzzy import Haystack, match, parse


def score(text: str, query: str) -> int | None:
    """The score of a text, None where it does not match."""
    found = match(Haystack(text), parse(query))
    return None if found is None else found.score


def marks(text: str, query: str) -> str:
    """The matched letters."""
    found = match(Haystack(text), parse(query))
    assert found is not None
    return "".join(text[at] for at in sorted(found.marks))


@pytest.mark.parametrize(
    ("text", "query", "matches"),
    [
        ("claude work:1.0", "cw", True),
        ("claude work:1.0", "wc", False),
        ("claude work", "'ude", True),
        ("claude work", "'cde", False),
        ("claude work", "^cla", True),
        ("claude work", "^work", False),
        ("claude work", "work$", True),
        ("claude work", "claude$", False),
        ("claude", "^claude$", True),
        ("claude work", "^claude$", False),
        ("claude work", "!pi", True),
        ("claude work", "!clau", False),
        ("claude work", "!cw", True),
        ("claude work", "cl wo", True),
        ("claude work", "cl pi", False),
        ("two words", r"two\ words", True),
        ("twowords", r"two\ words", False),
        ("a!b", "!", True),
        ("ab", "!", False),
        ("cost $5", "$", True),
        ("x^y", "^", True),
        ("it's", "'", True),
        ("anything", "", True),
        ("anything", "   ", True),
    ],
)
def test_operators_decide_what_matches(text: str, query: str, *, matches: bool) -> None:
    """QRY-2."""
    assert (score(text, query) is not None) is matches


@pytest.mark.parametrize(
    ("text", "query", "matches"),
    [
        ("Claude", "claude", True),
        ("claude", "Claude", False),
        ("Überblick", "uber", True),
        ("Uberblick", "über", False),
        ("Überblick", "über", True),
        ("cafe\u0301 bar", "cafeb", True),
        ("straße", "strasse", False),
    ],
)
def test_case_and_accents_count_only_where_they_are_typed(text: str, query: str, *, matches: bool) -> None:
    """QRY-3."""
    assert (score(text, query) is not None) is matches


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("abc", "a", 16 + 10),
        ("xabc", "a", 16),
        ("abc", "ab", 16 + 10 + 16 + 8),
        ("axb", "ab", 16 + 10 + 16 - 3),
        ("axxb", "ab", 16 + 10 + 16 - 4),
        ("a-b", "ab", 16 + 10 + 16 + 10 - 3),
        ("abc", "'ab", 16 + 10 + 16 + 8),
        ("xaab aab", "'aa", 16 + 10 + 16 + 8),
        ("abc", "!x", 0),
        ("ab cd", "a c", 52),
    ],
)
def test_a_score_is_that_of_the_best_alignment(text: str, query: str, expected: int) -> None:
    """QRY-4."""
    assert score(text, query) == expected


def test_the_letters_of_the_best_alignment_are_marked() -> None:
    """QRY-4: not the first letters that fit."""
    found = match(Haystack("c-x-claude"), parse("cla"))
    assert found is not None
    assert sorted(found.marks) == [4, 5, 6]
    assert marks("Überblick", "ub") == "Üb"
