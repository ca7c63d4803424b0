"""Texts that a match must hold."""

from typing import Any

import pytest

from tma.core.detect.needles import all_needles, flattened, next_needle, one_of, stand_in
from tma.core.detect.patterns import parsed


def elements(pattern: str) -> list[tuple[str, Any, int]]:
    """The elements of a pattern."""
    return flattened(*parsed(pattern))


@pytest.mark.parametrize(
    ("pattern", "texts", "places"),
    [
        ("abc", ["abc"], 1),
        ("a(b(?:c))d", ["abcd"], 1),
        ("[ab]c", ["ac", "bc"], 1),
        ("[^a]c", ["c"], 1),
        ("─{3}x", ["───x"], 1),
        ("(yes|no)!", ["yes!", "no!"], 1),
        (r"^\bab$", ["ab"], 1),
        ("a.bcd", ["bcd"], 1),
        ("a{0,9}bcd", ["bcd"], 10),
        ("a{0,9}bc{0,9}defghijklmnopqrstuvwxyz", ["defghijklmnopqrstuvwxyz"], 19),
        ("(?i:a)b", ["b"], 1),
        ("(?i)ab", [], 1),
        (".*", [], 1),
        ("a?", [], 1),
        ("", [], 1),
        ("x{0,500}abc", [], 1),
        ("(a|b|c)(d|e|f)(g|h|i)", ["ad", "ae", "af", "bd", "be", "bf", "cd", "ce", "cf"], 1),
    ],
)
def test_the_next_needle_is_the_one_that_narrows_most(pattern: str, texts: list[str], places: int) -> None:
    """MAN-RX-6: the longest for the number of places that it leaves, before a long stretch."""
    assert next_needle(elements(pattern)) == (texts, places)


@pytest.mark.parametrize(
    ("pattern", "needs"),
    [
        ("foo.*bar+baz", [["foo"], ["ba"], ["baz"]]),
        ("foo[^x]{0,500}bar", [["foo"], ["bar"]]),
        ("(^|\n) Do", [[" Do"]]),
        ("(foo.*x|.*bar)z", [["foo", "bar"]]),
        ("(foo|.*)z", [["z"]]),
        ("a.*b", [["a"], ["b"]]),
        ("a.*bc", [["bc"]]),
        ("(?i)foo", []),
        (".*", []),
    ],
)
def test_every_needle_of_a_pattern_is_needed(pattern: str, needs: list[list[str]]) -> None:
    """MAN-RX-6: single characters only if there is nothing longer, and none that holds another."""
    assert all_needles(elements(pattern)) == needs


def test_a_choice_has_a_needle_only_if_each_way_has_one() -> None:
    """MAN-RX-6: a way without a needle can begin anywhere."""
    assert one_of([(["a"], 1), (["b", "c"], 4)]) == (["a", "b", "c"], 4)
    assert one_of([(["a"], 1), ([], 1)]) == ([], 1)


def test_a_needle_can_stand_for_what_is_behind_it() -> None:
    """MAN-RX-6: nothing after it is looked at."""
    assert next_needle([*elements("[^x]"), stand_in((["far"], 3)), *elements("longer than that")]) == (["far"], 3)
