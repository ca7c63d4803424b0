"""The only place that starts processes: a deadline, bounded output, and the whole group killed.

Uses ``posix`` and not ``os`` or ``subprocess``, which the hot path cannot afford.
"""

import posix
import time

_CHUNK = 65536
_KILL = 9
RESTORED = (13, 25)
"""SIGPIPE and SIGXFSZ: Python ignores them, and a child would inherit that."""
_FIRST_NAP_S = 0.0001
_LONGEST_NAP_S = 0.02
LIMIT = 8 << 20
"""Bytes of output that are kept of one child (SEC-R-1)."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, TypeAlias

    Environment: TypeAlias = Mapping[str, str] | Mapping[bytes, bytes]


class Finished:
    """How a child ended: exit code (negative for a signal), output, and whether its time ran out."""

    __slots__ = ("code", "err", "out", "timed_out", "truncated")

    def __init__(self, code: int, out: bytes, err: bytes, *, timed_out: bool, truncated: bool) -> None:
        """Keep the parts."""
        self.code = code
        self.out = out
        self.err = err
        self.timed_out = timed_out
        self.truncated = truncated


class Child:
    """A running child with piped input and output; ``finish`` must be called once."""

    def __init__(
        self,
        argv: "Sequence[str]",
        *,
        env: "Environment | None" = None,
        timeout_s: float = 3.0,
        limit: int = LIMIT,
        talk: bool = False,
        session: bool = False,
    ) -> None:
        """Start ``argv[0]``, an absolute path, in a group of its own.

        Args:
            argv: the program and its arguments, never a shell string.
            env: the child's environment, ours by default.
            timeout_s: seconds from now until the group is killed.
            limit: bytes kept of output and of errors, each.
            talk: give the child a pipe as standard input; otherwise it is empty.
            session: start it in a session of its own, for a child that is to outlive us.

        Raises:
            OSError: the program cannot be started.
        """
        self._deadline = time.monotonic() + timeout_s
        self._limit = limit
        self._stdin = -1
        self._pending = b""
        self._parts: dict[int, bytearray] = {}
        self.truncated = False
        self.timed_out = False
        leads: dict[str, Any] = {"setsid": True} if session else {"setpgroup": 0}
        self.pid = self._spawn(argv, posix.environ if env is None else env, talk=talk, leads=leads)

    def _spawn(self, argv: "Sequence[str]", env: "Environment", *, talk: bool, leads: "dict[str, Any]") -> int:
        (out_read, out_write), (err_read, err_write), *more = pipes(3 if talk else 2)
        ends = [out_write, err_write]
        actions: list[tuple[object, ...]] = [(posix.POSIX_SPAWN_OPEN, 0, b"/dev/null", posix.O_RDONLY, 0)]
        for in_read, self._stdin in more:
            posix.set_blocking(self._stdin, False)
            ends.append(in_read)
            actions = [(posix.POSIX_SPAWN_DUP2, in_read, 0)]
        actions += [(posix.POSIX_SPAWN_DUP2, out_write, 1), (posix.POSIX_SPAWN_DUP2, err_write, 2)]
        self._out, self._err = out_read, err_read
        self._parts = {out_read: bytearray(), err_read: bytearray()}
        self._open = {out_read, err_read}
        try:
            return posix.posix_spawn(argv[0], list(argv), env, file_actions=actions, setsigdef=RESTORED, **leads)
        except OSError:
            for fd in self._open | ({self._stdin} - {-1}):
                posix.close(fd)
            raise
        finally:
            for fd in ends:
                posix.close(fd)

    @property
    def left_s(self) -> float:
        """Seconds until the deadline, 0 behind it."""
        return max(0.0, self._deadline - time.monotonic())

    def read_until(self, mark: bytes) -> bytes | None:
        """All output up to and with ``mark``; None if the child ends or its time runs out before."""
        seen = 0
        while True:
            out = self._parts[self._out]
            found = out.find(mark, max(0, seen - len(mark)))
            if found >= 0:
                text = bytes(out[: found + len(mark)])
                del out[: found + len(mark)]
                return text
            seen = len(out)
            if self._out not in self._open or self.truncated or not self._pump():
                return None

    def send(self, data: bytes) -> None:
        """Hand the child its whole input; the pipe closes behind it."""
        self._pending = data
        if not data:
            self._close_stdin()

    def _close_stdin(self) -> None:
        if self._stdin >= 0:
            posix.close(self._stdin)
            self._stdin = -1

    def _pump(self) -> bool:
        """Move bytes once; False when the deadline has passed."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            self.timed_out = True
            return False
        import select  # loaded while the child starts

        writers = [self._stdin] if self._pending and self._stdin >= 0 else []
        readable, writable, _ = select.select(list(self._open), writers, [], left)
        for fd in readable:
            self._read(fd)
        if writable:
            self._write()
        return True

    def _read(self, fd: int) -> None:
        data = posix.read(fd, _CHUNK)
        if not data:
            self._open.discard(fd)
            posix.close(fd)
            return
        part = self._parts[fd]
        room = self._limit - len(part)
        part += data[:room]
        if len(data) > room:
            self.truncated = True

    def _write(self) -> None:
        try:
            count = posix.write(self._stdin, self._pending)
        except BlockingIOError:
            return
        except BrokenPipeError:
            count = len(self._pending)
        self._pending = self._pending[count:]
        if not self._pending:
            self._close_stdin()

    def finish(self) -> Finished:
        """Wait for the end, or kill the group at the deadline; closes everything."""
        if not self._pending:
            self._close_stdin()
        try:
            while (self._open or self._pending) and not self.truncated and self._pump():
                pass
            code = self._wait()
        finally:
            self._close_stdin()
            for fd in self._open:
                posix.close(fd)
            self._open.clear()
        out, err = (bytes(self._parts[fd]) for fd in (self._out, self._err))
        return Finished(code, out, err, timed_out=self.timed_out, truncated=self.truncated)

    def _wait(self) -> int:
        nap = _FIRST_NAP_S
        while True:
            if self.timed_out or self.truncated or time.monotonic() >= self._deadline:
                self.timed_out = self.timed_out or not self.truncated
                self.kill()
                return posix.waitstatus_to_exitcode(posix.waitpid(self.pid, 0)[1])
            pid, status = posix.waitpid(self.pid, posix.WNOHANG)
            if pid:
                return posix.waitstatus_to_exitcode(status)
            import select

            select.select([], [], [], nap)
            nap = min(nap * 2, _LONGEST_NAP_S)

    def leave(self) -> None:
        """Let the child go on alone; instead of ``finish``."""
        self._close_stdin()
        for fd in self._open:
            posix.close(fd)
        self._open.clear()

    def kill(self) -> None:
        """Kill the child's whole group; one that is gone already is no error."""
        kill_group(self.pid)


def pipes(count: int) -> list[tuple[int, int]]:
    """So many pipes, or none.

    Raises:
        OSError: there are no more descriptors; none of them stays open.
    """
    made: list[tuple[int, int]] = []
    try:
        while len(made) < count:
            made.append(posix.pipe())
    except OSError:
        for fd in (fd for ends in made for fd in ends):
            posix.close(fd)
        raise
    return made


def kill_group(pid: int, number: int = _KILL) -> None:
    """Kill a child's group, or send it another signal; one that is gone already is no error."""
    try:
        posix.killpg(pid, number)
    except (ProcessLookupError, PermissionError):
        return


def run(
    argv: "Sequence[str]",
    *,
    stdin: bytes = b"",
    env: "Environment | None" = None,
    timeout_s: float = 3.0,
    limit: int = LIMIT,
) -> Finished:
    """Run a program to its end; see ``Child`` for the arguments and errors."""
    child = Child(argv, env=env, timeout_s=timeout_s, limit=limit, talk=bool(stdin))
    if stdin:
        child.send(stdin)
    return child.finish()
