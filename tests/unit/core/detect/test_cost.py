"""What a pattern may cost, from its tree."""

import pytest

from tma.core.detect.cost import cost_of


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "plain text",
        "(cancel|exit) to (confirm|continue)",
        r"^\s*(> )?(\d\. )?Yes, I trust this folder",
        r"(?m)^ Esc\s{1,20}to\s{1,20}cancel\s{1,20}·",
        r"(?m)^─{10}[^\n]*\n>[^\n]*\n─{10}",
        r"^. [^·]*…( |$)",
        r"Waiting for \d+ [a-z][a-z ]* to finish",
        r"(\d{1,3}\.){3}\d{1,3}",
        "(^|- )GitHub Copilot$",
        "x(ab)*c",
    ],
)
def test_settled_choices_from_few_places_cost_nothing(pattern: str) -> None:
    """MAN-RX-6: a search that is linear whatever the text needs no second way."""
    assert cost_of(pattern) is None


@pytest.mark.parametrize(
    "pattern",
    ["(a|a){40}b", "(a?){64}b", "(a{1,2}){40}b", "(a{0,64}){9}b", "(a+$){2}", r"(\n[^\n]*){0,9}x", "(ab(c*)?){9}d"],
)
def test_a_free_choice_inside_a_repeat_has_no_plan(pattern: str) -> None:
    """MAN-RX-6: such a choice multiplies with every round."""
    cost = cost_of(pattern)

    assert cost is not None
    assert cost["plan"] is None


@pytest.mark.parametrize(
    ("pattern", "plan"),
    [
        ("a+b", [["settled", False]]),
        ("[^x]*y", [["free", True, 0, ["y"], 1]]),
        ("a.*b.*?cd", [["free", False, 0, ["b"], 1], ["free", False, 0, ["cd"], 1]]),
        ("a.*[xy]{0,9}[bc]d", [["free", False, 0, ["bd", "cd"], 10]]),
        ("a.*(b.*|c)d", [["free", False, 0, ["b", "c"], 1], ["either", False, [[["free", False, 0, [], 1]], []]]]),
        ("a.*(b|bc)d", [["free", False, 0, ["bd", "bcd"], 1]]),
        ("a.*(b+)?c", [["free", False, 0, [], 1], ["maybe", False, [["settled", False]]]]),
        ("a.*(?i:b)", [["free", False, 0, [], 1]]),
        (
            ".*(\n[^\n]*){1,9}\n─{10}",
            [["settled", False], ["rounds", True, 9, True, ["\n──────────"], 1, [["settled", False]]]],
        ),
        (".*a{0,70}ab", [["free", False, 0, [], 1], ["free", False, 71, ["ab"], 1]]),
        ("(ab)+abc.*", [["rounds", False, 0, True, ["abc"], 1, []], ["settled", False]]),
    ],
)
def test_a_plan_lists_the_stretches_and_choices_in_order(pattern: str, plan: list[object]) -> None:
    """MAN-RX-6: each with how far it can reach, and what must stand behind it."""
    cost = cost_of(pattern)

    assert cost is not None
    assert cost["plan"] == plan


@pytest.mark.parametrize(
    ("pattern", "head", "places"),
    [
        ("foo.*bar.*baz", ["foo"], 1),
        (r" {0,2}foooo.*bar", ["foooo"], 3),
        ("(x|y)z.*y.*z", ["xz", "yz"], 1),
        ("(foo.*x|bar[^z]*y)z", ["foo", "bar"], 1),
        ("(foo.*x|.*y)z", [], 1),
        (".*foo", [], 1),
        ("a?" * 5 + "b.*c", ["b"], 6),
        ("a?" * 9 + "ab.*c", [], 1),
    ],
)
def test_the_head_says_where_a_match_can_begin(pattern: str, head: list[str], places: int) -> None:
    """MAN-RX-6: the text that narrows the starts most, unless too many ways lead to it."""
    cost = cost_of(pattern)

    assert cost is not None
    assert (cost["head"], cost["places"]) == (head, places)


@pytest.mark.parametrize(
    ("pattern", "apart", "crosses"),
    [
        (r"^a.*b.*c", True, False),
        (r"(?m)^a.*b.*c", True, False),
        (r"(?m)^a[^x]*b.*c", False, True),
        (r"\n[^\n]*a[^\n]*b", True, False),
        ("a[^a]*b[^a]*c", True, True),
        ("a.*b.*c", False, False),
        ("b?a.*b.*c", False, False),
    ],
)
def test_starts_are_apart_if_no_stretch_can_hold_another_start(pattern: str, *, apart: bool, crosses: bool) -> None:
    """MAN-RX-6: then the stretches of all starts together are as long as the text."""
    cost = cost_of(pattern)

    assert cost is not None
    assert (cost["apart"], cost["crosses"]) == (apart, crosses)


@pytest.mark.parametrize(
    "pattern", [r"(.{0,64}|x)a\S", r"x?(ab|a.)(cd|c.)(ef|e.)(gh|g.)(ij|i.)(kl|k.)m", "(?:xy){0,9}x"]
)
def test_short_choices_before_each_place_cost_too(pattern: str) -> None:
    """MAN-RX-6: they are bounded, but every place of a text pays for them."""
    assert cost_of(pattern) is not None


def test_a_cost_can_be_cached() -> None:
    """PTH-16: whatever the number of free choices."""
    cost = cost_of("a?" * 300 + "b")

    assert cost is not None
    assert len(cost["plan"]) == 299
