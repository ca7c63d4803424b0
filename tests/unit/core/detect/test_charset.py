"""Character sets of pattern elements."""

import re

import pytest

from tma.core.detect.charset import NOTHING, CharSet, of_element
from tma.core.detect.patterns import nodes, parsed


def charset(pattern: str) -> CharSet:
    """The set of a pattern that is one element."""
    found = of_element(*next(nodes(*parsed(pattern))))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("pattern", "inside", "outside"),
    [
        ("a", "a", "bé"),
        ("[^a]", "b\né", "a"),
        ("[^ab]", "c", "ab"),
        (".", "aé", "\n"),
        ("(?s).", "a\n", ""),
        ("[a-c·]", "ab·", "d"),
        (r"\d", "5٣", "a"),
        (r"[^\d]", "a٣", "5"),
        (r"\s", " \n\u3000", "a"),
        (r"\S", "aé", " "),
        (r"[^\w·]", "-", "a_·"),
        ("(?i)k", "kK\u212a", "j"),
        ("(?i)[a-c]", "aB", "d"),
    ],
)
def test_a_set_may_hold_what_its_element_matches(pattern: str, inside: str, outside: str) -> None:
    """MAN-RX-4: the larger bound holds every match; beyond ASCII a category may hold anything."""
    found = charset(pattern)

    assert all(found.may_hold(char) for char in inside)
    assert not any(found.may_hold(char) for char in outside)


CHARS = [*map(chr, range(0x3100)), "\U0001f600", "\U0010ffff"]


@pytest.mark.parametrize(
    "pattern",
    [
        "a",
        "[^a]",
        ".",
        "(?s).",
        r"\d",
        r"\D",
        r"[^\d]",
        r"\w",
        r"\W",
        r"[^\W_]",
        "(?i)s",
        "(?i)[^k]",
        "[!-~]",
        r"[\s·]",
        r"[^\S\n]",
    ],
)
def test_both_bounds_hold_for_every_character(pattern: str) -> None:
    """MAN-RX-4: what matches is within the larger bound, what is within the smaller bound matches."""
    found = charset(pattern)
    sure = CharSet(found.least, [])
    matching = {char for char in CHARS if re.match(pattern, char)}

    assert matching <= {char for char in CHARS if found.may_hold(char)}
    assert {char for char in CHARS if sure.may_hold(char)} <= matching


@pytest.mark.parametrize("pattern", [r"\s", r"\S", r"[^\s]", r"(?a)\s", r"(?a)\S"])
def test_blanks_are_known_exactly(pattern: str) -> None:
    """MAN-RX-4: patterns of screens are full of them, so their set is spelled out."""
    found = charset(pattern)

    assert {char for char in CHARS if found.may_hold(char)} == {char for char in CHARS if re.match(pattern, char)}


def test_sets_are_apart_only_if_that_is_sure() -> None:
    """MAN-RX-4: a category and a letter beyond ASCII may meet."""
    assert charset(r"\s").is_apart_from(charset("x"))
    assert charset(r"[^\n]").is_apart_from(charset(r"\n"))
    assert charset(r"\s").is_apart_from(charset("·"))
    assert not charset(r"\s").is_apart_from(charset(r"\xa0"))
    assert not charset(r"\w").is_apart_from(charset("·"))
    assert charset(r"[^\s]").is_apart_from(charset(r"\u3000"))
    assert NOTHING.is_apart_from(charset("(?s)."))


def test_an_element_that_takes_no_single_character_has_no_set() -> None:
    """MAN-RX-4: anchors and groups are read by other rules."""
    assert of_element(*next(nodes(*parsed("^")))) is None
    assert of_element(*next(nodes(*parsed("(ab)")))) is None
