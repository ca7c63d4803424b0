"""The control clients: one for each session that is watched, read whatever else waits (DCC-1 to DCC-15)."""

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tma.adapters import lasting
from tma.core.control import Lines, Notice
from tma.services import tap

_READS = 64
_CHUNK = 16 << 10
QUICK_S = 10.0
"""A client that ends within so many seconds is started again later and later."""

LONGEST_WAIT_S = 30.0
GOODBYE_S = 0.5


class Listener(NamedTuple):
    """What the owner of the clients is told."""

    notice: Callable[[Notice], None]
    attached: Callable[[str], None]
    ended: Callable[[], None]


class _Client:
    """One client, from its start to its last byte."""

    def __init__(self, session: str, line: tap.Client, began: float) -> None:
        self.session = session
        self.line = line
        self.began = began
        self.lines = Lines()
        self.is_attached = False


class Clients:
    """Keeps one client in each wanted session; they attach one after the other."""

    def __init__(self, loop: asyncio.AbstractEventLoop, connect: tap.Connect | None, listener: Listener) -> None:
        """Start without any; without ``connect`` there will be none."""
        self._loop = loop
        self._connect = connect
        self._listener = listener
        self._wanted: list[str] = []
        self._last = ""
        self._running: dict[str, _Client] = {}
        self._ended: list[tap.Client | lasting.Guard] = []
        self._guard: lasting.Guard | None = None
        self._failures: dict[str, int] = {}
        self._not_before: dict[str, float] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._closing: asyncio.Future[None] | None = None

    @property
    def sessions(self) -> list[str]:
        """The sessions that are attached to."""
        return [client.session for client in self._running.values() if client.is_attached]

    @property
    def touched(self) -> frozenset[str]:
        """The sessions whose last activity may be our own client's."""
        return frozenset(self._running)

    @property
    def is_whole(self) -> bool:
        """Whether every wanted session has a client."""
        return all(session in self._running for session in self._wanted)

    def want(self, sessions: Sequence[str], last: str) -> None:
        """Attach to these sessions in this order and leave all others; ``last`` is to stay the one used last."""
        self._wanted, self._last = list(sessions), last
        for session, client in list(self._running.items()):
            if session not in self._wanted:
                client.line.leave()
        for session in [session for session in self._not_before if session not in self._wanted]:
            self._not_before.pop(session)
            self._failures.pop(session, None)
        self._next()

    def send(self, line: str) -> None:
        """Write a command to every client."""
        for client in list(self._running.values()):
            self._write(client, line)

    def reap(self) -> None:
        """Take note of processes that have ended."""
        self._ended = [ended for ended in self._ended if not ended.reaped()]

    async def close(self) -> None:
        """End them all; what does not go is killed (DLC-14)."""
        self._wanted = []
        if self._timer is not None:
            self._timer.cancel()
        left = list(self._running.values())
        for client in left:
            client.line.leave()
        if left:
            self._closing = self._loop.create_future()
            await asyncio.wait([self._closing], timeout=GOODBYE_S)
        for client in list(self._running.values()):
            self._end(client)
        for ended in self._ended:
            if not isinstance(ended, lasting.Guard):
                ended.kill()
        self._protect()
        self.reap()

    def _next(self) -> None:
        """Start the next one, unless one is still on its way: the order of attaching is the order of use."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        connect = self._connect
        if connect is None or self._closing or any(not client.is_attached for client in self._running.values()):
            return
        missing = [session for session in self._wanted if session not in self._running]
        if not missing:
            return
        due = min(self._not_before.get(session, 0) for session in missing)
        now = self._loop.time()
        if now < due:
            self._timer = self._loop.call_at(due, self._next)
        else:
            self._start(next(session for session in missing if self._not_before.get(session, 0) <= now), connect)

    def _start(self, session: str, connect: tap.Connect) -> None:
        try:
            line = connect(session)
        except OSError:
            self._failed(session)
            self._loop.call_soon(self._next)
            return
        client = _Client(session, line, self._loop.time())
        self._running[session] = client
        self._protect()
        for fd in line.watched:
            self._loop.add_reader(fd, self._read, client)

    def _read(self, client: _Client) -> None:
        for _ in range(_READS):
            try:
                data = client.line.read(_CHUNK)
            except BlockingIOError:
                return
            except OSError:
                data = b""
            if not data:
                self._end(client)
                return
            notices = client.lines.feed(data)
            if not client.is_attached and any(notice.name == "session-changed" for notice in notices):
                self._joined(client)
            for notice in notices:
                self._listener.notice(notice)
            if self._running.get(client.session) is not client:
                return

    def _joined(self, client: _Client) -> None:
        """The first line that only an attached client gets (DED-3)."""
        client.is_attached = True
        self._listener.attached(client.session)
        if self.is_whole and self._last in self._running and client.session != self._last:
            # Attaching made another session the one used last; a switch to where it already is undoes that.
            self._write(self._running[self._last], f"switch-client -E -t '{self._last}'")
        self._next()

    def _write(self, client: _Client, line: str) -> None:
        """A full pipe drops the line, and the client is started anew (DCC-15)."""
        data = f"{line}\n".encode()
        try:
            if client.line.write(data) == len(data):
                return
        except BlockingIOError:
            pass
        except OSError:
            return
        client.line.kill()

    def _end(self, client: _Client) -> None:
        """The last byte was read: nothing of the client is left but perhaps a process to be reaped."""
        for fd in client.line.watched:
            self._loop.remove_reader(fd)
        client.line.close()
        if self._running.get(client.session) is client:
            del self._running[client.session]
            self._protect()
        if not client.line.reaped():
            self._ended.append(client.line)
        if self._closing is not None:
            if not self._running and not self._closing.done():
                self._closing.set_result(None)
            return
        if client.session in self._wanted:
            quick = self._loop.time() - client.began < QUICK_S
            self._failures[client.session] = self._failures.get(client.session, -1) + 1 if quick else 0
            self._failed(client.session)
        self._listener.ended()
        self._loop.call_soon(self._next)

    def _protect(self) -> None:
        """See to it that no client's process outlives us; without any there is no guard."""
        pids = [client.line.pid for client in self._running.values() if client.line.pid]
        if self._guard is None and pids:
            try:
                self._guard = lasting.Guard()
            except OSError:
                return
        if self._guard is not None:
            self._guard.protect(pids)
            if not pids:
                self._guard.close()
                self._ended.append(self._guard)
                self._guard = None

    def _failed(self, session: str) -> None:
        """Again at once, then after 1, 2, 4 … 30 s (DCC-4)."""
        count = self._failures.setdefault(session, 1)
        wait = min(LONGEST_WAIT_S, 2.0 ** (count - 1)) if count else 0.0
        self._not_before[session] = self._loop.time() + wait
