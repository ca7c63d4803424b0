"""How text takes room: cuts that respect terminal cells, ages, and control characters made visible."""

import unicodedata

from tma.core.screen import units, width
from tma.core.text import clean

ELLIPSIS = "…"

_SECOND_MS = 1000
_MINUTE_S = 60
_HOUR_S = 3600
_LAST_BYTE = 0xFF
_LAST_SHORT = 0xFFFF
_KEPT_FORMATS = frozenset("\u200c\u200d")
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))


def cut(text: str, cells: int) -> str:
    """The text within a number of cells: as it is, or its longest prefix and an ellipsis (COL-2).

    A piece that would cross the limit is replaced by padding, so that a cut text fills its room.
    """
    if width(text) <= cells:
        return text
    return _prefix(text, cells - 1) + ELLIPSIS if cells > 0 else ""


def cut_locator(locator: str, cells: int) -> str:
    """A locator within a number of cells, its ``:window.pane`` kept where that fits (COL-3).

    ``tmux-agents-experiments:2.0`` at 16 is ``tmux-agent…:2.0``.
    """
    session, colon, place = locator.rpartition(":")
    suffix = colon + place
    if width(locator) <= cells or width(suffix) + 2 > cells:
        return cut(locator, cells)
    return cut(session, cells - width(suffix) - 1) + suffix


def age(since: int, now: int) -> str:
    """How long ago an instant was, in its coarsest unit up to hours; ``-`` for none (COL-4)."""
    if not since:
        return "-"
    seconds = max(0, now - since) // _SECOND_MS
    if seconds < _MINUTE_S:
        return f"{seconds}s"
    if seconds < _HOUR_S:
        return f"{seconds // _MINUTE_S}m"
    return f"{seconds // _HOUR_S}h"


def shown(text: str) -> str:
    r"""The text with every character that acts and is not seen written out, as ``\x1b`` (SAN-2)."""
    return clean("".join(_visible(char) for char in text))


def _prefix(text: str, cells: int) -> str:
    kept = []
    room = cells
    for unit, needed in units(text):
        if needed > room:
            break
        kept.append(unit)
        room -= needed
    return "".join(kept) + " " * room


def _visible(char: str) -> str:
    if char.isprintable() or char in _KEPT_FORMATS or unicodedata.category(char) not in _HIDDEN:
        return char
    code = ord(char)
    if code <= _LAST_BYTE:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= _LAST_SHORT else f"\\U{code:08x}"
