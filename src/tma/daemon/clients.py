"""The control clients: a tmux process for each session that is watched, read whatever else waits (DCC-1 to DCC-15)."""

import asyncio
import posix
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tma.adapters import lasting
from tma.core.control import Lines, Notice

_READS = 64
_CHUNK = 16 << 10
QUICK_S = 10.0
"""A client that ends within so many seconds is started again later and later."""

LONGEST_WAIT_S = 30.0
GOODBYE_S = 0.5

CALM_S = 0.25
"""How long a server has been at rest before a client connects.

Up to 3.5a a server that tells its control clients of something while another one is connecting
writes to that one too, which is not set up yet, and dies (3.3a, 3.5a; 3.7c does not).
"""

_STIRS = frozenset((
    "sessions-changed", "session-window-changed", "window-add", "window-close", "unlinked-window-add",
    "unlinked-window-close", "window-pane-changed", "paste-buffer-changed", "paste-buffer-deleted",
))  # fmt: skip
"""What every control client is told, whichever session it is in."""


class Listener(NamedTuple):
    """What the owner of the clients is told."""

    notice: Callable[[Notice], None]
    attached: Callable[[str], None]
    ended: Callable[[], None]


class _Client:
    """One process, from its start to its last byte."""

    def __init__(self, session: str, process: lasting.Piped, began: float) -> None:
        self.session = session
        self.process = process
        self.began = began
        self.lines = Lines()
        self.is_attached = False


class Clients:
    """Keeps one client in each wanted session; they attach one after the other."""

    def __init__(self, loop: asyncio.AbstractEventLoop, argv: Callable[[str], list[str]], listener: Listener) -> None:
        """Start without any; ``argv`` makes a session's command."""
        self._loop = loop
        self._argv = argv
        self._listener = listener
        self._wanted: list[str] = []
        self._last = ""
        self._running: dict[str, _Client] = {}
        self._ended: list[lasting.Piped | lasting.Guard] = []
        self._guard: lasting.Guard | None = None
        self._failures: dict[str, int] = {}
        self._not_before: dict[str, float] = {}
        self._calm_at = 0.0
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
        if set(sessions) - set(self._wanted):
            self._stirred()
        self._wanted, self._last = list(sessions), last
        for session, client in list(self._running.items()):
            if session not in self._wanted:
                self._leave(client)
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
        self._ended = [process for process in self._ended if not process.reaped()]

    async def close(self) -> None:
        """End them all: a blank line detaches a client that still reads; what does not go is killed (DLC-14)."""
        self._wanted = []
        if self._timer is not None:
            self._timer.cancel()
        left = list(self._running.values())
        for client in left:
            self._write(client, "")
        if left:
            self._closing = self._loop.create_future()
            await asyncio.wait([self._closing], timeout=GOODBYE_S)
        for client in list(self._running.values()):
            self._end(client)
        for process in self._ended:
            if isinstance(process, lasting.Piped):
                process.kill()
        self._protect()
        self.reap()

    def _next(self) -> None:
        """Start the next one, unless one is still on its way: the order of attaching is the order of use."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._closing or any(not client.is_attached for client in self._running.values()):
            return
        missing = [session for session in self._wanted if session not in self._running]
        if not missing:
            return
        due = min(self._not_before.get(session, 0) for session in missing)
        now = self._loop.time()
        if now < max(due, self._calm_at):
            self._timer = self._loop.call_at(max(due, self._calm_at), self._next)
        else:
            self._start(next(session for session in missing if self._not_before.get(session, 0) <= now))

    def _stirred(self) -> None:
        """Something goes on in the server: nothing connects until it rests."""
        self._calm_at = self._loop.time() + CALM_S

    def _start(self, session: str) -> None:
        try:
            process = lasting.Piped(self._argv(session))
        except OSError:
            self._failed(session)
            self._loop.call_soon(self._next)
            return
        client = _Client(session, process, self._loop.time())
        self._running[session] = client
        self._protect()
        self._loop.add_reader(process.stdout, self._read, client)

    def _read(self, client: _Client) -> None:
        for _ in range(_READS):
            try:
                data = posix.read(client.process.stdout, _CHUNK)
            except BlockingIOError:
                return
            except OSError:
                data = b""
            if not data:
                self._end(client)
                return
            notices = client.lines.feed(data)
            if any(notice.name in _STIRS for notice in notices):
                self._stirred()
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
            self._write(self._running[self._last], f"switch-client -t '{self._last}'")
        self._next()

    def _write(self, client: _Client, line: str) -> None:
        """A full pipe drops the line, and the client is started anew (DCC-15)."""
        data = f"{line}\n".encode()
        try:
            if posix.write(client.process.stdin, data) == len(data):
                return
        except BlockingIOError:
            pass
        except OSError:
            return
        client.process.kill()

    def _leave(self, client: _Client) -> None:
        self._write(client, "")

    def _end(self, client: _Client) -> None:
        """The last byte was read: nothing of the client is left but a process to be reaped."""
        self._loop.remove_reader(client.process.stdout)
        client.process.close()
        if self._running.get(client.session) is client:
            del self._running[client.session]
            self._protect()
        if not client.process.reaped():
            self._ended.append(client.process)
        if self._closing is not None:
            if not self._running and not self._closing.done():
                self._closing.set_result(None)
            return
        if client.session in self._wanted:
            self._stirred()
            quick = self._loop.time() - client.began < QUICK_S
            self._failures[client.session] = self._failures.get(client.session, -1) + 1 if quick else 0
            self._failed(client.session)
        self._listener.ended()
        self._loop.call_soon(self._next)

    def _protect(self) -> None:
        """See to it that no client outlives us; without clients there is no guard."""
        pids = [client.process.pid for client in self._running.values()]
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
