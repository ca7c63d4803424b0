"""The processes of a macOS system, from one `ps` when first asked.

Command lines take a second `ps`, run only once some tree holds more than shells: a name that
`ps` prints may contain blanks, so only the last column of a line is safe to read.
"""

from tma.adapters import child
from tma.adapters.system import exists, session_of, uid
from tma.core.errors import TmaError
from tma.core.names import carried_names, is_shell, normalise
from tma.core.pane import ProcInfo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_TREE = 4096
MAX_ANCESTORS = 64
MAX_ROWS = 65536
TABLE = "pid=,ppid=,pgid=,tpgid=,lstart=,comm="
LINES = "pid=,args="
OWNERS = "pid=,uid="
_NUMBERS = 4
_DATE_WORDS = 5
_ENVIRONMENT = {b"LC_ALL": b"C"}


class Row:
    """One process as ``ps`` prints it."""

    __slots__ = ("comm", "pgid", "pid", "ppid", "started", "tpgid")

    def __init__(self, numbers: list[int], started: str, comm: str) -> None:
        """Keep the parts; the numbers are pid, parent, process group, foreground group."""
        self.pid, self.ppid, self.pgid, self.tpgid = numbers
        self.started = started
        self.comm = comm


def parse_table(text: str) -> dict[int, Row]:
    """The rows of the table by pid; a line of another shape is skipped (PROC-1)."""
    rows: dict[int, Row] = {}
    for line in text.split("\n"):
        words = line.split(None, _NUMBERS + _DATE_WORDS)
        if len(words) == _NUMBERS + _DATE_WORDS + 1 and all(map(_is_number, words[:_NUMBERS])):
            row = Row(list(map(int, words[:_NUMBERS])), " ".join(words[_NUMBERS:-1]), words[-1].rstrip())
            rows[row.pid] = row
    return rows


def parse_lines(text: str) -> dict[int, list[str]]:
    """The command line of each process, cut at blanks: ``ps`` joins the words with them."""
    lines: dict[int, list[str]] = {}
    for line in text.split("\n"):
        words = line.split()
        if words and _is_number(words[0]):
            lines[int(words[0])] = words[1:]
    return lines


class Table:
    """The processes at the first question; make one for each cycle or event."""

    __slots__ = ("_argv", "_children", "_rows")

    def __init__(self) -> None:
        """Ask nothing yet."""
        self._rows: dict[int, Row] | None = None
        self._argv: dict[int, list[str]] | None = None
        self._children: dict[int, list[int]] = {}

    def tree(self, root_pid: int, *, holding: int = 0) -> list[ProcInfo]:  # noqa: ARG002
        """A process and all its descendants, the root first (PROC-4); one `ps` tells all of them.

        At most 4096 of them; empty when the root is gone. Raises TmaError when ``ps`` cannot
        tell (PROC-7).
        """
        rows = self._read()
        seen = {root_pid}
        order = [root_pid] if root_pid in rows else []
        for pid in order:
            fresh = [child_pid for child_pid in self._children.get(pid, []) if child_pid not in seen]
            seen.update(fresh)
            order += fresh[: MAX_TREE - len(order)]
        return [self._info(rows[pid]) for pid in order]

    def foresee(self, pid: int) -> None:
        """Nothing: one `ps` is not cheaper beforehand, and may not be needed."""

    def carried(self, root_pid: int) -> "Iterator[str]":
        """Every name in a tree; errors are those of ``tree``."""
        for info in self.tree(root_pid):
            yield from info.names

    def ancestors(self, pid: int) -> list[tuple[int, str]]:
        """The parents of a process with their names, the nearest first, at most 64 (OWN-3)."""
        rows = self._read()
        found: list[tuple[int, str]] = []
        row = rows.get(pid)
        while row is not None and len(found) < MAX_ANCESTORS:
            row = rows.get(row.ppid) if row.ppid > 0 else None
            if row is not None:
                found.append((row.pid, self._info(row).names[0]))
        return found

    def names(self, pid: int) -> tuple[str, ...]:
        """Every name a process carries; nothing when it is not there."""
        row = self._read().get(pid)
        return self._info(row).names if row else ()

    def variable(self, pid: int, name: str) -> str:  # noqa: ARG002
        """Nothing: this system shows no other process's environment."""
        return ""

    def started_ms(self, started: str) -> int:  # noqa: ARG002
        """Nothing: `ps` tells the start in local time and whole seconds, which proves too little."""
        return 0

    def exists(self, pid: int) -> bool:
        """Whether a process of that id is there, no matter whose."""
        return exists(pid)

    def is_own(self, pid: int) -> bool:
        """Whether a process belongs to the user that we are."""
        return parse_lines(_ps(OWNERS)).get(pid) == [str(uid())]

    def getsid(self, pid: int) -> int:
        """The session of a process, 0 where it cannot be told."""
        return session_of(pid)

    def _read(self) -> dict[int, Row]:
        if self._rows is None:
            self._rows = parse_table(_ps(TABLE))
            if not 0 < len(self._rows) <= MAX_ROWS:
                message = f"cannot read the process table: {len(self._rows)} rows from ps"
                raise TmaError(message)
            for row in self._rows.values():
                self._children.setdefault(row.ppid, []).append(row.pid)
        return self._rows

    def _info(self, row: Row) -> ProcInfo:
        argv: list[str] = []
        if not is_shell(normalise(row.comm)):
            if self._argv is None:
                self._argv = parse_lines(_ps(LINES))
            argv = self._argv.get(row.pid, [])
        return ProcInfo(
            row.pid, row.ppid, row.pgid, max(row.tpgid, 0), carried_names(row.comm, argv), started=row.started
        )


def _ps(columns: str) -> str:
    """What ``ps`` prints of all processes in these columns."""
    try:
        done = child.run(["/bin/ps", "-axwwo", columns], env=_ENVIRONMENT)
    except OSError as error:
        message = f"cannot read the process table: {error}"
        raise TmaError(message) from error
    if done.code != 0:
        message = "cannot read the process table: ps " + ("timed out after 3s" if done.timed_out else "failed")
        raise TmaError(message)
    return done.out.decode("utf-8", "surrogateescape")


def _is_number(word: str) -> bool:
    return word.removeprefix("-").isdigit()
