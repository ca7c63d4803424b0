"""Learning of a process's end without a timer, where the system can tell (DCC-5)."""

import asyncio
import os
import select
import sys
from collections.abc import Callable
from typing import Any

from tma.adapters import system


class Vigil:
    """Calls back once when a process has ended."""

    def __init__(self, pid: int, recheck_s: float, ended: Callable[[], None]) -> None:
        """Watch on the running loop."""
        self._loop = asyncio.get_running_loop()
        self._pid, self._recheck_s, self._ended = pid, recheck_s, ended
        self._timer: asyncio.TimerHandle | None = None
        self._watched = _watched(pid)
        if self._watched is None:
            self._recheck()
        else:
            self._loop.add_reader(self._watched, self._told)

    def close(self) -> None:
        """Watch no more."""
        if self._timer is not None:
            self._timer.cancel()
        if self._watched is not None:
            self._loop.remove_reader(self._watched)

    def _told(self) -> None:
        self.close()
        self._ended()

    def _recheck(self) -> None:
        if system.exists(self._pid):
            self._timer = self._loop.call_later(self._recheck_s, self._recheck)
        else:
            self._ended()


def _watched(pid: int) -> int | None:
    """A descriptor that becomes readable at the process's end, open until ours; None where there is no such thing."""
    try:
        return os.pidfd_open(pid) if sys.platform == "linux" else _queued(pid)
    except (OSError, AttributeError):
        return None


def _queued(pid: int) -> int:
    kinds: Any = select
    queue = kinds.kqueue()
    flags = kinds.KQ_EV_ADD | kinds.KQ_EV_ONESHOT
    queue.control([kinds.kevent(pid, kinds.KQ_FILTER_PROC, flags, kinds.KQ_NOTE_EXIT)], 0)
    return os.dup(queue.fileno())
