"""Signals while an action is under way: noted at once, obeyed where nothing is left half done (ACT-SEQ-4)."""

import signal
from typing import Self

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StoppedError(BaseException):
    """The process was told to end; ``code`` is what it ends with."""

    def __init__(self, number: int) -> None:
        """Keep the signal."""
        super().__init__(number)
        self.code = 128 + number


class Stop:
    """Notes signals between entering and leaving; ``check`` raises the first one.

    A call to tmux is never cut short: a lock that it takes could come after our release.
    """

    def __init__(self) -> None:
        """Nothing is noted before it is entered."""
        self._first = 0
        self._before: dict[int, object] = {}

    def __enter__(self) -> Self:
        """Start noting; a signal that is ignored stays so."""
        for number in SIGNALS:
            before = signal.getsignal(number)
            if before is not signal.SIG_IGN:
                self._before[number] = before
                signal.signal(number, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        """Give the signals back."""
        for number, before in self._before.items():
            signal.signal(number, before)  # type: ignore[arg-type]

    def check(self) -> None:
        """Raise what was noted.

        Raises:
            StoppedError: a signal came.
        """
        if self._first:
            raise StoppedError(self._first)

    def _note(self, number: int, _frame: "FrameType | None") -> None:
        self._first = self._first or number
