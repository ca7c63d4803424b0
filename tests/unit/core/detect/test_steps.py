"""Steps of a search over a text."""

from typing import Any

import pytest

from tma.core.detect.steps import Text, steps

TEXT = "x" * 20 + "\n" + "y" * 79
"""A hundred characters, the longest line 79."""


def cost(
    plan: list[Any], *, head: list[str] | None = None, apart: bool = False, crosses: bool = False
) -> dict[str, Any]:
    """A cost with that plan."""
    return {"plan": plan, "head": head or [], "places": 1, "apart": apart, "crosses": crosses}


@pytest.mark.parametrize(
    ("plan", "behind"),
    [
        ([], 1),
        ([["settled", False]], 79 + 1),
        ([["settled", True]], 100 + 1),
        ([["free", False, 0, [], 1]], 79 + 79),
        ([["free", False, 9, [], 1]], 9 + 9),
        ([["free", True, 0, ["\n"], 1]], 100 + 1),
        ([["free", True, 0, ["\n"], 3]], 100 + 3),
        ([["free", True, 0, ["x", "\n"], 1]], 100 + 21),
        ([["free", False, 0, [], 1], ["settled", False]], 79 + 79 * 80),
        ([["either", True, [[], [["settled", False]]]]], 1 + 80),
        ([["either", False, [[], [["settled", False]]]]], 80),
        ([["maybe", True, []]], 2),
        ([["maybe", False, [["settled", False]]]], 80),
        ([["maybe", True, [["settled", False]]]], 81),
        ([["rounds", True, 1, False, [], 1, [["settled", False]]]], 4 * 1 * 80 + 1),
        ([["rounds", True, 1, True, [], 1, [["settled", False]]]], 4 * 1 * 80 + 2),
        ([["rounds", True, 9, False, [], 1, [["settled", False]]]], 4 * 100 + 1),
        ([["rounds", True, 9, True, [], 1, [["settled", False]]]], 4 * 100 + 10),
        ([["rounds", True, 4, True, ["\n"], 1, []]], 4 * 4 + 1),
        ([["rounds", True, 0, False, [], 1, []]], 4 * 100 + 1),
        ([["rounds", True, 0, True, [], 1, []]], 4 * 100 + 100),
    ],
)
def test_each_part_of_a_plan_adds_or_multiplies(plan: list[Any], behind: int) -> None:
    """MAN-RX-6: read from the back; a text that must follow bounds the places that count."""
    assert steps(cost(plan), Text(TEXT)) == 100 + 100 * behind


def test_a_head_bounds_the_starts() -> None:
    """MAN-RX-6: where the head's text is not, no search begins."""
    assert steps(cost([["settled", False]], head=["x"]), Text(TEXT)) == 100 + 20 * 80
    assert steps(cost([["settled", False]], head=["z"]), Text(TEXT)) == 100


def test_starts_that_are_apart_share_the_text() -> None:
    """MAN-RX-6: as many as whole stretches fit, and the rest of their steps for each start."""
    assert steps(cost([["settled", False]], apart=True), Text(TEXT)) == 100 + 2 * 80 + 100 * 2
    assert steps(cost([["settled", True]], apart=True, crosses=True), Text(TEXT)) == 100 + 2 * 101 + 100 * 2


def test_an_empty_text_costs_nothing() -> None:
    """MAN-RX-6: no start, no stretch."""
    assert steps(cost([["settled", False]], apart=True), Text("")) <= 1
