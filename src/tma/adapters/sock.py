"""A Unix socket from the client's side: connected without waiting, with a deadline for everything after.

Uses ``_socket`` and ``posix`` and not ``socket``, which the hot path cannot afford.
"""

import _socket
import posix
import select
import time

_CHUNK = 65536


class Connection:
    """One open connection; ``close`` it."""

    __slots__ = ("_deadline", "fd")

    def __init__(self, fd: int, timeout_s: float) -> None:
        """Own a connected descriptor; what is sent and read from now on shares ``timeout_s``."""
        self.fd = fd
        self._deadline = time.monotonic() + timeout_s

    def send(self, data: bytes) -> bool:
        """Whether all of it was taken in time."""
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[posix.write(self.fd, rest) :]
            except BlockingIOError:
                if not self._wait(writing=True):
                    return False
            except OSError:
                return False
        return True

    def read(self, size: int) -> bytes:
        """So many bytes; fewer where the other end closed or the time ran out."""
        whole = bytearray()
        while len(whole) < size:
            try:
                data = posix.read(self.fd, min(_CHUNK, size - len(whole)))
            except BlockingIOError:
                if not self._wait(writing=False):
                    break
                continue
            except OSError:
                break
            if not data:
                break
            whole += data
        return bytes(whole)

    def drain(self) -> bool:
        """Throw away what came; whether the other end is still there."""
        while True:
            try:
                if not posix.read(self.fd, _CHUNK):
                    return False
            except BlockingIOError:
                return True
            except OSError:
                return False

    def close(self) -> None:
        """Close the connection."""
        posix.close(self.fd)

    def _wait(self, *, writing: bool) -> bool:
        left = self._deadline - time.monotonic()
        if left <= 0:
            return False
        poll = select.poll()  # `select` takes no descriptor above 1023
        poll.register(self.fd, select.POLLOUT if writing else select.POLLIN)
        return bool(poll.poll(left * 1000))


def connect(path: str, timeout_s: float) -> Connection | None:
    """A connection to whatever listens at a path; None where nothing does, or not at once (DEV-2)."""
    made = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        made.setblocking(False)  # noqa: FBT003
        made.connect(path)
    except (OSError, ValueError):
        made.close()
        return None
    return Connection(made.detach(), timeout_s)
