"""A control client without a process of its own: tmux's client protocol, in an order that no old server dies of.

tmux's own client says first that it is a control client, and last, some system calls later, that it has said
everything; only then does the server set up what it writes notifications to. A server up to 3.5a that has
something to notify in between writes to what is not there, and dies with every session (3.3a, 3.5a; not 3.7c).
Here the flag, the end of the introduction and the command go in one message without a descriptor, which the
server takes in by one read and works off before it does anything else: to it the client is a control client
only once it is set up. What goes before is harmless at any time.

The server talks on two pipes whose ends it is given. The socket only says that it lets go of us, or we of it, by
will or by dying: it then drops the client at once, even if nobody reads the pipes (3.3a, 3.5a).
Numbers and sizes are those of 3.3a and 3.5a, and of 3.7c but for the mark of a descriptor.
"""

import _socket
import array
import posix
from collections.abc import Sequence
from struct import Struct

from tma.adapters.child import pipes

MARK = 0x0001
"""The flag of a message that brings a descriptor, up to 3.5a."""

MARK_SINCE_3_6 = 0x8000

_HEADER, _INT, _LONG = Struct("=IHHII"), Struct("=i"), Struct("=Q")
_PROTOCOL = 8
_NOBODY = 0xFFFFFFFF
_TERM, _TTYNAME, _STDIN, _DONE, _CLIENTPID, _CWD, _STDOUT, _LONGFLAGS = 101, 102, 104, 106, 107, 108, 110, 111
_COMMAND, _READY, _FLAGS = 200, 207, 218
_IS_CONTROL, _IS_UTF8 = 0x2000, 0x10000
_CHUNK = 16 << 10


class Direct:
    """One control client, from its first message on; ``leave`` it, read on until the end, then ``close`` it."""

    pid = 0
    """There is no process to kill, or to wait for."""

    def __init__(self, path: str, mark: int, command: Sequence[str]) -> None:
        """Introduce ourselves at a server's socket and send the command; nothing is waited for.

        Raises:
            OSError: nobody listens, or not all of it was taken at once; the server then knows of no control client.
        """
        self._mark = mark
        self._said = bytearray()
        self._input = self._output = -1
        self._socket = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        try:
            self._socket.setblocking(False)  # noqa: FBT003
            self._socket.connect(path)
            self._introduce(command)
        except OSError:
            self.close()
            raise

    @property
    def watched(self) -> tuple[int, ...]:
        """The descriptors that have something to read when ``read`` has."""
        return self._output, self._socket.fileno()

    def read(self, size: int) -> bytes:
        """What the server wrote; nothing once it, or we, let go.

        Raises:
            BlockingIOError: nothing yet.
        """
        try:
            return posix.read(self._output, size)
        except BlockingIOError:
            if self._is_dismissed():
                return b""
            raise

    def write(self, data: bytes) -> int:
        """How much of it was taken; an OSError where nothing can be."""
        return posix.write(self._input, data)

    def leave(self) -> None:
        """Let go: the server drops the client as soon as it looks."""
        try:
            self._socket.shutdown(_socket.SHUT_RDWR)
        except OSError:
            return

    kill = leave

    def close(self) -> None:
        """Close everything."""
        self._socket.close()
        for fd in (self._input, self._output):
            if fd >= 0:
                posix.close(fd)
        self._input = self._output = -1

    def reaped(self) -> bool:
        """Always."""
        return True

    def _introduce(self, command: Sequence[str]) -> None:
        (stdin, self._input), (self._output, stdout) = pipes(2)
        harmless = (
            _message(_TERM, b"\0")
            + _message(_TTYNAME, b"\0")
            + _message(_CWD, b"/\0")
            + _message(_CLIENTPID, _INT.pack(posix.getpid()))
        )
        decisive = (
            _message(_LONGFLAGS, _LONG.pack(_IS_CONTROL | _IS_UTF8))
            + _message(_DONE)
            + _message(_COMMAND, _INT.pack(len(command)) + b"".join(word.encode() + b"\0" for word in command))
        )
        try:
            for fd in (self._input, self._output):
                posix.set_blocking(fd, False)
            self._send(harmless + _message(_STDIN, flags=self._mark), stdin)
            self._send(_message(_STDOUT, flags=self._mark), stdout)
            self._send(decisive)
        finally:
            posix.close(stdin)
            posix.close(stdout)

    def _send(self, data: bytes, fd: int = -1) -> None:
        """All at once or not at all: a rest that came later would be the gap that this is about."""
        rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, array.array("i", [fd]))] if fd >= 0 else []
        if self._socket.sendmsg([data], rights) != len(data):
            message = "tmux took only a part of a message"
            raise OSError(message)

    def _is_dismissed(self) -> bool:
        """Whether the server is gone or wants us to go; whatever else it asks for, nobody here would answer."""
        try:
            data = self._socket.recv(_CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            return True
        self._said += data
        while len(self._said) >= _HEADER.size:
            kind, size, *_ = _HEADER.unpack_from(self._said)
            if kind not in {_READY, _FLAGS}:
                return True
            del self._said[: max(size, _HEADER.size)]
        return not data


def _message(kind: int, data: bytes = b"", *, flags: int = 0) -> bytes:
    return _HEADER.pack(kind, _HEADER.size + len(data), flags, _PROTOCOL, _NOBODY) + data
