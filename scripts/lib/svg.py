"""A terminal's screen as an SVG picture: the same cells in the reader's own colors, dark or light.

Every run of text is told how wide it is, so that columns stand below one another in any font;
lines of boxes are drawn, since fonts leave gaps between them.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from tma.core.screen import units
from tma.view.palette import Fragment

CELL, LINE, FONT = 8.4, 18, 14
MARGIN = 14
BASELINE = 13.5

# Each color as it is on a dark and on a light ground.
_NORMAL = (
    ("#3b4252", "#24292f"), ("#f47067", "#cf222e"), ("#57ab5a", "#116329"), ("#daaa3f", "#8a5a00"),
    ("#6cb6ff", "#0969da"), ("#dcbdfb", "#8250df"), ("#39c5cf", "#1b7c83"), ("#c9d1d9", "#57606a"),
)  # fmt: skip
_BRIGHT = (
    ("#768390", "#6e7781"), ("#ff938a", "#a40e26"), ("#6bc46d", "#1a7f37"), ("#eac55f", "#633c01"),
    ("#96d0ff", "#218bff"), ("#f0dcff", "#a475f9"), ("#56d4dd", "#3192aa"), ("#f0f6fc", "#1f2328"),
)  # fmt: skip
_COLOURS = (*_NORMAL, *_BRIGHT)
_INK, _GROUND = ("#c9d1d9", "#1f2328"), ("#161b22", "#f6f8fa")
_CUBE = (0, 95, 135, 175, 215, 255)
_CUBE_START, _GREY_START = 16, 232

_WORDS = {
    "bold": "font-weight:bold",
    "italic": "font-style:italic",
    "dim": "opacity:.65",
    "underline": "text-decoration:underline",
}

_LEFT, _RIGHT, _UP, _DOWN = 1, 2, 4, 8
_BOXES = {
    "─": _LEFT | _RIGHT, "╌": _LEFT | _RIGHT, "━": _LEFT | _RIGHT, "│": _UP | _DOWN, "┌": _RIGHT | _DOWN,
    "┐": _LEFT | _DOWN, "└": _RIGHT | _UP, "┘": _LEFT | _UP, "├": _UP | _DOWN | _RIGHT, "┤": _UP | _DOWN | _LEFT,
    "┬": _LEFT | _RIGHT | _DOWN, "┴": _LEFT | _RIGHT | _UP, "┼": 15, "╭": _RIGHT | _DOWN, "╮": _LEFT | _DOWN,
    "╰": _RIGHT | _UP, "╯": _LEFT | _UP,
}  # fmt: skip


class Look(NamedTuple):
    """What a style makes of text: colors, as ``#rrggbb`` or as a name of the style sheet, and other words."""

    ink: str
    ground: str
    words: str


def picture(lines: Sequence[Sequence[Fragment]], columns: int, rows: int, title: str) -> str:
    """The picture of a screen of that size; ``title`` says it to who cannot see it."""
    width, height = columns * CELL + 2 * MARGIN, rows * LINE + 2 * MARGIN
    body = "\n".join(part for y, line in enumerate(lines[:rows]) for part in _line(line, MARGIN + y * LINE))
    size = f'width="{width:g}" height="{height:g}"'
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label={quoteattr(title)}>',
            f"<title>{escape(title)}</title>",
            f"<style>{_sheet(body)}</style>",
            f'<rect class="b" {size} rx="8"/>',
            body,
            "</svg>\n",
        )
    )


def _sheet(body: str) -> str:
    """The classes that a picture uses: a color on a dark ground, and another where the reader's page is light."""
    used = {name for names in re.findall(r'class="([^"]*)"', body) for name in names.split()} | {"b"}
    font = f"text{{font:{FONT}px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}}"
    words = "".join(f".{name}{{{rule}}}" for name, rule in _WORDS.items() if name in used)
    return f"{font}{words}{_rules(used, 0)}@media(prefers-color-scheme:light){{{_rules(used, 1)}}}"


def _rules(used: set[str], light: int) -> str:
    colours = {"f": _INK[light], "b": _GROUND[light]}
    # A ground is as on a dark page: programs write in black on it.
    colours |= {f"f{at}": both[light] for at, both in enumerate(_COLOURS)}
    colours |= {f"b{at}": both[0] for at, both in enumerate(_COLOURS)}
    fills = [f".{name}{{fill:{value}}}" for name, value in colours.items() if name in used]
    return "".join(fills + [f".s{name}{{stroke:{value}}}" for name, value in colours.items() if f"s{name}" in used])


def _line(line: Sequence[Fragment], y: int) -> Iterator[str]:
    x = 0
    for style, text in line:
        look = _look(style)
        pieces = list(_pieces(text))
        cells = sum(size for _, size in pieces)
        if look.ground:
            at, wide = MARGIN + x * CELL, cells * CELL
            yield f'<rect {_coloured("fill", look.ground)} x="{at:.1f}" y="{y}" width="{wide:.1f}" height="{LINE}"/>'
        for piece, size in pieces:
            if piece in _BOXES:
                yield _box(piece, look, MARGIN + x * CELL, y)
            elif piece.strip():
                yield _text(piece, size, look, MARGIN + x * CELL, y)
            x += size


def _pieces(text: str) -> Iterator[tuple[str, int]]:
    """Words of ASCII, and every other sign alone: fonts disagree about their widths, and about several blanks."""
    for part in re.split(r"( {2,}|[^ -~])", text):
        if part.isascii():
            yield part, len(part)
        else:
            yield from units(part)


def _text(piece: str, cells: int, look: Look, x: float, y: int) -> str:
    bare = piece.strip()
    left = x + (len(piece) - len(piece.lstrip())) * CELL
    length = f' textLength="{len(bare) * CELL:.1f}"' if len(bare) > 1 else ""
    if not bare.isascii():
        left, length = x + cells * CELL / 2, ' text-anchor="middle"'
    ink = _coloured("fill", look.ink, look.words)
    return f'<text {ink} x="{left:.1f}" y="{y + BASELINE:g}"{length}>{escape(bare)}</text>'


def _box(sign: str, look: Look, x: float, y: int) -> str:
    arms = _BOXES[sign]
    middle, centre = x + CELL / 2, y + LINE / 2
    ends = ((_LEFT, f"H{x:.1f}"), (_RIGHT, f"H{x + CELL:.1f}"), (_UP, f"V{y}"), (_DOWN, f"V{y + LINE}"))
    path = "".join(f"M{middle:.1f} {centre:g}{end}" for arm, end in ends if arms & arm)
    return f'<path {_coloured("stroke", look.ink, look.words)} d="{path}"/>'


def _coloured(what: str, colour: str, words: str = "") -> str:
    if colour.startswith("#"):
        return f'{what}="{colour}"' + (f' class="{words}"' if words else "")
    name = colour if what == "fill" else f"s{colour}"
    return f'class="{f"{name} {words}".strip()}"'


def _look(style: str) -> Look:
    words = style.split()
    ink = _colour("f", next((word[3:] for word in words if word.startswith("fg:")), ""))
    ground = _colour("b", next((word[3:] for word in words if word.startswith("bg:")), ""))
    kept = " ".join(word for word in words if word in _WORDS)
    if "reverse" in words:
        return Look(ground, ink, kept)
    return Look(ink, "" if ground == "b" else ground, kept)


def _colour(kind: str, text: str) -> str:
    if text.startswith("#"):
        return text
    return f"{kind}{text}" if not text or int(text) < _CUBE_START else _indexed(int(text))


def _indexed(index: int) -> str:
    if index >= _GREY_START:
        grey = 8 + 10 * (index - _GREY_START)
        return f"#{bytes((grey, grey, grey)).hex()}"
    place = index - _CUBE_START
    return f"#{bytes((_CUBE[place // 36], _CUBE[place // 6 % 6], _CUBE[place % 6])).hex()}"
