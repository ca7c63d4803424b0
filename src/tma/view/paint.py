"""From one frame to the next in as few bytes as it takes; none for a frame that is the same (A11Y-7).

Colors become what the terminal offers: all, 256, 16, or none, and without colors no italics either
(A11Y-2, A11Y-5).
"""

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from tma.core.screen import units, width

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tma.view.palette import Fragment

    Line = Sequence[Fragment]

NO_COLOURS, FEW_COLOURS, MANY_COLOURS, ALL_COLOURS = 0, 16, 256, 1 << 24

_WORDS = {"bold": "1", "dim": "2", "italic": "3", "underline": "4", "reverse": "7"}
_CUBE = (0, 95, 135, 175, 215, 255)
_BRIGHT_START, _CUBE_START, _GREY_START = 8, 16, 232
_NORMAL, _LIGHT = 30, 90
_GREYS = range(8, 248, 10)
_HALF, _BRIGHT, _DARK = 128, 192, 48


class Cell(NamedTuple):
    """One unit of text with its style and how many cells it takes."""

    style: str
    text: str
    cells: int


def painted(old: "Sequence[Line] | None", new: "Sequence[Line]", depth: int) -> str:
    """What to write so that a terminal which shows ``old`` shows ``new``; no ``old`` draws everything."""
    if old is None:
        return "\x1b[0m\x1b[2J" + "".join(_changed(y, (), line, depth) for y, line in enumerate(new))
    pairs = enumerate(zip(old, new, strict=True))
    return "".join(_changed(y, before, line, depth) for y, (before, line) in pairs if before != line)


def depth_of(term: str, colorterm: str, no_color: str) -> int:
    """How many colors a terminal of that name shows (A11Y-2, A11Y-5)."""
    if no_color or term.startswith(("vt1", "vt2")) or term.endswith("-m"):
        return NO_COLOURS
    if colorterm in {"truecolor", "24bit"} or term.endswith("direct"):
        return ALL_COLOURS
    return MANY_COLOURS if "256color" in term else FEW_COLOURS


@lru_cache(maxsize=4096)
def sgr(style: str, depth: int) -> str:
    """The sequence that turns a style on, from whatever was on before."""
    codes = ["0"]
    for word in style.split():
        if word in _WORDS and (depth or word != "italic"):
            codes.append(_WORDS[word])
        elif depth and word[:3] in {"fg:", "bg:"}:
            codes.append(_colour(word[3:], depth, 0 if word[0] == "f" else 10))
    return f"\x1b[{';'.join(codes)}m"


def _changed(y: int, before: "Line", line: "Line", depth: int) -> str:
    """The cells of a line that differ.

    A unit of several characters is followed by an absolute move: terminals disagree about its width.
    """
    start, end = _differing(before, line)
    left = sum(width(text) for _, text in line[:start])
    old = dict(_placed(_cells(before[start : len(before) - end]), left))
    out: list[str] = []
    style, at = None, -1
    for x, cell in _placed(_cells(line[start : len(line) - end]), left):
        if old.get(x) == cell:
            continue
        if x != at:
            out.append(f"\x1b[{y + 1};{x + 1}H")
        if cell.style != style:
            style = cell.style
            out.append(sgr(style, depth))
        out.append(cell.text)
        at = x + cell.cells if len(cell.text) == 1 else -1
    return "".join([*out, "\x1b[0m"]) if out else ""


def _differing(before: "Line", line: "Line") -> tuple[int, int]:
    """How many fragments are the same at the start, and at the end: lines of a frame are of one width."""
    shorter = min(len(before), len(line))
    start = next((at for at in range(shorter) if before[at] != line[at]), shorter)
    rest = shorter - start
    return start, next((at for at in range(rest) if before[-1 - at] != line[-1 - at]), rest)


def _cells(line: "Line") -> "Iterator[Cell]":
    for style, text in line:
        if text.isascii():
            for char in text:
                yield Cell(style, char, 1)
        else:
            for unit, cells in units(text):
                yield Cell(style, unit, cells)


def _placed(cells: "Iterable[Cell]", x: int) -> "Iterator[tuple[int, Cell]]":
    for cell in cells:
        if cell.cells:
            yield x, cell
        x += cell.cells


def _colour(text: str, depth: int, offset: int) -> str:
    """A color's code; ``offset`` is 10 for the background."""
    if text.startswith("#"):
        red, green, blue = bytes.fromhex(text[1:])
        if depth == ALL_COLOURS:
            return f"{38 + offset};2;{red};{green};{blue}"
        index = _nearest(red, green, blue)
    else:
        index = int(text)
    if depth == FEW_COLOURS and index >= _CUBE_START:
        index = _basic(*_rgb(index))
    if index < _CUBE_START:
        return str((_NORMAL if index < _BRIGHT_START else _LIGHT - _BRIGHT_START) + index + offset)
    return f"{38 + offset};5;{index}"


def _nearest(red: int, green: int, blue: int) -> int:
    """The nearest of the 240 colors that are the same everywhere."""
    return min(range(_CUBE_START, 256), key=lambda index: _distance(_rgb(index), (red, green, blue)))


def _distance(one: tuple[int, int, int], other: tuple[int, int, int]) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def _rgb(index: int) -> tuple[int, int, int]:
    if index >= _GREY_START:
        grey = _GREYS[index - _GREY_START]
        return grey, grey, grey
    place = index - _CUBE_START
    return _CUBE[place // 36], _CUBE[place // 6 % 6], _CUBE[place % 6]


def _basic(red: int, green: int, blue: int) -> int:
    """The one of the 16 colors that is meant: which parts are strong, and whether the whole is bright."""
    most = max(red, green, blue)
    if most - min(red, green, blue) < _DARK:
        return 0 if most < _DARK else 8 if most < _HALF else 7 if most < _BRIGHT else 15
    index = sum(bit for bit, part in ((1, red), (2, green), (4, blue)) if part > most // 2)
    return index + 8 if most >= _BRIGHT else index
