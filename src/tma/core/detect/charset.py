"""Which characters one element of a pattern can match, as ranges of code points.

Digits and word characters are spelled out for ASCII only, so a set is known twice: ``most``
holds every character that may match, ``least`` only characters that surely do.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Operand = Any
    Ranges = list[tuple[int, int]]

LAST_CHAR = 0x10FFFF
IGNORECASE = 2
DOTALL = 16
ASCII_ONLY = 256

ONE_CHARACTER = frozenset(("ANY", "IN", "LITERAL", "NOT_LITERAL"))
"""The operations of Python's pattern tree that match exactly one character."""

_BEYOND_ASCII = (0x80, LAST_CHAR)
_NEWLINE = (10, 10)
# Spelt out: the module `string` compiles a pattern when it is loaded.
_DIGITS = "0123456789"
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ASCII_MEMBERS = {"DIGIT": _DIGITS, "WORD": f"{_LETTERS}{_DIGITS}_"}
_ASCII_SPACES = [(0x09, 0x0D), (0x20, 0x20)]
_SPACES = [
    *_ASCII_SPACES,
    *((0x1C, 0x1F), (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029)),
    *((0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000)),
]


class CharSet:
    """A set of characters with its upper and its lower bound."""

    __slots__ = ("least", "most")

    def __init__(self, most: "Ranges", least: "Ranges") -> None:
        """Keep both bounds, sorted and merged."""
        self.most = _merged(most)
        self.least = _merged(least)

    def __or__(self, other: "CharSet") -> "CharSet":
        """Every character of either set."""
        return CharSet(self.most + other.most, self.least + other.least)

    def inverted(self) -> "CharSet":
        """Every character that the set does not hold."""
        return CharSet(_complement(self.least), _complement(self.most))

    def is_apart_from(self, other: "CharSet") -> bool:
        """Whether surely no character is in both."""
        return not any(low <= last and first <= high for low, high in self.most for first, last in other.most)

    def may_hold(self, char: str) -> bool:
        """Whether the character can be in the set."""
        return any(low <= ord(char) <= high for low, high in self.most)


def of_element(operation: str, value: "Operand", flags: int) -> CharSet | None:
    """The characters of a one-character element of Python's pattern tree, None for others."""
    if operation == "ANY":
        every = CharSet([(0, LAST_CHAR)], [(0, LAST_CHAR)])
        return every if flags & DOTALL else CharSet([_NEWLINE], [_NEWLINE]).inverted()
    if operation == "LITERAL":
        return _literal(value, value, flags)
    if operation == "NOT_LITERAL":
        return _literal(value, value, flags).inverted()
    if operation == "IN":
        return _members(value, flags)
    return None


def _members(items: "list[tuple[Any, Any]]", flags: int) -> CharSet:
    inverted = str(items[0][0]) == "NEGATE"
    found = NOTHING
    for operation, value in items[1:] if inverted else items:
        name = str(operation)
        if name == "LITERAL":
            found |= _literal(value, value, flags)
        elif name == "RANGE":
            found |= _literal(value[0], value[1], flags)
        else:
            found |= _category(str(value), flags)
    return found.inverted() if inverted else found


def _literal(low: int, high: int, flags: int) -> CharSet:
    exact = [(low, high)]
    if not flags & IGNORECASE:
        return CharSet(exact, exact)
    # Case pairs reach across ASCII's border (the Kelvin sign is a k), so all beyond it may match.
    letters = [ord(char.swapcase()) for char in _LETTERS if low <= ord(char) <= high]
    return CharSet([*exact, _BEYOND_ASCII, *((code, code) for code in letters)], exact)


def _category(name: str, flags: int) -> CharSet:
    kind = name.removeprefix("CATEGORY_")
    members = kind.removeprefix("NOT_")
    if members == "SPACE":
        sure = _ASCII_SPACES if flags & ASCII_ONLY else _SPACES
        found = CharSet(sure, sure)
    else:
        sure = [(ord(char), ord(char)) for char in _ASCII_MEMBERS[members]]
        found = CharSet(sure if flags & ASCII_ONLY else [*sure, _BEYOND_ASCII], sure)
    return found.inverted() if kind.startswith("NOT_") else found


def _merged(ranges: "Ranges") -> "Ranges":
    merged: Ranges = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return merged


def _complement(ranges: "Ranges") -> "Ranges":
    gaps: Ranges = []
    start = 0
    for low, high in ranges:
        if start < low:
            gaps.append((start, low - 1))
        start = high + 1
    if start <= LAST_CHAR:
        gaps.append((start, LAST_CHAR))
    return gaps


NOTHING = CharSet([], [])
