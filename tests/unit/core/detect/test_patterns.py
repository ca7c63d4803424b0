"""Which patterns a manifest may hold."""

import pytest

from tma.core.detect.patterns import check


@pytest.mark.parametrize(
    ("pattern", "construct"),
    [
        (r"(a)\1", "a back-reference"),
        (r"(?P<n>a)(?P=n)", "a back-reference"),
        ("(?=a)", "look-around"),
        ("(?!a)", "look-around"),
        ("(?!)", "look-around"),
        ("(?<=a)b", "look-around"),
        ("(?<!a)b", "look-around"),
        ("(?>a)", "an atomic group"),
        ("a*+", "a possessive quantifier"),
        ("a?+", "a possessive quantifier"),
        ("a{1,2}+", "a possessive quantifier"),
        ("(a)?(?(1)b|c)", "a conditional"),
        ("(x|(y(?=a))*)", "look-around"),
    ],
)
def test_a_forbidden_construct_is_refused_by_name(pattern: str, construct: str) -> None:
    """MAN-RX-3: the construct is named, wherever it stands."""
    assert check(pattern) == f"{construct} is not allowed"


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$",
        "(.*,){20}x",
        "(a{65}){9}",
        "(a*)*",
        "((a*b)*c){2}",
        r"(\n?[^\n]*)*",
        r"(\s[^\n]*){0,9}",
        "(?:x*?)+?",
        "(?i)(K[^k]*)*",
    ],
)
def test_a_repeat_inside_a_repeat_that_is_not_fenced_is_refused(pattern: str) -> None:
    """MAN-RX-4: the outer body must begin with a character that the inner repeat excludes."""
    assert "inside another repeat that does not begin with what it excludes" in check(pattern)


@pytest.mark.parametrize("pattern", ["(a|a)*b", "(a|ab)*c", "(a|[^b])+x", "(x?|a)*", r"(\w1|é2)+", "((b|bc)d)*"])
def test_alternatives_that_begin_alike_inside_an_unbounded_repeat_are_refused(pattern: str) -> None:
    """MAN-RX-4: the search could take either."""
    assert check(pattern) == "alternatives inside an unbounded repeat can begin alike"


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("a+b*c+?d{2,}", "more than 3 unbounded repeats"),
        ("(a+|b+|c+|d+)", "more than 3 unbounded repeats"),
        ("((a{64}){64}){64}", "repeats that multiply to more than 4096 elements"),
        ("(a", "is no regular expression: missing ), unterminated subpattern at position 0"),
        ("[", "is no regular expression: unterminated character set at position 0"),
        ("*a", "is no regular expression: nothing to repeat at position 0"),
        ("a{99999999999}", "is too large or too deeply nested"),
        ("(" * 2000 + ")" * 2000, "is too large or too deeply nested"),
    ],
)
def test_a_pattern_past_a_limit_or_no_pattern_is_refused(pattern: str, reason: str) -> None:
    """MAN-RX-1, MAN-RX-4: three unbounded repeats at most, a bounded size, Python's syntax."""
    assert check(pattern) == reason


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "^$",
        r"(\n[^\n]*){0,9}",
        r"(?m)^─{10}[^\n]*\n❯[^\n]*(\n[^\n]*){0,9}\n─{10}",
        "a+b+c+",
        "(a|ab)c",
        "(a|a){9}b",
        "(ab|cd)*x",
        "(a*)?",
        "(a*){0,1}",
        "a{70}",
        "(x{64}){9}",
        "(a?)+",
        r"(\d{1,3}\.){3}\d{1,3}",
        "(?i:esc) to (?P<what>cancel|interrupt)",
        "(?s).*",
        r"[\u2800-\u28FF]",
        "[[(]y/n[])]",
    ],
)
def test_an_ordinary_pattern_passes(pattern: str) -> None:
    """MAN-RX-1, MAN-RX-4: `?` is no repeat, and what follows a fence is bounded."""
    assert check(pattern) == ""


@pytest.mark.parametrize("pattern", ["[[a]", "[^[a]", "[a&&b]", "[a||b]", "[a~~b]", "[+--b]"])
def test_a_set_that_python_warns_about_is_checked_in_silence(pattern: str) -> None:
    """MAN-RX-1: such a set is Python's syntax too; warnings are errors in this suite."""
    assert check(pattern) == ""
