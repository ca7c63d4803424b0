"""Kept events, applied late: evidence order makes that safe, and a second time as well (DEV-6)."""

import posix

from tma.adapters import files, owned
from tma.core import wire
from tma.core.errors import TmaError
from tma.services import frames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.pane import ServerFacts
    from tma.services.runtime import Runtime

OLDEST_MS = 600_000
_MAX_FILE = 1 << 17
_DIGITS = 17


def apply(path: str, runtime: "Runtime", facts: "ServerFacts") -> int:
    """Apply what was kept, in time order, and delete it; how many events that were.

    What is too old, of another server or no frame is deleted unread. Where tmux fails the rest stays.
    """
    try:
        directory = files.open_private(path)
    except OSError:
        return 0
    applied = 0
    try:
        for name in sorted(posix.listdir(directory), key=_instant):
            if _is_being_written(name, runtime.now_ms()):
                continue
            if not _is_applied(name, directory, runtime, facts):
                break
            posix.unlink(name, dir_fd=directory)
            applied += 1
    except OSError:
        return applied
    finally:
        posix.close(directory)
    _remove(path)
    return applied


def _remove(path: str) -> None:
    """Take the directory away when it is empty, so that no cycle looks into it for nothing."""
    try:
        posix.rmdir(path)
    except OSError:
        return


def _is_applied(name: str, directory: int, runtime: "Runtime", facts: "ServerFacts") -> bool:
    """Whether a file is done with."""
    if runtime.now_ms() - _instant(name) > OLDEST_MS:
        return True
    try:
        request = wire.Request()
        request.feed(files.read_own(name, _MAX_FILE, dir_fd=directory))
    except OSError:
        return True
    if request.frame is None:
        return True
    try:
        outcome = frames.apply(runtime, request.frame, facts.pid)
    except TmaError:
        return False
    return outcome.trouble is None


def _is_being_written(name: str, now: int) -> bool:
    """Whether a file gets its name only when it is whole; one that nobody finished is too old in the end."""
    return name.endswith(owned.UNFINISHED) and now - _instant(name) <= OLDEST_MS


def _instant(name: str) -> int:
    """When a file's event happened; 0, and so too old, for a name that is none of ours."""
    at = name.partition("-")[0]
    return int(at) if at.isascii() and at.isdecimal() and len(at) < _DIGITS else 0
