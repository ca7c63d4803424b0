"""Regions and matchers of screen rules."""

import re
from typing import Any

import pytest

from tma.core.detect.fields import Table
from tma.core.detect.matchers import DEEPEST, parse_match, parse_region, patterns_in
from tma.core.errors import ManifestError


def rule(**data: object) -> Table:
    """A rule's table."""
    return Table("f.toml", "rules[0]", data, None)


def matcher(value: object) -> dict[str, Any]:
    """A rule's matcher in its plain form."""
    return parse_match(rule(match=value), "state idle, priority 3")


@pytest.mark.parametrize(
    ("text", "region"),
    [
        ("tail_lines(0)", ["tail_lines", 0]),
        ("bottom_non_empty_lines(2000)", ["bottom_non_empty_lines", 2000]),
        ("visible", ["visible", 0]),
        ("title", ["title", 0]),
    ],
)
def test_a_region_is_its_kind_and_count(text: str, region: list[object]) -> None:
    """MAN-RGN-1: N is 0 to 2000, and only the first two kinds have one."""
    assert parse_region(rule(region=text)) == region


@pytest.mark.parametrize(
    "text", ["", "tail_lines", "tail_lines()", "tail_lines(-1)", "tail_lines(2001)", "tail_lines(3", "visible(3)",
             "tail_lines(٣)", "tail_lines( 3)", "title ", "screen"]
)  # fmt: skip
def test_another_region_is_refused(text: str) -> None:
    """MAN-RGN-1: the error names what may stand there."""
    with pytest.raises(ManifestError, match=r"rules\[0\]\.region: .* is none of tail_lines\(N\), .*, visible, title"):
        parse_region(rule(region=text))


@pytest.mark.parametrize(
    "value",
    [
        {"contains": "x"},
        {"regex": "(?m)^x"},
        {"line_regex": "^x$"},
        {"any": []},
        {"all": [{"contains": "x"}, {"not": {"contains": "y"}}]},
        {"last_line": {"among": "^x", "is": {"any": [{"regex": "y"}]}}},
    ],
)
def test_each_form_keeps_its_shape(value: dict[str, Any]) -> None:
    """MAN-MATCH-1: the plain form of a matcher is its table."""
    assert matcher(value) == value


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({}, "match: needs exactly one of contains, regex, line_regex, any, all, not, last_line"),
        ({"contains": "x", "regex": "y"}, "match: needs exactly one of"),
        ({"like": "x"}, "match.like: unknown key"),
        ("x", "match: is a string, not a table"),
        ({"contains": 1}, "match.contains: is an integer, not a string"),
        ({"any": {"contains": "x"}}, "match.any: is a table, not an array of matchers"),
        ({"all": ["x"]}, "match.all[0]: is a string, not a table"),
        ({"not": []}, "match.not: is an array, not a table"),
        ({"last_line": {"among": "x"}}, "match.last_line.is: is missing"),
        ({"last_line": {"is": {"contains": "x"}}}, "match.last_line.among: is missing"),
        ({"all": [{"regex": "(a+)+$"}]}, "match.all[0].regex: pattern '(a+)+$' (state idle, priority 3): "),
        ({"last_line": {"among": "[", "is": {"contains": "x"}}}, "match.last_line.among: pattern '['"),
    ],
)
def test_a_malformed_matcher_is_refused_by_its_place(value: object, problem: str) -> None:
    """MAN-MATCH-1, MAN-RX-7: rule index, place inside the matcher, state, priority and pattern are named."""
    with pytest.raises(ManifestError, match=rf"^f\.toml: rules\[0\]\.{re.escape(problem)}"):
        matcher(value)


def nested(depth: int) -> dict[str, Any]:
    """A matcher with that many levels."""
    value: dict[str, Any] = {"contains": "x"}
    for _ in range(depth - 1):
        value = {"not": value}
    return value


def test_sixteen_levels_pass_and_seventeen_do_not() -> None:
    """MAN-MATCH-1: depth at most 16."""
    assert matcher(nested(DEEPEST)) == nested(DEEPEST)
    with pytest.raises(ManifestError, match="is nested deeper than 16"):
        matcher(nested(DEEPEST + 1))


def test_every_pattern_of_a_matcher_is_found() -> None:
    """MAN-RX-6: no pattern goes without its cost."""
    value = {
        "any": [{"not": {"regex": "a"}}, {"last_line": {"among": "b", "is": {"line_regex": "c"}}}, {"contains": "d"}]
    }

    assert list(patterns_in(value)) == ["a", "b", "c"]
