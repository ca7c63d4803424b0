"""Assertion strings and the expressions made of them."""

import re

import pytest

from tma.core.act import assertion


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. Yes$", "1[.] Yes$"),
        ("^❯\u00a0$", "^ *❯\u00a0$"),
        ("suggest changes (esc)", "suggest changes [(]esc[)]"),
        (r"a^b\c]d", r"a\^b\\c[]]d"),
        ("%/", "[%][/]"),
        ("$x", "[$]x"),
        ("x,y:z", "x[,]y[:]z"),
    ],
)
def test_a_string_becomes_its_expression(text: str, expected: str) -> None:
    """ACT-SCR-2: letters, digits, spaces and non-ASCII stay; every other mark stands in brackets."""
    assert assertion.pattern(text) == expected
    assert assertion.problem(text) == ""


@pytest.mark.parametrize("text", ["", "^", "$", "^$", "a#b", "{", "}", "a\tb", "a\x7f", "\x9b31m", "x" * 201])
def test_a_string_that_could_break_the_guard_is_refused(text: str) -> None:
    """ACT-SCR-2, ACTM-5: braces, hashes and control characters, and a string that names nothing."""
    assert assertion.problem(text)


def test_anchors_count_only_at_the_ends() -> None:
    """ACT-SCR-2: ``^`` allows spaces before it, and neither sign acts inside."""
    assert re.search(assertion.pattern("^›"), "   › hello")
    assert not re.search(assertion.pattern("^›"), "a › hello")
    assert re.search(assertion.pattern("a^b$c"), "xa^b$cx")
    assert not re.search(assertion.pattern("Yes$"), "Yes, and")
