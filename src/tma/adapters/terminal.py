"""Writing to terminals that others read: an attached client's, or a pane's. Nothing is ever waited for long.

A path is foreign text: only a terminal of the user's own is written to, by a descriptor that
never becomes the controlling terminal and never blocks (OSC-2).
"""

import errno
import fcntl
import posix
import select
import sys
import time

OK, BAD_TTY, BUSY, PARTIAL = "ok", "bad-tty", "client-busy", "partial"

WAIT_S = 0.5
"""How long a terminal may be busy (OSC-3)."""

_NAP_S = 0.02
_OUTQ = 0x40047473 if sys.platform == "darwin" else 0x5411
"""``TIOCOUTQ``: how many bytes a terminal has not taken yet."""

_FLAGS = posix.O_WRONLY | posix.O_NOCTTY | posix.O_NONBLOCK | posix.O_NOFOLLOW | posix.O_CLOEXEC


def send(path: str, data: bytes, *, end: bytes = b"", wait_s: float = WAIT_S) -> str:
    """Write bytes in one piece, while nothing else is half sent; gives the word of the result (OSC-3).

    ``end`` is what closes a sequence that was cut short. A terminal that does not take the bytes
    within ``wait_s`` gets nothing.
    """
    descriptor = _opened(path)
    if descriptor < 0:
        return BAD_TTY
    try:
        return _written(descriptor, data, end, time.monotonic() + wait_s)
    except OSError:
        return BAD_TTY
    finally:
        posix.close(descriptor)


def _opened(path: str) -> int:
    if not path.startswith("/"):
        return -1
    try:
        descriptor = posix.open(path, _FLAGS)
    except (OSError, ValueError):
        return -1
    if posix.isatty(descriptor) and posix.fstat(descriptor).st_uid == posix.geteuid():
        return descriptor
    posix.close(descriptor)
    return -1


def _written(descriptor: int, data: bytes, end: bytes, deadline: float) -> str:
    while True:
        count = _write(descriptor, data) if _is_idle(descriptor) else 0
        if count == len(data):
            return OK
        if count:
            _write(descriptor, end)
            return PARTIAL
        if time.monotonic() >= deadline:
            return BUSY
        select.select([], [], [], _NAP_S)


def _write(descriptor: int, data: bytes) -> int:
    """How many bytes went out; none where the terminal is full."""
    try:
        return posix.write(descriptor, data)
    except OSError as error:
        if error.errno in {errno.EAGAIN, errno.EINTR}:
            return 0
        raise


def _is_idle(descriptor: int) -> bool:
    """Whether a terminal took all that it was sent, and whoever writes to it does not wait for room.

    A Linux pseudo-terminal always says that it took everything: its other end holds what was not
    read. But a writer that waits for room is told so, and has then sent half of something.
    """
    if not select.select([], [descriptor], [], 0)[1]:
        return False
    try:
        answer = fcntl.ioctl(descriptor, _OUTQ, b"\0\0\0\0")
    except OSError:
        return True
    return int.from_bytes(answer, sys.byteorder) == 0
