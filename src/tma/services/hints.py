"""When to look again: at a daemon's wake, and without a daemon at an interval (DSU-2, DSU-3).

A wake is a hint and no news: whoever is woken looks for himself. Gaining or losing the daemon is silent.
"""

import select
import time
from enum import Enum

from tma.services import link

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.services.link import Subscription
    from tma.services.runtime import Runtime

FALLBACK_S = 5.0
"""How often to look although a daemon wakes."""

PROBE_S = 5.0
"""How often a daemon is looked for where there is none."""

MERGE_S = 0.1
"""Wakes within so short a time are one."""

_LONGEST_S = 86_400.0


class Cause(Enum):
    """What ended a pause."""

    WAKE = "wake"
    CLOCK = "clock"
    FALLBACK = "fallback"
    LEFT = "left"


class Hints:
    """One process's subscription, renewed for as long as the process runs."""

    def __init__(self, runtime: "Runtime") -> None:
        """Look for a daemon at once; no tmux is asked."""
        self._server = link.likely_server(runtime)
        self._subscription: Subscription | None = None
        self._probe_at = 0.0
        self._probe()

    def know(self, server: str) -> None:
        """Take the server's own text of its socket path, which names the daemon's files (DID-1)."""
        if server != self._server:
            self._server, self._probe_at = server, 0.0
            self.close()
        self._probe()

    def pause(self, interval_s: float, *, most_s: float = _LONGEST_S, reader: int = -1) -> Cause:
        """Wait for a wake or the end of the interval, at most ``most_s``; ``reader`` is watched for its end."""
        self._probe()
        live = self._subscription is not None
        wait = max(0.0, min(FALLBACK_S if live else interval_s, most_s))
        end = time.monotonic() + wait
        while True:
            seen = self._wait(end - time.monotonic(), reader)
            if reader in seen:
                return Cause.LEFT
            if not seen:
                return Cause.FALLBACK if live else Cause.CLOCK
            if self._still_there():
                return Cause.LEFT if self._merge(min(end, time.monotonic() + MERGE_S), reader) else Cause.WAKE
            # The daemon is gone: what is left of a plain interval is waited for.
            live, end = False, min(end, time.monotonic() + interval_s)

    def close(self) -> None:
        """Listen no more."""
        if self._subscription is not None:
            self._subscription.close()
            self._subscription = None

    def _probe(self) -> None:
        now = time.monotonic()
        if self._subscription is None and now >= self._probe_at and self._server:
            self._probe_at = now + PROBE_S
            self._subscription = link.subscribe(self._server)

    def _wait(self, seconds: float, reader: int) -> list[int]:
        poll = select.poll()
        if self._subscription is not None:
            poll.register(self._subscription.fd, select.POLLIN)
        if reader >= 0:
            poll.register(reader, 0)
        return [fd for fd, _ in poll.poll(max(0.0, min(seconds, _LONGEST_S)) * 1000)]

    def _merge(self, end: float, reader: int) -> bool:
        """Let further wakes come; whether the reader left meanwhile."""
        while (left := end - time.monotonic()) > 0:
            seen = self._wait(left, reader)
            if reader in seen:
                return True
            if seen and not self._still_there():
                return False
        return False

    def _still_there(self) -> bool:
        if self._subscription is not None and self._subscription.drain():
            return True
        self.close()
        self._probe_at = time.monotonic() + PROBE_S
        return False
