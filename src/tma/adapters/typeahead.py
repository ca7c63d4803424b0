"""What was typed into a terminal and not read yet: an agent that hangs leaves it to whoever reads next."""

import fcntl
import posix
import stat
import sys

_UNREAD = 0x4004667F if sys.platform == "darwin" else 0x541B
"""``FIONREAD``: how many bytes a read would give."""

_FLAGS = posix.O_RDONLY | posix.O_NOCTTY | posix.O_NONBLOCK | posix.O_NOFOLLOW | posix.O_CLOEXEC


def unread(path: str) -> int:
    """How many bytes wait in a terminal of the user's own; 0 where that cannot be told.

    The terminal is opened, never made the controlling one, and nothing is read from it.
    """
    if not path.startswith("/dev/"):
        return 0
    try:
        descriptor = posix.open(path, _FLAGS)
    except (OSError, ValueError):
        return 0
    try:
        found = posix.fstat(descriptor)
        if not stat.S_ISCHR(found.st_mode) or found.st_uid != posix.geteuid():
            return 0
        return int.from_bytes(fcntl.ioctl(descriptor, _UNREAD, bytes(4)), sys.byteorder)
    except OSError:
        return 0
    finally:
        posix.close(descriptor)
