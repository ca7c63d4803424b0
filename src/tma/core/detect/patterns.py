"""Which regular expressions a manifest may hold (MAN-RX-3, MAN-RX-4).

A pattern is read by Python's own parser and judged by its tree; nothing is run. It is
refused if

1. it holds a back-reference, look-around, an atomic group, a possessive quantifier or a
   conditional;
2. an unbounded repeat, or a bounded one over 64, stands inside another repeat whose body does
   not begin with a character that the inner one excludes;
3. alternatives inside an unbounded repeat can begin alike;
4. it holds more than three unbounded repeats;
5. its counted repeats, multiplied out, hold more than 4096 elements.

``?`` is no repeat here.
"""

import re
import warnings
from re import _parser  # type: ignore[attr-defined]

from tma.core.detect import charset
from tma.core.detect.charset import NOTHING, CharSet
from tma.core.detect.regex import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    Tree = Sequence[tuple[Any, Any]]
    Operand = Any
    Element = tuple[str, Operand, int]

LONGEST_INNER_REPEAT = 64
MOST_UNBOUNDED = 3
MOST_ELEMENTS = 4096
UNBOUNDED = int(_parser.MAXREPEAT)

_FORBIDDEN = {
    "ASSERT": "look-around",
    "ASSERT_NOT": "look-around",
    "FAILURE": "look-around",
    "ATOMIC_GROUP": "an atomic group",
    "GROUPREF": "a back-reference",
    "GROUPREF_EXISTS": "a conditional",
    "POSSESSIVE_REPEAT": "a possessive quantifier",
}


def check(pattern: str) -> str:
    """Why a manifest may not hold the pattern, or empty if it may."""
    try:
        tree, flags = parsed(pattern)
        forbidden = _forbidden(tree)
        if forbidden:
            return f"{forbidden} is not allowed"
        compiled(pattern)
        return _costly(tree, flags)
    except re.error as error:
        return f"is no regular expression: {error}"
    except (OverflowError, RecursionError):
        return "is too large or too deeply nested"


def parsed(pattern: str) -> "tuple[Tree, int]":
    """The pattern's tree, and the flags in force at its start; no warnings (see ``regex.compiled``)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = _parser.parse(pattern)
    return tree, tree.state.flags


def nodes(tree: "Tree", flags: int) -> "Iterator[tuple[str, Operand, int]]":
    """The elements of a sequence: operation, value, and the flags in force there."""
    for operation, value in tree:
        yield str(operation), value, flags


def repeat_of(operation: str, value: "Operand") -> "tuple[int, int, Tree] | None":
    """The least count, the greatest count and the body of a repeat element, None for others."""
    if operation in ("MAX_REPEAT", "MIN_REPEAT"):
        low, high, body = value
        return int(low), int(high), body
    return None


def inner_of(operation: str, value: "Operand", flags: int) -> "list[tuple[Tree, int]]":
    """The sequences inside an element, each with its flags."""
    repeat = repeat_of(operation, value)
    if repeat:
        return [(repeat[2], flags)]
    if operation == "SUBPATTERN":
        _, added, removed, body = value
        return [(body, (flags | added) & ~removed)]
    if operation == "BRANCH":
        return [(body, flags) for body in value[1]]
    return []


def first_of(tree: "Tree", flags: int) -> tuple[CharSet, bool]:
    """The characters a sequence can begin with, and whether it can match nothing at all."""
    found = NOTHING
    for operation, value, own in nodes(tree, flags):
        first, empty = first_of_element(operation, value, own)
        found |= first
        if not empty:
            return found, False
    return found, True


def all_of(tree: "Tree", flags: int) -> CharSet:
    """Every character that a sequence can match somewhere."""
    found = NOTHING
    for operation, value, own in nodes(tree, flags):
        element = charset.of_element(operation, value, own)
        if element:
            found |= element
        for inner, inner_flags in inner_of(operation, value, own):
            found |= all_of(inner, inner_flags)
    return found


def begin_alike(alternatives: "list[Tree]", flags: int, follow: CharSet | None = None) -> bool:
    """Whether two alternatives can begin with the same character.

    The parser moves a common beginning out of the alternatives, so what is compared here is
    where they part. An empty alternative begins as ``follow`` does, with anything if that is
    not known.
    """
    seen = NOTHING
    for alternative in alternatives:
        first, empty = first_of(alternative, flags)
        if empty and follow is None:
            return True
        own = first | follow if empty and follow is not None else first
        if not own.is_apart_from(seen):
            return True
        seen |= own
    return False


def first_of_element(operation: str, value: "Operand", flags: int) -> tuple[CharSet, bool]:
    """The characters an element can begin with, and whether it can match nothing at all."""
    element = charset.of_element(operation, value, flags)
    if element:
        return element, False
    parts = [first_of(inner, inner_flags) for inner, inner_flags in inner_of(operation, value, flags)]
    found = NOTHING
    for first, _ in parts:
        found |= first
    repeat = repeat_of(operation, value)
    optional = bool(repeat and repeat[0] == 0)
    return found, optional or not parts or any(empty for _, empty in parts)


def _forbidden(tree: "Tree") -> str:
    for operation, value, flags in nodes(tree, 0):
        if operation in _FORBIDDEN:
            return _FORBIDDEN[operation]
        for inner, _ in inner_of(operation, value, flags):
            found = _forbidden(inner)
            if found:
                return found
    return ""


def _costly(tree: "Tree", flags: int) -> str:
    walk = _Walk()
    walk.visit(tree, flags, [], in_unbounded=False)
    if walk.problem:
        return walk.problem
    if walk.unbounded > MOST_UNBOUNDED:
        return f"more than {MOST_UNBOUNDED} unbounded repeats"
    return f"repeats that multiply to more than {MOST_ELEMENTS} elements" if _size(tree) > MOST_ELEMENTS else ""


def _size(tree: "Tree") -> int:
    """How many elements the sequence has with every counted repeat written out."""
    total = 0
    for operation, value, flags in nodes(tree, 0):
        repeat = repeat_of(operation, value)
        rounds = 1
        if repeat:
            low, high, _ = repeat
            rounds = low + 1 if high == UNBOUNDED else high
        total += max(rounds * sum(_size(inner) for inner, _ in inner_of(operation, value, flags)), 1)
    return total


class _Walk:
    """One pass over a pattern's tree that knows the repeats around each element."""

    __slots__ = ("problem", "unbounded")

    def __init__(self) -> None:
        self.problem = ""
        self.unbounded = 0

    def visit(self, tree: "Tree", flags: int, outer: list[tuple[CharSet, bool]], *, in_unbounded: bool) -> None:
        """Judge a sequence; ``outer`` holds what each repeat around it begins with."""
        for operation, value, own in nodes(tree, flags):
            repeat = repeat_of(operation, value)
            if repeat:
                self._visit_repeat(repeat, own, outer, in_unbounded=in_unbounded)
                continue
            if operation == "BRANCH" and in_unbounded and begin_alike(value[1], own):
                self.problem = self.problem or "alternatives inside an unbounded repeat can begin alike"
            for inner, inner_flags in inner_of(operation, value, own):
                self.visit(inner, inner_flags, outer, in_unbounded=in_unbounded)

    def _visit_repeat(
        self, repeat: "tuple[int, int, Tree]", flags: int, outer: list[tuple[CharSet, bool]], *, in_unbounded: bool
    ) -> None:
        _, high, body = repeat
        unbounded = high == UNBOUNDED
        self.unbounded += unbounded
        if high > LONGEST_INNER_REPEAT and not _is_fenced(all_of(body, flags), outer):
            kind = "an unbounded repeat" if unbounded else f"a repeat over {LONGEST_INNER_REPEAT}"
            self.problem = self.problem or f"{kind} inside another repeat that does not begin with what it excludes"
        around = [*outer, first_of(body, flags)] if high > 1 else outer
        self.visit(body, flags, around, in_unbounded=in_unbounded or unbounded)


def _is_fenced(inner: CharSet, outer: list[tuple[CharSet, bool]]) -> bool:
    return all(not empty and first.is_apart_from(inner) for first, empty in outer)
