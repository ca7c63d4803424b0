"""Searches in step with the text."""

import re

import pytest

from tma.core.detect.automaton import MOST_READINGS, Automaton

TEXTS = ["", "a", "b\n", "\n", "ab", "a\nb", "xaby\n", "A b_c", "é1 ٣", "aaaab", "a\n\nb\n", "foo bar", "\u017fK\u212a"]


PATTERNS = [
    *("", "a", "^a", "a$", "^$", "(?m)^b$", r"\Ab", r"b\Z", r"\bfoo\b", r"a\Bb"),
    *("(?i)AB", "(?i)k", "(?i)s", "(?i:B)_", ".", "(?s)a.b", "[^a]", r"\d+", r"\w\s", r"(?a)\w+ ", r"(?a)\bé"),
    *("a*b", "a+?b", "a{2,3}b", "a{4}b", "(a?){3}b", r"a(\n[^\n]*){0,3}b", "(?:)*a"),
    *("(ab|b)y", "(a|)b", "(a|ab)(y|by)"),
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_it_finds_what_pythons_search_finds(pattern: str) -> None:
    """MAN-RX-1: the syntax means what it means in Python."""
    automaton = Automaton(pattern)

    assert [automaton.found(text) for text in TEXTS if text] == [
        re.search(pattern, text) is not None for text in TEXTS if text
    ]


def test_a_search_that_is_given_up_finds_nothing() -> None:
    """MAN-RX-6: the budget is looked at while new states are made."""
    text = "".join("ab"[number.bit_count() % 2] for number in range(5000))
    looks = []

    def gives_up() -> bool:
        looks.append(1)
        return len(looks) > 2

    assert not Automaton("a.{60}$").found(text + "b" * 61, gives_up)
    assert len(looks) == 3


def test_a_pattern_with_endless_states_stays_within_its_memory() -> None:
    """MAN-RX-6: states are dropped once they hold too many readings, and the search goes on right."""
    text = "".join("ab"[(number * number).bit_count() % 2] for number in range(3500))
    automaton = Automaton("a.{60}c")

    assert not automaton.found(text)
    assert automaton._held <= MOST_READINGS
    assert automaton.found(text + "a" * 61 + "c")
