"""A surface as rows of styled text in exactly the terminal's size, and what stands where for the mouse."""

from typing import TYPE_CHECKING, NamedTuple

from tma.core.screen import units
from tma.core.text import clean
from tma.view import columns
from tma.view.box import beside, boxed, emphasised, fit, padded
from tma.view.columns import Layout
from tma.view.palette import plain

if TYPE_CHECKING:
    from collections.abc import Callable

    from tma.core.row import AgentRow
    from tma.view.palette import Fragment, Theme
    from tma.view.picker import Picker
    from tma.view.surface import Surface
    from tma.view.watch import Watch

    Line = tuple[Fragment, ...]
    Draw = Callable[[AgentRow], list[Fragment]]

LEAST_CELLS, LEAST_ROWS = 8, 2
BORDER_CELLS, BORDER_ROWS = 20, 4
WATCH_LIST = 34
_PICKER_SHARE = 55


class Frame(NamedTuple):
    """What is to stand on the terminal. ``rows_at`` gives the row that each line of the list shows."""

    lines: "tuple[Line, ...]"
    rows_at: dict[int, int]
    first_cell: int
    last_cell: int

    def row_at(self, x: int, y: int) -> int | None:
        """The list's row at a cell, as it was drawn (TUI-7)."""
        return self.rows_at.get(y) if self.first_cell <= x <= self.last_cell else None


class Entry(NamedTuple):
    """A line of a list: a row by its place in the list, or a header above rows."""

    row: "AgentRow | None"
    place: int
    text: str


class Block(NamedTuple):
    """A part of the frame, which row each of its lines shows, and how wide the border is."""

    lines: "list[Line]"
    rows_at: dict[int, int]
    edge: int = 0


def draw_picker(model: "Picker", theme: "Theme") -> Frame:
    """The picker's frame."""
    cells = model.width * _PICKER_SHARE // 100 if model.has_preview else model.width
    layout = _layout(model, theme, cells, columns.BRANCH)
    entries = [Entry(row, place, "") for place, row in enumerate(model.shown)]

    def draw(row: "AgentRow") -> "list[Fragment]":
        return columns.listed(row, layout, model.marks(row) if model.query else {})

    words = "no match" if model.query else "no agents in scope" if model.in_session else "no agent panes"
    listed = _list(model, entries, draw, cells, words)
    return _frame(model, theme, _with_preview(model, listed, cells), cells, _picker_footer(model))


def draw_watch(model: "Watch", theme: "Theme", *, selecting: bool) -> Frame:
    """The watcher's frame; ``selecting`` says why the list may be empty."""
    words = "no agents in scope" if selecting else "no agent panes"
    entries = _grouped(model)
    if model.table and model.is_wide:
        named = columns.MODEL if any(row.model for row in model.rows) else 0
        layout = Layout(theme, model.now, model.width, columns.BRANCH if _branches(model) else 0, named)
        block = _table(model, entries, layout, words)
        return _frame(model, theme, block, model.width, _watch_footer(model))
    cells = WATCH_LIST if model.has_preview else model.width
    layout = _layout(model, theme, cells, columns.NARROW_BRANCH)
    listed = _list(model, entries, lambda row: columns.listed(row, layout), cells, words)
    return _frame(model, theme, _with_preview(model, listed, cells), cells, _watch_footer(model))


def _layout(model: "Surface", theme: "Theme", cells: int, branch: int) -> Layout:
    room = cells - 2 if _is_bordered(model) else cells
    return Layout(theme, model.now, room, branch if _branches(model) else 0)


def _branches(model: "Surface") -> bool:
    return any(row.branch for row in model.rows)


def _is_bordered(model: "Surface") -> bool:
    return model.width >= BORDER_CELLS and model.height >= BORDER_ROWS


def _grouped(model: "Watch") -> list[Entry]:
    entries: list[Entry] = []
    place = 0
    for name, rows in model.groups:
        entries += [Entry(None, 0, name)] if name else []
        entries += [Entry(row, place + at, "") for at, row in enumerate(rows)]
        place += len(rows)
    return entries


def _list(model: "Surface", entries: list[Entry], draw: "Draw", cells: int, words: str) -> Block:
    """The list in its border, if there is room for one (TUI-4, A11Y-6)."""
    height = max(1, model.height - 1)
    if not _is_bordered(model):
        return _window(model, entries, draw, (cells, height), words)
    inside = _window(model, entries, draw, (cells - 2, height - 2), words)
    lines = boxed(f"agents ({len(model.shown)})", inside.lines, cells, height)
    return Block(lines, {at + 1: place for at, place in inside.rows_at.items()}, 1)


def _table(model: "Watch", entries: list[Entry], layout: Layout, words: str) -> Block:
    height = max(1, model.height - 2)
    inside = _window(model, entries, lambda row: columns.tabled(row, layout), (model.width, height), words)
    return Block(
        [fit(columns.header(layout), model.width), *inside.lines],
        {at + 1: place for at, place in inside.rows_at.items()},
    )


def _window(model: "Surface", entries: list[Entry], draw: "Draw", size: tuple[int, int], words: str) -> Block:
    """The entries that are to be seen, the selected one among them."""
    cells, height = size
    if not model.shown:
        lines = [fit([("", text)], cells) for text in (words, "tma doctor shows what is missing")]
        return Block(padded(lines, cells, height), {})
    selected = next(at for at, entry in enumerate(entries) if entry.row and entry.place == model.cursor.index)
    first = selected - 1 if selected and not entries[selected - 1].row and height > 1 else selected
    top = model.cursor.scroll(first, selected, len(entries), height)
    seen = entries[top : top + height]
    rows_at = {at: entry.place for at, entry in enumerate(seen) if entry.row}
    return Block(padded([_line(model, entry, draw, cells) for entry in seen], cells, height), rows_at)


def _line(model: "Surface", entry: Entry, draw: "Draw", cells: int) -> "Line":
    if entry.row is None:
        return fit([("dim", f"▸ {clean(entry.text)}")], cells)
    line = fit(draw(entry.row), cells)
    if entry.place == model.cursor.index:
        line = emphasised(line, "reverse")
    return emphasised(line, "underline") if entry.place == model.cursor.hover else line


def _with_preview(model: "Surface", listed: Block, cells: int) -> Block:
    """The list with the selected pane's screen beside it; the last lines that fit (PRV-1, PRV-2)."""
    if not model.has_preview:
        return listed
    row = model.selected
    shown = model.preview.lines if row and model.preview.pane == row.pane else []
    height, room = max(1, model.height - 1), model.width - cells
    if not _is_bordered(model):
        return listed._replace(lines=beside(listed.lines, _tail(shown, room, height)))
    title = clean(row.locator) if row else "preview"
    box = boxed(title, _tail(shown, room - 2, height - 2), room, height)
    return listed._replace(lines=beside(listed.lines, box))


def _tail(lines: "list[Line]", cells: int, height: int) -> "list[Line]":
    """The last lines that fit, cut at the right."""
    return padded([fit(line, cells, sign=False) for line in lines[-height:]], cells, height)


def _frame(model: "Surface", theme: "Theme", body: Block, cells: int, footer: "list[Fragment]") -> Frame:
    """The whole terminal: body and footer, or the selected row alone where there is no room (A11Y-6)."""
    lines, rows_at = list(body.lines), body.rows_at
    if model.height < LEAST_ROWS or model.width < LEAST_CELLS:
        at = next((line for line, place in rows_at.items() if place == model.cursor.index), 0)
        lines = [lines[at]]
        rows_at = {0: model.cursor.index} if model.shown else {}
    else:
        lines.append(fit(footer, model.width))
    lines = padded(lines, model.width, model.height)
    if theme.ascii_only:
        lines = [tuple((style, plain(text)) for style, text in line) for line in lines]
    return Frame(tuple(lines), rows_at, body.edge, cells - 1 - body.edge)


def _picker_footer(model: "Picker") -> "list[Fragment]":
    """The query, what is wrong, the scope and the keys (PIK-3); of a long query its end."""
    scope = "session" if model.in_session else "all"
    room = max(1, model.width // 2 - 2)
    hints = f" [scope: {scope}] enter=jump tab=act ctrl-s=scope esc=quit"
    return [("bold", "› "), ("", _end_of(model.query, room)), *_trouble(model, "  "), ("dim", f" {hints}")]


def _end_of(text: str, cells: int) -> str:
    """As much of a text's end as there are cells for."""
    pieces = [*units(text)]
    kept = len(pieces)
    while kept and pieces[kept - 1][1] <= cells:
        kept -= 1
        cells -= pieces[kept][1]
    return "".join(unit for unit, _ in pieces[kept:])


def _watch_footer(model: "Watch") -> "list[Fragment]":
    """What is wrong, and the keys (WAT-5)."""
    words = ["enter=jump", "a=act"]
    if model.is_wide:
        words += ["p=preview" if model.table else "p=table", "g=group" if model.flat else "g=flat"]
    return [*_trouble(model, ""), ("dim", " ".join([*words, "q=quit"]))]


def _trouble(model: "Surface", gap: str) -> "list[Fragment]":
    words = model.trouble
    return [("", gap), ("bold fg:1", words), ("", "" if gap else "  ")] if words else []
