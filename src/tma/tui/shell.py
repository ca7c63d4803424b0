"""The loop of a full-screen surface: keys, signals and news in, frames out; it never waits for tmux."""

import collections
import contextlib
import os
import select
import signal
import time
from typing import TYPE_CHECKING

from tma.tui.terminal import Terminal, TerminalLostError
from tma.view.keyboard import Keyboard, Mouse
from tma.view.paint import painted
from tma.view.surface import Leave, Pointed, Resized

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from tma.tui.crew import Crew
    from tma.view.frame import Frame
    from tma.view.surface import Capture, Event, Jump, OpenMenu, Surface

ESCAPE_S = 0.05
"""How long an ESC waits for what would make it a sequence (TUI-8)."""

_BACKLOG = 32
"""Looks that are kept for a terminal that takes no frame; those before them are stale. What ends the surface stays."""

_ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


class Shell:
    """One surface on one terminal."""

    def __init__(self, terminal: Terminal, model: "Surface", draw: "Callable[[], Frame]", depth: int) -> None:
        """Get ready; nothing is drawn yet."""
        self.ended_by = 0
        self._terminal = terminal
        self._model = model
        self._draw = draw
        self._depth = depth
        self._keyboard = Keyboard()
        self._looks: collections.deque[Event] = collections.deque(maxlen=_BACKLOG)
        self._ends: collections.deque[Leave | BaseException] = collections.deque()
        self._frame: Frame | None = None
        self._leave: Leave | None = None
        self._nudged = False
        self._resized = False
        self._orders: collections.deque[Capture | Jump | OpenMenu] = collections.deque()
        self._ears, self._bell = os.pipe()
        for end in (self._ears, self._bell):
            os.set_blocking(end, False)

    def post(self, news: "Event | Leave | BaseException") -> None:
        """Hand in news from any thread."""
        if isinstance(news, (Leave, BaseException)):
            self._ends.append(news)
        else:
            self._looks.append(news)
        self._ring()

    @contextlib.contextmanager
    def listening(self) -> "Iterator[None]":
        """Answer to signals, and leave them as they were behind.

        The system may hand one to another thread, which does not end the wait of this one: the bell does.
        """
        answers = dict.fromkeys(_ENDING, self._end) | {signal.SIGWINCH: self._resize, signal.SIGUSR1: self._nudge}
        before = {number: signal.signal(number, answer) for number, answer in answers.items()}
        woken = signal.set_wakeup_fd(self._bell, warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(woken)
            for number, answer in before.items():
                signal.signal(number, answer)

    def measure(self) -> None:
        """Take in the terminal's size; the next frame is drawn as a whole."""
        self._resized = False
        self._frame = None
        self._apply(Resized(*self._terminal.size))

    def paint(self) -> None:
        """Bring the terminal up to date; nothing is written if it is (A11Y-7)."""
        frame = self._draw()
        text = painted(self._frame and self._frame.lines, frame.lines, self._depth)
        self._frame = frame
        if text:
            self._terminal.write(text)

    def run(self, crew: "Crew") -> Leave:
        """Go on until the surface is left, or a signal or a lost terminal ends it."""
        while True:
            while self._orders:
                crew.carry_out(self._orders.popleft())
            for event in self._wait(crew):
                self._apply(event)
            if self._leave is not None or self.ended_by:
                return self._leave or Leave(None)
            if self._resized:
                self.measure()
            self.paint()

    def _wait(self, crew: "Crew") -> "list[Event]":
        """Wait for something; what came of it."""
        pause = ESCAPE_S if self._keyboard.waits else None
        ready, _, _ = select.select([self._terminal.fileno(), self._ears], [], [], pause)
        if self._ears in ready:
            os.read(self._ears, 4096)
        if self._nudged:
            self._nudged = False
            crew.refresh()
        events = self._told()
        if self._terminal.fileno() in ready:
            return events + [self._event(each) for each in self._keyboard.feed(self._terminal.read())]
        return events + ([] if ready else [self._event(each) for each in self._keyboard.flush()])

    def _told(self) -> "list[Event]":
        while self._ends:
            news = self._ends.popleft()
            if isinstance(news, BaseException):
                raise news
            self._leave = news
        events: list[Event] = []
        while self._looks:
            events.append(self._looks.popleft())
        return events

    def _event(self, typed: "Event | Mouse") -> "Event":
        """A mouse report by the row that was drawn there."""
        if not isinstance(typed, Mouse):
            return typed
        row = self._frame.row_at(typed.x, typed.y) if self._frame else None
        return Pointed(typed.kind, row, time.monotonic_ns() // 1_000_000)

    def _apply(self, event: "Event") -> None:
        """Take an event in; what comes after the surface was left means nothing."""
        if self._leave is not None:
            return
        for effect in self._model.update(event):
            if isinstance(effect, Leave):
                self._leave = effect
            else:
                self._orders.append(effect)

    def _ring(self) -> None:
        try:
            os.write(self._bell, b"!")
        except BlockingIOError:
            return

    def _end(self, number: int, _frame: "FrameType | None") -> None:
        self.ended_by = number
        self._ring()
        self._terminal.give_up()

    def _resize(self, _number: int, _frame: "FrameType | None") -> None:
        self._resized = True
        self._ring()

    def _nudge(self, _number: int, _frame: "FrameType | None") -> None:
        self._nudged = True
        self._ring()


def show(
    shell: Shell, terminal: Terminal, crew: "Crew", greet: "Callable[[], None]", part: "Callable[[], None]"
) -> Leave:
    """Show a surface until it is left; the terminal is as it was before, however that came.

    ``greet`` runs when everything is set up, ``part`` first on the way out (TUI-2).
    """
    with shell.listening():
        try:
            with terminal:
                try:
                    shell.measure()
                    shell.paint()
                    greet()
                    crew.start(shell.post)
                    return shell.run(crew)
                finally:
                    part()
        except TerminalLostError:
            shell.ended_by = shell.ended_by or signal.SIGHUP
            return Leave(None)
