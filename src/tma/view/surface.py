"""What the picker and the watcher share: events, effects, selection, and how both answer to them.

An update takes an event and gives effects; nothing here draws, and nothing here waits.
"""

from typing import TYPE_CHECKING, NamedTuple

from tma.view.cursor import Cursor
from tma.view.keyboard import MOVE, PRESS, WHEEL_DOWN, Key, Paste

if TYPE_CHECKING:
    from tma.core.row import AgentRow
    from tma.view.palette import Fragment

WHEEL_ROWS = 3
WIDE_CELLS = 76
"""Cells from which there is room for a preview beside the list (TUI-4)."""

_FAILURES_SHOWN = 2


class Pointed(NamedTuple):
    """The mouse did something over a row, or over none."""

    kind: str
    row: int | None
    at: int


class Resized(NamedTuple):
    """The terminal has this size now."""

    width: int
    height: int


class RowsFound(NamedTuple):
    """A look at every pane succeeded."""

    rows: "list[AgentRow]"
    now: int


class LookFailed(NamedTuple):
    """A look at every pane failed; ``gone`` if there is no server."""

    now: int
    gone: bool


class ConfigJudged(NamedTuple):
    """The files were read again; ``broken`` if they could not be used."""

    broken: bool


class Captured(NamedTuple):
    """The screen of a pane; no lines if it could not be captured."""

    pane: str
    lines: "list[tuple[Fragment, ...]]"


class Capture(NamedTuple):
    """Order: capture a pane's screen for the preview."""

    pane: str


class Jump(NamedTuple):
    """Order: bring the person's client to a pane."""

    pane: str


class OpenMenu(NamedTuple):
    """Order: show the action menu of a pane."""

    pane: str


class Leave(NamedTuple):
    """Order: close the surface, restore the terminal, and then carry out another order if there is one."""

    order: Jump | OpenMenu | None


Event = Key | Paste | Pointed | Resized | RowsFound | LookFailed | ConfigJudged | Captured
Effect = Capture | Jump | OpenMenu | Leave


class Options(NamedTuple):
    """How a surface was opened.

    ``hidden`` are panes that are not listed. ``menu_leaves``: it runs in a popup, which no menu
    opens over (MNU-8). ``jump_leaves``: a jump closes it.
    """

    hidden: frozenset[str] = frozenset()
    menu_leaves: bool = False
    jump_leaves: bool = False


class Surface:
    """The state of a surface and its answers to events; ``shown`` says what is listed."""

    def __init__(self, options: Options) -> None:
        """Start without rows."""
        self.options = options
        self.rows: list[AgentRow] = []
        self.now = 0
        self.width, self.height = 80, 24
        self.cursor = Cursor()
        self.preview = Captured("", [])
        self.config_broken = False
        self._failures = 0
        self._failed_at = 0
        self._gone = False

    @property
    def shown(self) -> "list[AgentRow]":
        """The listed rows in their order."""
        raise NotImplementedError

    @property
    def panes(self) -> list[str]:
        """The listed rows' panes."""
        return [row.pane for row in self.shown]

    @property
    def is_wide(self) -> bool:
        """Whether there is room beside the list."""
        return self.width >= WIDE_CELLS

    @property
    def has_preview(self) -> bool:
        """Whether a preview is shown."""
        return self.is_wide

    @property
    def selected(self) -> "AgentRow | None":
        """The selected row."""
        shown = self.shown
        return shown[self.cursor.index] if self.cursor.index < len(shown) else None

    @property
    def trouble(self) -> str:
        """What the footer says of looks that fail and of files that are broken (TUI-3, CFG-11)."""
        words = []
        if self._gone:
            words.append("no tmux server")
        elif self._failures >= _FAILURES_SHOWN:
            words.append(f"stale {max(0, self._failed_at - self.now) // 1000}s")
        if self.config_broken:
            words.append("config error")
        return ", ".join(words)

    def update(self, event: Event) -> list[Effect]:
        """Take an event in; what is to be done about it."""
        before = self.cursor.pane if self.has_preview else ""
        effects = self._react(event)
        selected = self.cursor.pane
        if self.has_preview and selected and (selected != before or isinstance(event, RowsFound)):
            effects.append(Capture(selected))
        return effects

    def on_key(self, name: str) -> list[Effect]:
        """Answer to a key that both surfaces do not answer alike."""
        raise NotImplementedError

    def on_paste(self, text: str) -> None:
        """Take pasted text in; it never acts as keys (TUI-8)."""

    def enter(self) -> list[Effect]:
        """Go to the selected row (TUI-10)."""
        row = self.selected
        if row is None:
            return []
        return [Leave(Jump(row.pane)) if self.options.jump_leaves else Jump(row.pane)]

    def open_menu(self) -> list[Effect]:
        """Show what can be done to the selected row."""
        row = self.selected
        if row is None:
            return []
        return [Leave(OpenMenu(row.pane)) if self.options.menu_leaves else OpenMenu(row.pane)]

    def _react(self, event: Event) -> list[Effect]:
        match event:
            case Key(name):
                self.cursor.hover = None
                return self._key(name)
            case Paste(text):
                self.on_paste(text)
            case Pointed():
                return self._point(event)
            case Resized(width, height):
                self.width, self.height = width, height
            case RowsFound(rows, now):
                self._take(rows, now)
            case LookFailed(now, gone):
                self._failures += 1
                self._failed_at, self._gone = now, gone
            case ConfigJudged(broken):
                self.config_broken = broken
            case Captured():
                self.preview = event
        return []

    def _take(self, rows: "list[AgentRow]", now: int) -> None:
        self.rows = [row for row in rows if row.pane not in self.options.hidden]
        self.now = now
        self._failures, self._gone = 0, False
        self.cursor.follow(self.panes)

    def _key(self, name: str) -> list[Effect]:
        if name in {"up", "down"}:
            self.cursor.step(1 if name == "down" else -1, self.panes)
        elif name in {"escape", "ctrl-c"}:
            return [Leave(None)]
        elif name == "enter":
            return self.enter()
        elif name == "tab":
            return self.open_menu()
        else:
            return self.on_key(name)
        return []

    def _point(self, event: Pointed) -> list[Effect]:
        panes = self.panes
        if event.kind == MOVE:
            self.cursor.hover = event.row
        elif event.kind == PRESS:
            if event.row is not None and self.cursor.press(event.row, event.at, panes):
                return self.enter()
        else:
            by = WHEEL_ROWS if event.kind == WHEEL_DOWN else -WHEEL_ROWS
            self.cursor.select(self.cursor.index + by, panes)
        return []
