"""The terminal: raw mode and everything else that is switched on for a surface, and switched off on every way out.

Nobody else writes to it or reads from it while a surface is open (TUI-2).
"""

import codecs
import os
import select
import termios
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from types import TracebackType

CHUNK = 4096
PATIENCE_S = 0.5
"""How long a terminal that took nothing may go on so before it is left as it is."""

_ON = (
    "\x1b[?1049h"  # alternate screen
    "\x1b[?25l"  # cursor hidden
    "\x1b[?7l"  # no wrap at the right edge
    "\x1b[?1000h\x1b[?1003h\x1b[?1006h"  # mouse presses, moves without a button, as decimals
    "\x1b[?2004h"  # pastes are marked
)
_OFF = "\x1b[0m\x1b[?2004l\x1b[?1006l\x1b[?1003l\x1b[?1000l\x1b[?7h\x1b[?25h\x1b[?1049l"
_IFLAG, _OFLAG, _LFLAG, _CC = 0, 1, 3, 6


class TerminalLostError(Exception):
    """The terminal went away."""


class Terminal:
    """A terminal in full-screen mode for as long as it is entered."""

    def __init__(self, reading: int, writing: int) -> None:
        """Use these descriptors; nothing is changed yet."""
        self._reading = reading
        self._writing = writing
        self._before: list[Any] = []
        self._is_writing = False
        self._given_up = False
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def __enter__(self) -> Self:
        """Switch everything on."""
        self._before = termios.tcgetattr(self._reading)
        termios.tcsetattr(self._reading, termios.TCSANOW, _raw(termios.tcgetattr(self._reading)))
        try:
            self.write(_ON)
        except TerminalLostError:
            self._restore()
            raise
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: "TracebackType | None"
    ) -> None:
        """Switch everything off again; a terminal that is gone needs nothing, one that takes nothing gets nothing."""
        try:
            if not self._given_up or select.select([], [self._writing], [], PATIENCE_S)[1]:
                self.write(_OFF)
        except TerminalLostError:
            return
        finally:
            self._restore()

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines."""
        try:
            columns, lines = os.get_terminal_size(self._writing)
        except OSError:
            return 80, 24
        return max(1, columns), max(1, lines)

    def fileno(self) -> int:
        """What to wait on for input."""
        return self._reading

    def read(self) -> str:
        """What was typed.

        Raises:
            TerminalLostError: nothing will be typed any more.
        """
        try:
            data = os.read(self._reading, CHUNK)
        except BlockingIOError:
            return ""
        except OSError:
            raise TerminalLostError from None
        if not data:
            raise TerminalLostError
        return self._decoder.decode(data)

    def write(self, text: str) -> None:
        """Write all of a text.

        Raises:
            TerminalLostError: nobody sees it any more.
        """
        data = text.encode("utf-8", "replace")
        self._is_writing = True
        try:
            while data:
                data = data[self._taken(data) :]
        except OSError:
            raise TerminalLostError from None
        finally:
            self._is_writing = False

    def give_up(self) -> None:
        """End a write that may wait for room for ever; to be called by the answer to a signal.

        Raises:
            TerminalLostError: there was one.
        """
        if self._is_writing:
            self._given_up = True
            raise TerminalLostError

    def _taken(self, data: bytes) -> int:
        """How many bytes the terminal took; another program may have made it one that never waits."""
        try:
            return os.write(self._writing, data)
        except BlockingIOError:
            select.select([], [self._writing], [])
            return 0

    def _restore(self) -> None:
        try:
            termios.tcsetattr(self._reading, termios.TCSANOW, self._before)
        except termios.error:
            return


def _raw(mode: list[Any]) -> list[Any]:
    """A mode in which every key comes at once and as itself, and nothing is echoed."""
    changed = list(mode)
    for at, flags in (
        (
            _IFLAG,
            termios.BRKINT
            | termios.ICRNL
            | termios.INLCR
            | termios.IGNCR
            | termios.INPCK
            | termios.ISTRIP
            | termios.IXON,
        ),
        (_OFLAG, termios.OPOST),
        (_LFLAG, termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG),
    ):
        changed[at] &= ~flags
    changed[_CC] = list(changed[_CC])
    changed[_CC][termios.VMIN], changed[_CC][termios.VTIME] = 1, 0
    return changed
