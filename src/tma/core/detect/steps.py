"""How many steps Python's search may take for one pattern over one text.

The plan of a pattern, made at load by ``cost``, lists what a search meets behind the place it
starts from, and is read from the back: each part multiplies or adds to the steps of what
follows it. A part is one of

- ``["settled", crosses]``: a stretch whose end the next character settles;
- ``["free", crosses, most, texts, places]``: a stretch of at most ``most`` (0: any) characters
  that may end anywhere, but has what follows only near one of the texts;
- ``["either", alike, plans]``: alternatives; only if they are alike is more than one followed;
- ``["maybe", free, plan]``: a group that may be left out; only if free are both ways followed;
- ``["rounds", crosses, most, free, texts, places, plan]``: a group repeated.

``crosses`` says whether a stretch can hold a newline, and so be as long as the whole text.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Plan: TypeAlias = list[list[Any]]

LONG = 64
"""A longer stretch is no matter of a few steps, and what can be longer counts as one."""

GROUP_STEPS = 4
"""A round of a group takes Python about as long as so many characters."""

_ENDLESS = 1 << 62


class Text:
    """What an estimate needs to know of a text: the longest stretch in a line and in all of it."""

    __slots__ = ("_text", "stretches")

    def __init__(self, text: str) -> None:
        """Measure the text."""
        self._text = text
        self.stretches = max(map(len, text.split("\n"))), len(text)

    def places(self, texts: list[str], each: int) -> int:
        """At how many places something can begin that one of the texts belongs to."""
        if not texts:
            return len(self._text)
        return min(sum(self._text.count(text) for text in texts) * each, len(self._text))


def steps(cost: "dict[str, Any]", text: Text) -> int:
    """At most so many steps, each about as long as looking at one character.

    The long stretches of starts that are apart cannot overlap: together they are as long as the
    text, and what they cost is most when they are as long as they can be.
    """
    _, whole = text.stretches
    starts = text.places(cost["head"], cost["places"])
    if not cost["apart"]:
        return whole + starts * _behind(cost["plan"], text, text.stretches, 1)
    fitting = min(starts, whole // max(text.stretches[cost["crosses"]], 1) + 1)
    stretched = fitting * _behind(cost["plan"], text, text.stretches, 1)
    return whole + stretched + starts * _behind(cost["plan"], text, (1, 1), 1)


def _behind(plan: "Plan", text: Text, stretches: tuple[int, int], rest: int) -> int:
    """The steps from the plan's beginning on, when ``rest`` are those behind its end."""
    for kind, *part in reversed(plan):
        if kind == "settled":
            rest += stretches[part[0]]
        elif kind == "free":
            crosses, most, texts, places = part
            stretch = most if 0 < most <= LONG + 1 else min(stretches[crosses], most or _ENDLESS)
            rest = stretch + min(stretch, text.places(texts, places)) * rest
        elif kind == "either":
            ways = [_behind(way, text, stretches, rest) for way in part[1]]
            rest = sum(ways) if part[0] else max(ways)
        elif kind == "maybe":
            rest = _behind(part[1], text, stretches, rest) + (rest if part[0] else 0)
        else:
            crosses, most, free, texts, places, inner = part
            stretch = most * GROUP_STEPS * _behind(inner, text, stretches, 1) or stretches[crosses] * GROUP_STEPS
            # Rounds follow one another, and nothing in them has a free choice: they walk over no character twice.
            stretch = min(stretch, text.stretches[crosses] * GROUP_STEPS)
            ends = min(most + 1 if most else stretches[crosses], text.places(texts, places)) if free else 1
            rest = stretch + ends * rest
    return rest
