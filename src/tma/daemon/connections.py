"""Everybody who connects: requests read piece by piece, answers that never block, subscribers (DWP-2, DSU-1)."""

import asyncio
import socket
from collections.abc import Callable
from typing import NamedTuple

from tma.core import wire

MAX_HALF_READ = 32
MAX_SUBSCRIBERS = 64
WHOLE_S = 2.0
"""Seconds that a request may take to arrive."""

MAX_QUEUED_BYTES = 4 << 20
"""Payloads that wait for the events lane; more are refused and stamped by their hooks."""

_ACCEPTED_A_TURN = 64
_CHUNK = 65536
_PAUSE_S = 0.1


class Handler(NamedTuple):
    """What the requests are answered with."""

    event: "Callable[[Waiting], None]"
    history: Callable[[], str]
    info: Callable[[], str]


class Waiting:
    """A whole event whose sender waits for one byte."""

    def __init__(self, owner: "Connections", sock: socket.socket, frame: wire.Frame) -> None:
        """Own the connection."""
        self.frame = frame
        self._owner = owner
        self._sock = sock

    def answer(self, *, accepted: bool) -> None:
        """Say whether a verdict was reached (DWP-3)."""
        self._owner.queued -= len(self.frame.payload)
        self._owner.naks += not accepted
        _send(self._sock, wire.ACK if accepted else wire.NAK)
        self._sock.close()


class _Half:
    """A connection whose request is not whole yet."""

    def __init__(self, sock: socket.socket, since: float) -> None:
        self.sock = sock
        self.since = since
        self.request = wire.Request()


class Connections:
    """All connections of a listening socket, on one loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, handler: Handler) -> None:
        """Get ready; ``listen`` begins."""
        self._loop = loop
        self._handler = handler
        self._listener: socket.socket | None = None
        self._half: dict[int, _Half] = {}
        self._subscribers: dict[int, socket.socket] = {}
        self._timer: asyncio.TimerHandle | None = None
        self.frames = 0
        self.naks = 0
        self.queued = 0

    @property
    def subscribers(self) -> int:
        """How many listen for wakes."""
        return len(self._subscribers)

    def listen(self, listener: socket.socket) -> None:
        """Accept on a socket, instead of the one before."""
        self.deafen()
        self._listener = listener
        self._loop.add_reader(listener, self._accept)

    def deafen(self) -> None:
        """Accept nothing more."""
        if self._listener is not None and self._listener.fileno() >= 0:
            self._loop.remove_reader(self._listener)
        self._listener = None

    def close(self) -> None:
        """Let everybody go; half requests are refused."""
        self.deafen()
        for half in list(self._half.values()):
            self._refuse(half)
        for sock in list(self._subscribers.values()):
            self._drop(sock)

    def wake(self) -> None:
        """Tell each subscriber that something may have changed; one that does not read is dropped."""
        for sock in list(self._subscribers.values()):
            if not _send(sock, wire.WAKE):
                self._drop(sock)

    def _accept(self) -> None:
        listener = self._listener
        for _ in range(_ACCEPTED_A_TURN):
            if listener is None:
                return
            try:
                sock, _ = listener.accept()
            except (BlockingIOError, ConnectionAbortedError):
                return
            except OSError:
                self._rest(listener)
                return
            sock.setblocking(False)  # noqa: FBT003
            self._admit(sock)

    def _rest(self, listener: socket.socket) -> None:
        """Out of descriptors: the oldest half request goes, and nobody is accepted for a moment."""
        if self._half:
            self._refuse(next(iter(self._half.values())))
        self._loop.remove_reader(listener)
        self._loop.call_later(_PAUSE_S, self._resume, listener)

    def _resume(self, listener: socket.socket) -> None:
        if listener is self._listener:
            self._loop.add_reader(listener, self._accept)

    def _admit(self, sock: socket.socket) -> None:
        if len(self._half) >= MAX_HALF_READ:
            self._refuse(next(iter(self._half.values())))
        half = _Half(sock, self._loop.time())
        self._half[sock.fileno()] = half
        self._loop.add_reader(sock, self._read, half)
        if self._timer is None:
            self._timer = self._loop.call_later(WHOLE_S, self._expire)
        self._read(half)

    def _read(self, half: _Half) -> None:
        try:
            data = half.sock.recv(_CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            half.request.feed(data)
        else:
            half.request.close()
        if half.request.done:
            self._serve(half)

    def _expire(self) -> None:
        """Refuse what did not arrive in time; one timer, and only while something is owed."""
        self._timer = None
        now = self._loop.time()
        for half in list(self._half.values()):
            if now - half.since >= WHOLE_S:
                self._refuse(half)
        if self._half:
            oldest = next(iter(self._half.values()))
            self._timer = self._loop.call_at(oldest.since + WHOLE_S, self._expire)

    def _forget(self, half: _Half) -> None:
        self._loop.remove_reader(half.sock)
        del self._half[half.sock.fileno()]
        if not self._half and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _refuse(self, half: _Half) -> None:
        self._forget(half)
        self.naks += 1
        _send(half.sock, wire.NAK)
        half.sock.close()

    def _serve(self, half: _Half) -> None:
        request = half.request
        if request.broken or (request.name == wire.EVENT and self._is_full(request)):
            self._refuse(half)
            return
        self._forget(half)
        if request.frame is not None:
            self.frames += 1
            self.queued += len(request.frame.payload)
            self._handler.event(Waiting(self, half.sock, request.frame))
        elif request.name == wire.SUBSCRIBE:
            self._subscribe(half.sock)
        else:
            _send(half.sock, self._answer(request.name))
            half.sock.close()

    def _is_full(self, request: wire.Request) -> bool:
        return request.frame is not None and self.queued + len(request.frame.payload) > MAX_QUEUED_BYTES

    def _answer(self, name: bytes) -> bytes:
        if name == wire.HISTORY:
            return wire.document(wire.DOCUMENT, self._handler.history())
        if name == wire.INFO:
            return wire.document(wire.INFORMED, self._handler.info())
        return wire.PONG

    def _subscribe(self, sock: socket.socket) -> None:
        if len(self._subscribers) >= MAX_SUBSCRIBERS or not _send(sock, wire.SUBSCRIBED):
            sock.close()
            return
        self._subscribers[sock.fileno()] = sock
        self._loop.add_reader(sock, self._drop, sock)

    def _drop(self, sock: socket.socket) -> None:
        """A subscriber that says anything, or leaves, is none any more."""
        self._loop.remove_reader(sock)
        del self._subscribers[sock.fileno()]
        sock.close()


def _send(sock: socket.socket, data: bytes) -> bool:
    """Whether all of it was taken at once."""
    try:
        return sock.send(data) == len(data)
    except OSError:
        return False
