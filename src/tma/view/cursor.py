"""Where a person is in a list whose rows come and go: selection, hover, scroll and double presses."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

DOUBLE_PRESS_MS = 400


class Cursor:
    """The selected row, the row under the mouse, and how far the list is scrolled.

    ``pane`` is the selected row's pane, which a refresh follows (TUI-5).
    """

    __slots__ = ("_press", "hover", "index", "pane", "top")

    def __init__(self) -> None:
        """Start at the top."""
        self.index = 0
        self.pane = ""
        self.hover: int | None = None
        self.top = 0
        self._press = ("", 0)

    def follow(self, panes: "Sequence[str]") -> None:
        """Stay on the pane if it is still there, else at its place."""
        self.select(panes.index(self.pane) if self.pane in panes else self.index, panes)
        if self.hover is not None and self.hover >= len(panes):
            self.hover = None

    def select(self, index: int, panes: "Sequence[str]") -> None:
        """Select a row by its place, within the list."""
        self.index = max(0, min(index, len(panes) - 1))
        self.pane = panes[self.index] if panes else ""

    def step(self, by: int, panes: "Sequence[str]") -> None:
        """Go up or down, around at the ends (TUI-6)."""
        if panes:
            self.select((self.index + by) % len(panes), panes)

    def press(self, index: int, at: int, panes: "Sequence[str]") -> bool:
        """Select the pressed row; whether it is the second press of it in time (TUI-7)."""
        self.select(index, panes)
        pane, before = self._press
        again = pane == self.pane and 0 <= at - before <= DOUBLE_PRESS_MS
        self._press = ("", 0) if again else (self.pane, at)
        return again

    def scroll(self, first: int, last: int, lines: int, height: int) -> int:
        """Scroll just far enough to show the lines ``first`` to ``last``; the first line shown."""
        top = min(self.top, first)
        top = max(top, last - height + 1, 0)
        self.top = max(0, min(top, lines - height))
        return self.top
