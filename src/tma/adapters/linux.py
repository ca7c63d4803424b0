"""The processes of a Linux system, read from /proc without starting any.

A pane costs its own descendants, not the whole table: the kernel lists the children of every
thread. A kernel built without that list is read as a whole, once.
"""

import posix
import time

from tma.adapters.system import exists, now_ms, parents, session_of, uid
from tma.core.names import carried_names, is_shell, normalise
from tma.core.pane import ProcInfo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    Told: TypeAlias = tuple[int, list[bytes], tuple[str, ...]]

MAX_TREE = 4096
MAX_ROWS = 65536
MAX_BYTES = 65536
_FLAGS = posix.O_RDONLY | posix.O_CLOEXEC
_GONE_STATES = frozenset((b"Z", b"X", b"x"))
_TICKS = posix.sysconf("SC_CLK_TCK")
_ROUNDING_MS = 20
_ROOM = 4096
_PIECE = 2048
"""A piece below this is the last one: the kernel hands out whole pages, less the entry that did not fit."""

# Positions in /proc/<pid>/stat, counted behind the closing bracket of the name.
_STATE, _PPID, _PGID, _TPGID, _THREADS, _STARTED = 0, 1, 2, 5, 17, 19


class Table:
    """The processes as they are when asked; make one for each cycle or event."""

    __slots__ = ("_children", "_foreseen", "_root")

    def __init__(self, root: str = "/proc") -> None:
        """Read below ``root``."""
        self._root = root
        self._children: dict[int, list[int]] | None = None
        self._foreseen: dict[int, list[Told]] = {}

    def foresee(self, pid: int) -> None:
        """Read the tree of every child of a process now, while the caller waits for it anyway; 0 is none."""
        for child in self._children_of(pid, alone=True) if pid else ():
            self._foreseen[child] = list(self._walk_tree(child))

    def tree(self, root_pid: int, *, holding: int = 0) -> list[ProcInfo]:
        """A process and all its descendants, the root first (PROC-4).

        One that was foreseen is read anew if the process ``holding`` is not in it, which may have begun since.
        At most 4096 of them; empty when the root is gone. Raises TmaError where no process
        can be seen at all, since "nothing runs here" would be a wrong answer (PROC-7).
        """
        told = self._foreseen.get(root_pid, [])
        if not told or (holding and all(pid != holding for pid, *_ in told)):
            told = list(self._walk_tree(root_pid))
        found = [self._info(*each) for each in told]
        if found:
            found[0].started_ms = self.started_ms(found[0].started)
        return found

    def carried(self, root_pid: int) -> "Iterator[str]":
        """Every name in a tree, for who asks for no more; errors are those of ``tree``."""
        for _, _, names in self._foreseen.get(root_pid) or self._walk_tree(root_pid):
            yield from names

    def _walk_tree(self, root_pid: int) -> "Iterator[Told]":
        waiting, seen, count = [root_pid], {root_pid}, 0
        for pid in waiting:
            fields, comm = self._stat(pid)
            if not fields:
                continue
            yield self._told(pid, fields, comm)
            count += 1
            if count == MAX_TREE:
                break
            children = self._children_of(pid, alone=fields[_THREADS] == b"1")
            if children:
                fresh = [child for child in children if child not in seen]
                seen.update(fresh)
                waiting += fresh
        if not count and not self._stat(posix.getpid())[0]:
            message = f"cannot read the process table below {self._root}"
            raise _unreadable(message)

    def ancestors(self, pid: int) -> list[tuple[int, str]]:
        """The parents of a process with their names, the nearest first, at most 64 (OWN-3)."""
        return [(above, normalise(name)) for above, name in parents(pid, self._root)]

    def names(self, pid: int) -> tuple[str, ...]:
        """Every name a process carries; nothing when it is not there."""
        fields, comm = self._stat(pid)
        return self._told(pid, fields, comm)[2] if fields else ()

    def variable(self, pid: int, name: str) -> str:
        """A variable that a process of the user was started with, "" where it has none or cannot be asked."""
        wanted = f"{name}=".encode()
        for entry in _read(f"{self._root}/{pid}/environ").split(b"\0"):
            if entry.startswith(wanted):
                return _text(entry[len(wanted) :])
        return ""

    def started_ms(self, started: str) -> int:
        """A start time in clock ticks since boot as epoch ms, never later than it was; 0 where it cannot be told."""
        if not started.isdecimal():
            return 0
        age_ms = time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000 - int(started) * 1000 // _TICKS
        return max(0, now_ms() - age_ms - _ROUNDING_MS)

    def exists(self, pid: int) -> bool:
        """Whether a process of that id is there, no matter whose."""
        return exists(pid)

    def is_own(self, pid: int) -> bool:
        """Whether a process belongs to the user that we are."""
        try:
            return posix.stat(f"{self._root}/{pid}").st_uid == uid()
        except OSError:
            return False

    def getsid(self, pid: int) -> int:
        """The session of a process, 0 where it cannot be told."""
        return session_of(pid)

    def _stat(self, pid: int) -> tuple[list[bytes], str]:
        """What the system says of one process behind its name, and the name; nothing of one that has ended."""
        stat = _read(f"{self._root}/{pid}/stat")
        start, end = stat.find(b"("), stat.rfind(b")")
        fields = stat[end + 1 :].split(None, _STARTED + 1)
        if start < 0 or len(fields) <= _STARTED or fields[_STATE] in _GONE_STATES:
            return [], ""
        return fields, _text(stat[start + 1 : end])

    def _told(self, pid: int, fields: list[bytes], comm: str) -> "Told":
        """What is read of one process; a shell is nobody else by its command line, which is not read then."""
        return pid, fields, carried_names(comm, [] if is_shell(comm) else self._argv(pid))

    @staticmethod
    def _info(pid: int, fields: list[bytes], names: tuple[str, ...]) -> ProcInfo:
        pgid, tpgid = int(fields[_PGID]), max(int(fields[_TPGID]), 0)
        return ProcInfo(pid, int(fields[_PPID]), pgid, tpgid, names, started=fields[_STARTED].decode())

    def _argv(self, pid: int) -> list[str]:
        line = _read(f"{self._root}/{pid}/cmdline")
        return [_text(word) for word in line.rstrip(b"\0").split(b"\0")] if line else []

    def _children_of(self, pid: int, *, alone: bool) -> list[int]:
        """The children of all threads of a process; ``alone`` says that it has one thread."""
        if self._children is not None:
            return self._children.get(pid, [])
        found: list[int] = []
        for thread in [str(pid)] if alone else _names_in(f"{self._root}/{pid}/task"):
            try:
                listed = _read_or_raise(f"{self._root}/{pid}/task/{thread}/children")
            except FileNotFoundError:
                if _names_in(f"{self._root}/{pid}/task/{thread}"):
                    self._children = self._walk()
                    return self._children.get(pid, [])
                continue
            except OSError:
                continue
            found += map(int, listed.split())
        return found

    def _walk(self) -> dict[int, list[int]]:
        """Every parent's children, from the whole table."""
        children: dict[int, list[int]] = {}
        pids = [name for name in _names_in(self._root) if name.isdigit()]
        if len(pids) > MAX_ROWS:
            message = f"cannot read the process table: more than {MAX_ROWS} processes"
            raise _unreadable(message)
        for pid in pids:
            stat = _read(f"{self._root}/{pid}/stat")
            fields = stat[stat.rfind(b")") + 1 :].split()
            if len(fields) > _PPID:
                children.setdefault(int(fields[_PPID]), []).append(int(pid))
        return children


def _unreadable(message: str) -> Exception:
    """Loaded here: the table can nearly always be read, and errors are much to load."""
    from tma.core.errors import TmaError

    return TmaError(message)


def _names_in(directory: str) -> list[str]:
    try:
        return posix.listdir(directory)
    except OSError:
        return []


def _read(path: str) -> bytes:
    """A small file's bytes, empty when it cannot be read."""
    try:
        return _read_or_raise(path)
    except OSError:
        return b""


def _read_or_raise(path: str) -> bytes:
    """The bytes of a file; the kernel may hand a long one out in pieces."""
    descriptor = posix.open(path, _FLAGS)
    try:
        whole = b""
        while len(whole) < MAX_BYTES:
            piece = posix.read(descriptor, _ROOM)
            whole += piece
            if len(piece) < _PIECE:
                break
        return whole
    finally:
        posix.close(descriptor)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")
