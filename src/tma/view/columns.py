"""A row as a line of columns: in a list, and in the table (PIK-1, WAT-2, COL-5, COL-6)."""

from typing import TYPE_CHECKING, NamedTuple

from tma.core.screen import width
from tma.core.text import clean
from tma.view.text import age, cut, cut_locator

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tma.core.row import AgentRow
    from tma.view.palette import Fragment, Theme

AGENT, LOCATOR, AGE, CONTEXT, STATE, MODEL = 8, 16, 4, 4, 20, 14
TITLE = 40
BRANCH, NARROW_BRANCH = 12, 10
STALE_CONTEXT_MS = 300_000
MARK = "bold fg:6"
"""Letters that a query matched."""

_NO_MARKS: "Mapping[str, frozenset[int]]" = {}


class Layout(NamedTuple):
    """How the columns of one frame stand; ``branch`` and ``model`` are 0 where no visible row has one (COL-6)."""

    theme: "Theme"
    now: int
    room: int
    branch: int
    model: int = 0


def listed(row: "AgentRow", layout: Layout, marks: "Mapping[str, frozenset[int]]" = _NO_MARKS) -> "list[Fragment]":
    """A row of a list: glyph, agent, locator, age, branch, title."""
    parts = [
        *_glyph(row, layout),
        *_column(clean(row.agent), AGENT, marks.get("agent")),
        *_locator(row, marks.get("locator")),
        ("", f"{age(row.since, layout.now):>{AGE}}"),
        ("", " "),
    ]
    if layout.branch:
        parts += _column(clean(row.branch or ""), layout.branch, marks.get("branch"))
    room = min(TITLE, layout.room - _cells(parts))
    if room > 0:
        parts += _marked(clean(row.title), cut(clean(row.title), room), marks.get("title"), "")
    return parts


def tabled(row: "AgentRow", layout: Layout) -> "list[Fragment]":
    """A row of the table: glyph, agent, model, state, context, age, locator, branch, title."""
    parts = [
        *_glyph(row, layout),
        *_column(clean(row.agent), AGENT, None),
        *(_column(clean(row.model or ""), layout.model, None) if layout.model else ()),
        *_column(state_words(row), STATE, None),
        *_context(row, layout.now),
        ("", f"{age(row.since, layout.now):>{AGE}} "),
        *_column(_place(row), LOCATOR, None),
    ]
    if layout.branch:
        parts += _column(clean(row.branch or ""), layout.branch, None)
    return [*parts, ("", cut(clean(row.title), max(0, layout.room - _cells(parts))))]


def header(layout: Layout) -> "list[Fragment]":
    """The table's first line."""
    names = [("agent", AGENT)]
    names += [("model", layout.model)] if layout.model else []
    names += [("state", STATE), ("ctx", -CONTEXT), ("age", -AGE), ("where", LOCATOR)]
    names += [("branch", layout.branch)] if layout.branch else []
    text = " ".join(f"{name:>{-cells}}" if cells < 0 else f"{name:<{cells}}" for name, cells in names)
    return [("dim", f"{'':{_glyph_cells(layout)}}{text} title")]


def state_words(row: "AgentRow") -> str:
    """The disjoint class and the detail, as ``blocked(permission)``."""
    return f"{row.shown_class}({clean(row.detail)})" if row.detail else row.shown_class


def _place(row: "AgentRow") -> str:
    return cut_locator(clean(row.locator), LOCATOR)


def _glyph(row: "AgentRow", layout: Layout) -> "list[Fragment]":
    glyph, style = layout.theme.glyphs[row.shown_class]
    return [(style, glyph), ("", " " * (_glyph_cells(layout) - width(glyph)))]


def _glyph_cells(layout: Layout) -> int:
    return layout.theme.glyph_cells + 1


def _context(row: "AgentRow", now: int) -> "list[Fragment]":
    if row.context is None or row.context_at_ms is None:
        return [("", " " * (CONTEXT + 1))]
    old = now - row.context_at_ms >= STALE_CONTEXT_MS
    return [("dim" if old else "", f"{f'{row.context}%':>{CONTEXT}}"), ("", " ")]


def _locator(row: "AgentRow", marks: "frozenset[int] | None") -> "list[Fragment]":
    text = _place(row)
    return [*_marked(clean(row.locator), text, marks, ""), ("", " " * (LOCATOR - width(text) + 1))]


def _column(text: str, cells: int, marks: "frozenset[int] | None") -> "list[Fragment]":
    shown = cut(text, cells)
    return [*_marked(text, shown, marks, ""), ("", " " * (cells - width(shown) + 1))]


def _marked(text: str, shown: str, marks: "frozenset[int] | None", style: str) -> "list[Fragment]":
    """A cut text with its matched letters marked: those before the ellipsis, and those behind it."""
    if not marks:
        return [(style, shown)]
    if shown != text:
        gap = shown.rfind("…")
        behind = len(text) - len(shown)
        marks = frozenset(at if at < gap else at - behind for at in marks if at < gap or at - behind > gap)
    fragments: list[Fragment] = []
    for at, char in enumerate(shown):
        wanted = MARK if at in marks else style
        if fragments and fragments[-1][0] == wanted:
            fragments[-1] = (wanted, fragments[-1][1] + char)
        else:
            fragments.append((wanted, char))
    return fragments


def _cells(fragments: "Iterable[Fragment]") -> int:
    return sum(width(text) for _, text in fragments)
