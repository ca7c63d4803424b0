"""The pane lock: at most one fire at a time on a pane, held in one option (LK-1 to LK-7).

1. The value is ``<expiry_ms>:<nonce>:<pid>:<name>``; wrong numbers or an empty nonce are no lock.
2. Free is what is absent, empty, expired, or without leading digits; the server decides it and
   takes the lock in one step.
3. An expired lock whose holder is alive is still held, for an hour: clocks and process timers
   part across a suspend.
4. Only the holder of the nonce releases or hands over.
"""

from typing import NamedTuple

from tma.core.guard import lit, render
from tma.core.stamp import ACTION
from tma.core.state import number

GRACE_MS = 5000
"""What a lock lasts beyond its fire's own bound (LK-1)."""

OVERDUE_MS = 3_600_000
"""How long after its expiry a live holder keeps a lock (LK-3)."""

MAX_PID = 2**31 - 1
_FIELDS = 4


class Lock(NamedTuple):
    """A lock value; ``expiry`` is epoch ms."""

    expiry: int
    nonce: str
    pid: int
    name: str

    @property
    def text(self) -> str:
        """The value as it is stored; ValueError for anything that may not enter a format."""
        return str(lit(f"{self.expiry}:{self.nonce}:{self.pid}:{self.name}"))


def parse(text: str) -> Lock | None:
    """The lock of a stored value, or None for garbage."""
    parts = text.split(":", _FIELDS - 1)
    if len(parts) != _FIELDS or not parts[1]:
        return None
    expiry, pid = number(parts[0]), number(parts[2])
    if expiry is None or pid is None:
        return None
    return Lock(expiry, parts[1], pid, parts[3])


def outlives(lock: Lock | None, now: int, *, alive: bool) -> bool:
    """Whether an expired lock is still held, by a holder that is alive (LK-3)."""
    return lock is not None and lock.expiry <= now and alive and now - lock.expiry <= OVERDUE_MS


def is_held(lock: Lock | None, now: int, *, alive: bool) -> bool:
    """Whether a lock stands in the way (LK-6)."""
    return lock is not None and (lock.expiry > now or outlives(lock, now, alive=alive))


def holds(nonce: str) -> str:
    """The format that says whether the lock is ours: the nonce as a whole field (LK-4)."""
    return f"#{{m:*:{lit(nonce)}:*,#{{{ACTION}}}}}"


def taken(lock: Lock, now: int) -> str:
    """The format of the option's next value when the lock is asked for (LK-2)."""
    stored = f"#{{{ACTION}}}"
    expired = f"#{{e|<:#{{s/[^0-9].*//:{stored}}},{lit(now)}}}"
    return f"#{{?#{{||:#{{==:{stored},}},{expired}}},{lock.text},{stored}}}"


def released(nonce: str) -> str:
    """The format of the option's next value when we let go (LK-4)."""
    return f"#{{?{holds(nonce)},,{render(('opt', ACTION))}}}"


def handed_over(lock: Lock) -> str:
    """The format of the option's next value when another process takes our lock on (LK-5)."""
    return f"#{{?{holds(lock.nonce)},{lock.text},{render(('opt', ACTION))}}}"
