"""Colors by name, and the glyphs and styles of the classes on full-screen surfaces.

A style is words: ``fg:N`` or ``fg:#rrggbb``, the same with ``bg:``, and ``bold``, ``dim``,
``italic``, ``underline``, ``reverse``. N is an index of the 256 colors.
"""

from typing import TYPE_CHECKING, NamedTuple

from tma.core.screen import units, width
from tma.core.state import BLOCKED, CLASSES, DONE, IDLE, UNKNOWN, WORKING
from tma.core.text import clean
from tma.view.status import ascii_styles

if TYPE_CHECKING:
    from collections.abc import Mapping

Fragment = tuple[str, str]
"""A style and a text."""

_DEFAULTS = {BLOCKED: "fg:1", WORKING: "fg:3", DONE: "fg:5", IDLE: "fg:2", UNKNOWN: "fg:8"}
_NAMES = {
    "black": 0, "red": 1, "green": 2, "yellow": 3, "blue": 4, "magenta": 5, "cyan": 6, "gray": 7, "darkgray": 8,
    "white": 15,
}  # fmt: skip
_BRIGHT = 8
_LAST_COLOUR = 255
_HEX_DIGITS = frozenset("0123456789abcdef")
_SHORT_RGB = 6
_PLAIN = {
    "…": "~", "›": ">", "▸": ">", "┌": "+", "┐": "+", "└": "+", "┘": "+", "─": "-", "│": "|",
}  # fmt: skip


class Theme(NamedTuple):
    """Glyph and style by class, cells of the widest glyph, and whether everything must be ASCII (A11Y-4)."""

    glyphs: dict[str, tuple[str, str]]
    glyph_cells: int
    ascii_only: bool


def theme(styles: "Mapping[str, tuple[str, str]]", *, ascii_only: bool) -> Theme:
    """The theme that the configured glyphs and colors give; a color that is none is the class's own (CFG-13)."""
    chosen = ascii_styles(styles) if ascii_only else styles
    glyphs = {}
    for name in CLASSES:
        glyph, color = chosen[name]
        parsed = colour(color)
        glyphs[name] = clean(glyph), _DEFAULTS[name] if parsed is None else parsed and f"fg:{parsed}"
    return Theme(glyphs, max(width(glyph) for glyph, _ in glyphs.values()), ascii_only)


def colour(text: str) -> str | None:
    """A color as an index or ``#rrggbb``, "" for the terminal's own, None for what is no color (CFG-13)."""
    name = text.strip().lower()
    if name == "default":
        return ""
    digits = name.removeprefix("colour").removeprefix("color")
    if digits.isascii() and digits.isdigit() and len(digits) < len(str(_LAST_COLOUR)) + 1:
        return str(int(digits)) if int(digits) <= _LAST_COLOUR else None
    if name.startswith("#") and len(name) == _SHORT_RGB + 1 and _HEX_DIGITS.issuperset(name[1:]):
        return name
    return _named(name)


def plain(text: str) -> str:
    """A text for a terminal that takes ASCII only: as many cells, each foreign unit as ``?`` (A11Y-4)."""
    if text.isascii():
        return text
    return "".join(unit if unit.isascii() else _PLAIN.get(unit, "?" * cells) for unit, cells in units(text))


def localised(text: str, *, ascii_only: bool) -> str:
    """A text as a terminal of this locale can show it."""
    return plain(text) if ascii_only else text


def _named(name: str) -> str | None:
    for prefix in ("bright", "light"):
        if name.startswith(prefix):
            index = _NAMES.get(name.removeprefix(prefix))
            if index is None:
                return None
            return str(index + _BRIGHT if index < _NAMES["gray"] else _NAMES["white"])
    index = _NAMES.get(name)
    return None if index is None else str(index)
