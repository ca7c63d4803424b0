"""A captured screen as styled text: the colors that it may have, and nothing else that it asks for (PRV-3)."""

from tma.core.screen import ESCAPE, end_of_sequence
from tma.core.text import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tma.view.palette import Fragment

_ON = {1: "bold", 2: "dim", 3: "italic", 4: "underline", 7: "reverse"}
_OFF = {22: ("bold", "dim"), 23: ("italic",), 24: ("underline",), 27: ("reverse",), 39: ("fg",), 49: ("bg",)}
_EXTENDED = {38: "fg", 48: "bg", 58: ""}
_INDEXED, _RGB = 5, 2
_PARTS = {_INDEXED: 1, _RGB: 3}
_MOST = 255


class Pen:
    """The style in force while a screen is read."""

    __slots__ = ("_words",)

    def __init__(self) -> None:
        """Start with the terminal's own style."""
        self._words: dict[str, str] = {}

    @property
    def style(self) -> str:
        """The style as words, in an order that does not depend on how it came about."""
        return " ".join(self._words[key] for key in sorted(self._words))

    def apply(self, parameters: str) -> None:
        """Take over the parameters of an SGR sequence."""
        numbers = iter([_number(part) for part in parameters.split(";")])
        for code in numbers:
            if code in _EXTENDED:
                self._extended(_EXTENDED[code], numbers)
            elif code is not None:
                self._simple(code)

    def _simple(self, code: int) -> None:
        if code == 0:
            self._words.clear()
        elif code in _ON:
            self._words[_ON[code]] = _ON[code]
        for key in _OFF.get(code, ()):
            self._words.pop(key, None)
        for key, first, base in (("fg", 30, 0), ("bg", 40, 0), ("fg", 90, 8), ("bg", 100, 8)):
            if first <= code < first + 8:
                self._words[key] = f"{key}:{base + code - first}"

    def _extended(self, key: str, numbers: "Iterator[int | None]") -> None:
        """A color by index or by its parts; one that is not whole changes nothing."""
        kind = next(numbers, None)
        parts = [next(numbers, None) for _ in range(_PARTS.get(kind or 0, 0))]
        known = [min(part, _MOST) for part in parts if part is not None]
        if not key or not parts or len(known) < len(parts):
            return
        self._words[key] = f"{key}:{known[0]}" if kind == _INDEXED else f"{key}:#{bytes(known).hex()}"


def styled(lines: "Iterable[str]") -> "list[tuple[Fragment, ...]]":
    """The lines of a capture without blank ones at the end; style runs on across lines (PRV-2)."""
    pen = Pen()
    shown = [tuple(_fragments(line, pen)) for line in lines]
    while shown and not any(text.strip() for _, text in shown[-1]):
        shown.pop()
    return shown


def _fragments(line: str, pen: Pen) -> "Iterator[Fragment]":
    at = 0
    while at < len(line):
        found = line.find(ESCAPE, at)
        text = clean(line[at:] if found < 0 else line[at:found])
        if text:
            yield pen.style, text
        if found < 0:
            return
        at = _end(line, found + 1)
        if at < 0:
            return
        if line[found + 1] == "[" and line[at - 1] == "m":
            pen.apply(line[found + 2 : at - 1])


def _end(line: str, at: int) -> int:
    """Where a sequence ends, -1 for never; one that chooses a character set has letters of its own in between."""
    while " " <= line[at : at + 1] <= "/":
        at += 1
    return end_of_sequence(line, at)


def _number(text: str) -> int | None:
    """A parameter: empty is 0, an unreadable one None."""
    if not text:
        return 0
    return int(text[-9:]) if text.isascii() and text.isdigit() else None
