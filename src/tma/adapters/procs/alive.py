"""The two questions about one process that every system answers with a plain call."""

import posix


def exists(pid: int) -> bool:
    """Whether a process of that id is there, no matter whose."""
    if pid <= 0:
        return False
    try:
        posix.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True


def session_of(pid: int) -> int:
    """The id of the session that a process belongs to, 0 where it cannot be told."""
    try:
        return posix.getsid(pid)
    except (OSError, OverflowError):
        return 0
