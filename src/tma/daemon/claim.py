"""One daemon a server: the lock that proves life, and the socket that only its holder binds (DID-3, DLC-2)."""

import fcntl
import os
import socket
import stat
import time

from tma.adapters import owned, system
from tma.core.errors import TmaError

BACKLOG = 128
ASKED_S = 0.1
"""How long others may hold the lock who only ask whether it is held; each takes it for an instant."""

_NAP_S = 0.005
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
_PRIVATE = 0o600


class Lock:
    """The server's lock, held until the process ends; the file is never unlinked (DID-4)."""

    def __init__(self, directory: int, name: str, descriptor: int) -> None:
        """Own a locked descriptor."""
        self._directory = directory
        self._name = name
        self._descriptor = descriptor

    def write(self, version: str) -> None:
        """Say who holds it; a full disk is no reason to stop."""
        try:
            os.pwrite(self._descriptor, f"{os.getpid()}\nversion={version}\n".encode(), 0)
        except OSError:
            return

    def is_ours(self) -> bool:
        """Whether the file at the path is still the one that is locked (DLC-13)."""
        try:
            seen = os.stat(self._name, dir_fd=self._directory, follow_symlinks=False)
        except OSError:
            return False
        return os.path.samestat(seen, os.fstat(self._descriptor))


def take(directory: int, name: str) -> Lock | None:
    """The lock, emptied of what a former holder wrote; None while another process holds it.

    Raises:
        TmaError: what has the name is no file of ours.
    """
    try:
        descriptor = os.open(name, _FLAGS, _PRIVATE, dir_fd=directory)
    except OSError as error:
        message = f"cannot open the lock {name}: {error.strerror}"
        raise TmaError(message) from None
    seen = os.fstat(descriptor)
    if not stat.S_ISREG(seen.st_mode) or seen.st_uid != system.uid():
        os.close(descriptor)
        message = f"the lock {name} is no file of this user"
        raise TmaError(message)
    end = time.monotonic() + ASKED_S
    while not _locked(descriptor):
        if time.monotonic() >= end:
            os.close(descriptor)
            return None
        time.sleep(_NAP_S)
    os.ftruncate(descriptor, 0)
    return Lock(directory, name, descriptor)


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class Endpoint:
    """The bound socket."""

    def __init__(self, path: str) -> None:
        """Bind; only the holder of the lock may.

        Raises:
            TmaError: something else has the path, or it is too long for a socket.
        """
        self.path = path
        self.listener = bound(path)
        self._own = os.lstat(path)

    def is_ours(self) -> bool:
        """Whether the socket at the path is still this one."""
        try:
            return os.path.samestat(os.lstat(self.path), self._own)
        except OSError:
            return False

    def close(self) -> None:
        """Stop listening, and take the path away if it still is ours."""
        if self.is_ours():
            os.unlink(self.path)  # noqa: PTH108  # the path is text everywhere here
        self.listener.close()


def bound(path: str) -> socket.socket:
    """A listening socket at a path that nobody else may open."""
    _clear(path)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC)
    former = os.umask(0o177)
    try:
        listener.bind(path)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        reason, hint = str(error), ""
        if "too long" in reason:
            reason = f"is {len(os.fsencode(path))} bytes long, more than a socket's path may have"
            hint = "set XDG_RUNTIME_DIR to a shorter directory"
        message = f"cannot listen: {path} {reason}"
        raise TmaError(message, hint) from None
    finally:
        os.umask(former)
    return listener


def _clear(path: str) -> None:
    """Remove a socket that a dead daemon left; anything else stays (DLC-2).

    Raises:
        TmaError: something else is there.
    """
    try:
        seen = os.lstat(path)
    except FileNotFoundError:
        return
    except OSError as error:
        message = f"cannot listen: {path}: {error.strerror}"
        raise TmaError(message) from None
    if not stat.S_ISSOCK(seen.st_mode) or seen.st_uid != system.uid():
        message = f"cannot listen: {path} is there and is no socket of this user"
        raise TmaError(message, "look at it, and move it away")
    os.unlink(path)  # noqa: PTH108  # the path is text everywhere here


def runtime_directory(path: str) -> int:
    """The private directory of sockets and locks.

    Raises:
        TmaError: it breaks a rule (PTH-5).
    """
    try:
        return owned.private_dir(path)
    except OSError as error:
        message = f"cannot use the runtime directory {error}"
        raise TmaError(message, "XDG_RUNTIME_DIR names its parent") from None
