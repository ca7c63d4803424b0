"""State files that agents write about themselves: when one is believed, and what it says.

Such a file is no documented interface, only a source that helps (APS-1 to APS-7). What it
says of a wait never names what is waited for, so nothing is ever answered because of it.
Finding and reading the file is someone else's work; here are only its text and facts.
"""

from tma.core.detect.evidence import PUBLISHED, Evidence
from tma.core.jsontext import parse
from tma.core.state import BLOCKED, IDLE, WORKING

CLAUDE_SESSIONS = "claude-sessions-json"
MOST_BYTES = 64 * 1024
AHEAD_MS = 2000

_CLAIMS = {"idle": (IDLE, ""), "shell": (IDLE, "background"), "busy": (WORKING, "")}
_WAITS = frozenset(("permission prompt", "input needed"))
_MENU = "dialog open"


class Writer:
    """The process that should have written a record, and the pane it runs in.

    ``started`` is its start time in the system's own form, ``started_ms`` no later than the
    same in epoch milliseconds; either may be unknown (empty, 0). ``changed_ms`` is when the
    file was last changed.
    """

    __slots__ = ("changed_ms", "pane_id", "pid", "started", "started_ms")

    def __init__(self, pid: int, pane_id: str, *, started: str, started_ms: int, changed_ms: int) -> None:
        """Keep the parts."""
        self.pid = pid
        self.pane_id = pane_id
        self.started = started
        self.started_ms = started_ms
        self.changed_ms = changed_ms


class Statement:
    """What a believed record says: evidence, or that a menu hides the state, or nothing of use."""

    __slots__ = ("evidence", "history_view")

    def __init__(self, evidence: Evidence | None = None, *, history_view: bool = False) -> None:
        """Keep the parts."""
        self.evidence = evidence
        self.history_view = history_view


def read_record(form: str, text: str, writer: Writer, now: int) -> Statement | None:
    """What the record says of its pane at ``now``, or None if it is not believed (APS-3)."""
    record = _record(form, text)
    status, at = record.get("status"), record.get("statusUpdatedAt")
    if not isinstance(status, str) or not isinstance(at, int) or isinstance(at, bool):
        return None
    if not _is_of(record, writer) or not writer.started_ms <= at <= now + AHEAD_MS:
        return None
    return _statement(status, record.get("waitingFor"), at, f"published {form}")


def _record(form: str, text: str) -> dict[str, object]:
    if form != CLAUDE_SESSIONS or len(text) > MOST_BYTES:
        return {}
    try:
        record = parse(text)
    except ValueError:
        return {}
    return record if isinstance(record, dict) else {}


def _is_of(record: dict[str, object], writer: Writer) -> bool:
    return _is_pid(record, writer.pid) and _names_pane(record, writer.pane_id) and _is_of_this_run(record, writer)


def _is_pid(record: dict[str, object], pid: int) -> bool:
    own = record.get("pid")
    return isinstance(own, int) and not isinstance(own, bool) and own == pid > 0


def _names_pane(record: dict[str, object], pane_id: str) -> bool:
    place = record.get("tmux")
    return place is None or (isinstance(place, str) and place.rpartition(".")[2] == pane_id)


def _is_of_this_run(record: dict[str, object], writer: Writer) -> bool:
    """Whether the process did not merely inherit the pid of the one that wrote the record."""
    start = record.get("procStart")
    if start is None:
        return 0 < writer.started_ms <= writer.changed_ms
    return bool(writer.started) and str(start) == writer.started


def _statement(status: str, waiting_for: object, at: int, label: str) -> Statement:
    if status in _CLAIMS:
        state, detail = _CLAIMS[status]
        return Statement(Evidence(PUBLISHED, state, at, detail=detail, label=label))
    if status == "waiting" and waiting_for in _WAITS:
        return Statement(Evidence(PUBLISHED, BLOCKED, at, label=label))
    return Statement(history_view=status == "waiting" and waiting_for == _MENU)
