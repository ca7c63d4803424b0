"""How much work Python's backtracking search may do for a pattern, from its tree alone.

A choice is *free* if the next character does not settle it: a repeat whose body and follower
can begin alike, or alternatives that can. A settled choice never costs a second try. What free
choices cost depends on the text and is reckoned by ``steps`` from the plan made here; but one
inside a repeat multiplies with every round, and such a pattern has no plan.
"""

from tma.core.detect.charset import NOTHING, ONE_CHARACTER, CharSet
from tma.core.detect.needles import all_needles, flattened, next_needle, one_of, stand_in
from tma.core.detect.patterns import (
    UNBOUNDED,
    all_of,
    begin_alike,
    first_of,
    first_of_element,
    inner_of,
    parsed,
    repeat_of,
)
from tma.core.detect.steps import LONG, Text, steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tma.core.detect.needles import Needle
    from tma.core.detect.patterns import Element, Tree
    from tma.core.detect.steps import Plan

MULTILINE = 8
LINEAR = 32
MOST_WAYS = 64
WORST_LENGTH = 1 << 16


def cost_of(pattern: str) -> "dict[str, Any] | None":
    """What a checked pattern may cost in the form that ``search`` reads; None if it is linear in any text.

    ``needs`` are lists of texts, and every match holds a text of each; ``plan`` is None for a
    pattern that only an automaton may search.
    """
    tree, flags = parsed(pattern)
    elements = flattened(tree, flags)
    planner = _Planner()
    plan, (head, places) = planner.plan(elements, NOTHING, in_repeat=False)
    needs = all_needles(elements)
    if planner.hopeless:
        return {"needs": needs, "plan": None}
    apart = _starts_apart(elements, planner.reach)
    cost = {"apart": apart, "crosses": planner.reach.may_hold("\n"), "plan": plan, "head": head, "places": places}
    return {"needs": needs, **cost} if steps(cost, _Worst()) > LINEAR * WORST_LENGTH else None


class _Worst(Text):
    """A text of some length that lets everything happen everywhere."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("")
        self.stretches = WORST_LENGTH, WORST_LENGTH

    def places(self, texts: list[str], each: int) -> int:
        del texts, each
        return WORST_LENGTH


class _Planner:
    """Plans of sequences; what its unbounded repeats reach, and whether it is hopeless, add up."""

    __slots__ = ("hopeless", "reach")

    def __init__(self) -> None:
        self.hopeless = False
        self.reach = NOTHING

    def plan(self, elements: "list[Element]", follow: CharSet, *, in_repeat: bool) -> "tuple[Plan, Needle]":
        """The plan of a sequence that ``follow`` comes after, and the needle at its beginning.

        A needle behind many ways would be no help: the search may try them all before it misses
        the needle.
        """
        parts: Plan = []
        near: list[Element] = []
        ways = 1
        for element in reversed(elements):
            part, instead = self._part(element, near, follow, in_repeat=in_repeat)
            ways *= _ways_through(part)
            near, ways = ([element, *near], ways) if ways <= MOST_WAYS else (instead, 1)
            parts[:0] = [part] if part else []
            first, empty = first_of_element(*element)
            follow = first | follow if empty else first
        return parts, next_needle(near)

    def _part(
        self, element: "Element", near: "list[Element]", follow: CharSet, *, in_repeat: bool
    ) -> "tuple[list[Any], list[Element]]":
        """The part of an element, empty if it is settled and short, and what stands for it as a needle."""
        operation, value, flags = element
        if operation == "BRANCH":
            alike = begin_alike(value[1], flags, follow)
            self.hopeless = self.hopeless or (alike and in_repeat)
            ways = [self.plan(flattened(*inner), follow, in_repeat=in_repeat) for inner in inner_of(*element)]
            needed = alike or any(plan for plan, _ in ways)
            part = ["either", alike, [plan for plan, _ in ways]] if needed else []
            return part, [stand_in(one_of([needle for _, needle in ways]))]
        repeat = repeat_of(operation, value)
        return (self._repeat(repeat, flags, near, follow, in_repeat=in_repeat) if repeat else []), []

    def _repeat(
        self, repeat: "tuple[int, int, Tree]", flags: int, near: "list[Element]", follow: CharSet, *, in_repeat: bool
    ) -> "list[Any]":
        low, high, body = repeat
        first, empty = first_of(body, flags)
        # What matches nothing can be left out in two ways.
        free = low != high and (empty or not first.is_apart_from(follow))
        self.hopeless = self.hopeless or (free and in_repeat) or (empty and high > 1)
        if high > LONG:
            self.reach |= all_of(body, flags)
        inner = flattened(body, flags)
        if high <= 1:
            plan, _ = self.plan(inner, follow, in_repeat=in_repeat)
            return ["maybe", free, plan] if free or plan else []
        crosses = all_of(body, flags).may_hold("\n")
        most = 0 if high == UNBOUNDED else high
        if len(inner) == 1 and inner[0][0] in ONE_CHARACTER:
            settled = ["settled", crosses] if high > LONG else []
            return ["free", crosses, most and most - low + 1, *next_needle(near)] if free else settled
        plan, _ = self.plan(inner, first | follow, in_repeat=True)
        return ["rounds", crosses, most, free, *next_needle(near), plan]


def _ways_through(part: "list[Any]") -> int:
    """How many ways there are through a part whose length has a small bound; too many for others."""
    if not part:
        return 1
    kind = part[0]
    if kind == "either" and not any(part[2]):
        return len(part[2])
    if kind == "maybe" and not part[2]:
        return 2
    return part[2] if kind == "free" and part[2] else MOST_WAYS + 1


def _starts_apart(elements: "list[Element]", reach: CharSet) -> bool:
    """Whether no long stretch can hold a second place to start from."""
    if elements and elements[0][0] == "AT" and str(elements[0][1]).startswith("AT_BEGINNING"):
        return not elements[0][2] & MULTILINE or not reach.may_hold("\n")
    found = NOTHING
    for element in elements:
        first, empty = first_of_element(*element)
        found |= first
        if not empty:
            return found.is_apart_from(reach)
    return False
