"""Children that outlast a call: talked to for as long as they run, with our own output, fed once, or nobody's.

Beside ``adapters.child`` the only place that starts processes.
"""

import errno
import posix

from tma.adapters.child import RESTORED, kill_group, pipes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tma.adapters.child import Environment


class Piped:
    """A child that is talked to by two pipes that never block; its errors go nowhere.

    Whoever talks to a tmux in control mode can do it to ``adapters.tmux.direct`` in the same words.
    """

    def __init__(self, argv: "Sequence[str]") -> None:
        """Start ``argv[0]``, an absolute path, in a group of its own.

        Raises:
            OSError: the program cannot be started.
        """
        (in_read, self.stdin), (self.stdout, out_write) = pipes(2)
        actions: list[tuple[object, ...]] = [
            (posix.POSIX_SPAWN_DUP2, in_read, 0),
            (posix.POSIX_SPAWN_DUP2, out_write, 1),
            (posix.POSIX_SPAWN_OPEN, 2, b"/dev/null", posix.O_WRONLY, 0),
        ]
        for fd in (self.stdin, self.stdout):
            posix.set_blocking(fd, False)
        try:
            self.pid = posix.posix_spawn(
                argv[0], list(argv), posix.environ, file_actions=actions, setpgroup=0, setsigdef=RESTORED
            )
        except OSError:
            self.close()
            raise
        finally:
            posix.close(in_read)
            posix.close(out_write)

    @property
    def watched(self) -> tuple[int, ...]:
        """The descriptors that have something to read when ``read`` has."""
        return (self.stdout,)

    def read(self, size: int) -> bytes:
        """What it wrote; nothing at its end.

        Raises:
            BlockingIOError: nothing yet.
        """
        return posix.read(self.stdout, size)

    def write(self, data: bytes) -> int:
        """How much of it was taken; an OSError where nothing can be."""
        return posix.write(self.stdin, data)

    def leave(self) -> None:
        """Ask a control client to go, by a blank line; one that takes none is killed."""
        try:
            self.write(b"\n")
        except BlockingIOError:
            self.kill()
        except OSError:
            return

    def close(self) -> None:
        """Close both pipes."""
        for fd in (self.stdin, self.stdout):
            if fd >= 0:
                posix.close(fd)
        self.stdin = self.stdout = -1

    def reaped(self) -> bool:
        """Whether it has ended; ask until it has."""
        try:
            return posix.waitpid(self.pid, posix.WNOHANG)[0] != 0
        except ChildProcessError:
            return True

    def kill(self) -> None:
        """Kill the whole group."""
        kill_group(self.pid)


class Guard:
    """A small process that kills others when we are gone, however we went; it sleeps until then.

    A control client whose reader has died can be left with output that nobody takes; tmux then waits
    for it for ever, and ``kill-server`` with it (3.3a, 3.5a, 3.7c, 3.8). It goes only with its process.
    """

    _SCRIPT = 'while read -r line; do pids=$line; done; [ -z "$pids" ] || kill -9 $pids'

    def __init__(self) -> None:
        """Start it.

        Raises:
            OSError: there is no shell.
        """
        self._process = Piped(["/bin/sh", "-c", self._SCRIPT])

    def protect(self, pids: "Sequence[int]") -> None:
        """Replace the processes that are to go with us."""
        try:
            posix.write(self._process.stdin, f"{' '.join(map(str, pids))}\n".encode())
        except OSError:
            return

    def close(self) -> None:
        """Let it go; nothing is killed."""
        self.protect([])
        self._process.close()

    def reaped(self) -> bool:
        """Whether it has ended."""
        return self._process.reaped()


def detach(argv: "Sequence[str]", *, env: "Environment", err: int) -> None:
    """Start ``argv[0]`` as nobody's child: a session of its own, cwd ``/``, no input or output, errors to ``err``.

    Call it in a process of one thread.

    Raises:
        OSError: it cannot be started.
    """
    actions: list[tuple[object, ...]] = [
        (posix.POSIX_SPAWN_OPEN, 0, b"/dev/null", posix.O_RDONLY, 0),
        (posix.POSIX_SPAWN_OPEN, 1, b"/dev/null", posix.O_WRONLY, 0),
        (posix.POSIX_SPAWN_DUP2, err, 2),
    ]
    pid = posix.fork()
    if pid == 0:
        # A child of ours starts it and ends at once: the system adopts it, and no caller is left with a zombie.
        code = 1
        try:
            posix.chdir("/")
            _seal()
            posix.posix_spawn(argv[0], list(argv), env, file_actions=actions, setsid=True, setsigdef=RESTORED)
            code = 0
        except OSError as error:
            code = error.errno or 1
        finally:
            posix._exit(code)  # noqa: SLF001
    code = posix.waitstatus_to_exitcode(posix.waitpid(pid, 0)[1])
    if code:
        raise OSError(code, posix.strerror(max(code, 1)))


def _seal() -> None:
    """Let nothing that the caller has open get into what is started."""
    for name in posix.listdir("/dev/fd"):
        try:
            posix.set_inheritable(int(name), False)  # noqa: FBT003
        except OSError:
            continue


class Attached:
    """A running child with our own output, in a group of its own; ``poll`` until it has ended.

    Its input is ours too, unless that is a terminal, which only the foreground group may read.
    """

    def __init__(self, argv: "Sequence[str]", *, env: "Environment", quiet: bool = False) -> None:
        """Start ``argv[0]``, an absolute path; ``quiet`` closes input and output.

        Raises:
            OSError: the program cannot be started.
        """
        closed = (0, 1, 2) if quiet else (0,) if posix.isatty(0) else ()
        actions = [(posix.POSIX_SPAWN_OPEN, fd, b"/dev/null", posix.O_RDWR, 0) for fd in closed]
        self.pid = posix.posix_spawn(argv[0], list(argv), env, file_actions=actions, setpgroup=0, setsigdef=RESTORED)

    def poll(self) -> int | None:
        """The exit code, negative for a signal; None while it runs."""
        pid, status = posix.waitpid(self.pid, posix.WNOHANG)
        return posix.waitstatus_to_exitcode(status) if pid else None

    def kill(self) -> None:
        """Kill the whole group and reap the child."""
        kill_group(self.pid)
        posix.waitpid(self.pid, 0)


class Fed:
    """A running child that reads a short text and whose output nobody sees; ``poll`` until it has ended."""

    def __init__(self, argv: "Sequence[str]", *, env: "Environment", stdin: bytes, session: bool = False) -> None:
        """Start ``argv[0]``, an absolute path, in a group of its own; a ``session`` of its own outlives us.

        Raises:
            OSError: the program cannot be started, or a pipe does not hold the text at once.
        """
        take, give = posix.pipe()
        try:
            posix.set_blocking(give, False)
            if stdin and posix.write(give, stdin) < len(stdin):
                raise BlockingIOError(errno.EAGAIN, "too much to hand over")
            actions = [(posix.POSIX_SPAWN_DUP2, take, 0)]
            actions += [(posix.POSIX_SPAWN_OPEN, fd, b"/dev/null", posix.O_WRONLY, 0) for fd in (1, 2)]  # type: ignore[misc]
            leads: dict[str, Any] = {"setsid": True} if session else {"setpgroup": 0}
            self.pid = posix.posix_spawn(argv[0], list(argv), env, file_actions=actions, setsigdef=RESTORED, **leads)
        finally:
            posix.close(take)
            posix.close(give)

    def poll(self) -> int | None:
        """The exit code, negative for a signal; None while it runs."""
        pid, status = posix.waitpid(self.pid, posix.WNOHANG)
        return posix.waitstatus_to_exitcode(status) if pid else None

    def signal(self, number: int) -> None:
        """Send a signal to the whole group; one that is gone already is no error."""
        kill_group(self.pid, number)
