"""The one read: every pane with its options in one record each, and captures in one client.

Fields are joined by ``|n|`` and records end with ``|n.|``, n being fresh random digits: control
characters are rewritten by some tmux versions, and nothing that an agent writes can guess n.
"""

from tma.adapters.system import nonce
from tma.core.pane import Client, PaneRecord, ServerFacts
from tma.core.stamp import LAST_POLL, READ_OPTIONS, SESSION_SUMMARY, STATUS_LINE, SUMMARY, TELLING
from tma.core.state import number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.adapters.child import Child
    from tma.adapters.tmux.client import Server

_PLAIN = (
    "pane_id", "pane_pid", "session_name", "session_id", "session_attached", "window_id", "window_index",
    "pane_index", "window_activity", "scroll_position", "pane_in_mode", "pane_dead", "pane_height",
    "socket_path", "version", "host", "pid",
)  # fmt: skip
_OPTIONS = (*READ_OPTIONS, SUMMARY, SESSION_SUMMARY, LAST_POLL)
_FIELDS = len(_PLAIN) + len(_OPTIONS) + 3
_FACTS = ("socket_path", "version", "host", "pid", LAST_POLL, STATUS_LINE)
_BRIEF = ("pane_id", "pane_pid", "session_name", "session_id", "window_id", "pane_dead", SUMMARY, SESSION_SUMMARY)
_CLIENT = ("pane_id", "client_activity", "client_control_mode", "client_flags", "focus-events")
_FEW = 256
MAX_PANES = 2000
"""Panes of one cycle (SEC-R-1)."""

HISTORY_LINES = 50
"""Lines above the screen that a capture takes (CAP-1)."""

_TITLE = "#{=1024:pane_title}"
"""So many cells of it: a title may be a megabyte long, and of one read 8 MiB are taken in all (SEC-R-2)."""


class Asked:
    """The one read, begun at the instant ``now`` (epoch ms); ``mark`` parses what it will print."""

    __slots__ = ("begun", "mark", "now")

    def __init__(self, begun: "Child", mark: str, now: int) -> None:
        """Keep the parts."""
        self.begun = begun
        self.mark = mark
        self.now = now


def ask(server: "Server", now: int, *, briefly: bool) -> Asked:
    """Begin the one read of a cycle: tmux works at it while the caller goes on (READ-1).

    ``briefly`` asks only for what a cycle itself needs.

    Raises:
        TmuxError: tmux is missing or cannot be started.
    """
    command, mark = list_telling() if briefly else list_panes()
    facts = f"|{mark}|".join(["facts", *(f"#{{{name}}}" for name in _FACTS)])
    commands = ["display-message", "-p", f"{facts}|{mark}.|", ";", *command, ";", *list_clients(mark)]
    return Asked(server.begin(commands), mark, now)


def pane_format(mark: str, *, path: bool = True) -> str:
    """The format of one record; without ``path`` that field stays empty."""
    fields = [f"#{{{name}}}" for name in (*_PLAIN, *_OPTIONS, "pane_current_command")]
    return f"|{mark}|".join([*fields, "#{pane_current_path}" if path else "", _TITLE]) + f"|{mark}.|"


def parse(text: str, mark: str) -> tuple[list[PaneRecord], ServerFacts | None]:
    """Records by pane, in the order listed, and the server's facts; broken records are dropped alone.

    A pane of a linked window or a session group is listed more than once: the kept record is an
    attached session's, else the lowest session number's, and carries every session (READ-4). A
    brief record says nothing of a pane that has a whole one.
    """
    panes: dict[str, PaneRecord] = {}
    brief: dict[str, PaneRecord] = {}
    facts = None
    for piece in text.split(f"|{mark}.|"):
        fields = piece.removeprefix("\n").split(f"|{mark}|")
        if fields[0] == "facts" and len(fields) == len(_FACTS) + 1:
            facts = _facts(fields[1:-1])
            facts.status_line = fields[-1]
        elif len(fields) == len(_BRIEF):
            record = _brief(fields)
            if record is not None and record.pane_id not in panes:
                _merge(brief, record)
        elif (record := _record(fields)) is not None:
            facts = facts or _facts([*fields[13:17], fields[len(_PLAIN) + len(_OPTIONS) - 1]])
            _merge(panes, record)
    panes |= brief
    return list(panes.values()), facts if panes else None


def _facts(fields: list[str]) -> ServerFacts:
    socket_path, version, host, pid, last = fields
    return ServerFacts(socket_path, version, host, number(pid) or 0, number(last) or 0)


def _brief(fields: list[str]) -> PaneRecord | None:
    pid = number(fields[1])
    if pid is None:
        return None
    record = PaneRecord(fields[0], pid)
    record.is_brief = True
    record.sessions = [(fields[3], fields[2])]
    record.window_id = fields[4]
    record.dead = fields[5] == "1"
    record.window_summary = fields[6]
    record.summaries = {fields[3]: fields[7]}
    return record


def _record(fields: list[str]) -> PaneRecord | None:
    if len(fields) != _FIELDS:
        return None
    pid, window_index, pane_index = (number(fields[at]) for at in (1, 6, 7))
    if pid is None or window_index is None or pane_index is None:
        return None
    record = PaneRecord(fields[0], pid)
    record.sessions = [(fields[3], fields[2])]
    record.attached = fields[4] not in {"", "0"}
    record.window_id = fields[5]
    record.window_index = window_index
    record.pane_index = pane_index
    record.activity_s = number(fields[8]) or 0
    record.scroll = number(fields[9])
    record.in_mode = fields[10] not in {"", "0"}
    record.dead = fields[11] == "1"
    record.height = number(fields[12]) or 0
    _read_options(record, fields[len(_PLAIN) : -3])
    record.command, record.path, record.title = fields[-3:]
    return record


def _read_options(record: PaneRecord, values: list[str]) -> None:
    for key, value in zip(READ_OPTIONS, values, strict=False):
        if value:
            record.options[key] = value
    record.window_summary = values[-3]
    record.summaries = {record.sessions[0][0]: values[-2]}


def _merge(panes: dict[str, PaneRecord], record: PaneRecord) -> None:
    kept = panes.get(record.pane_id)
    if kept is None:
        panes[record.pane_id] = record
        return
    if _rank(record) < _rank(kept):
        panes[record.pane_id] = record
        kept, record = record, kept
    kept.sessions += [session for session in record.sessions if session not in kept.sessions]
    kept.summaries |= {key: text for key, text in record.summaries.items() if key not in kept.summaries}


def _rank(record: PaneRecord) -> tuple[bool, int]:
    return (not record.attached, number(record.sessions[0][0].removeprefix("$")) or 0)


def list_panes() -> tuple[list[str], str]:
    """The command of the one read, and the mark to parse its output with."""
    mark = nonce(8)
    return ["list-panes", "-a", "-F", pane_format(mark)], mark


def list_telling() -> tuple[list[str], str]:
    """The one read for who needs no more of a pane without an agent than its process, and the mark to parse it with.

    Whole records come only of panes that hold an option of ``TELLING``: tmux takes longest to
    find out that an option is not there.
    """
    mark = nonce(8)
    brief = f"|{mark}|".join(f"#{{{name}}}" for name in _BRIEF)
    told = "".join(f"#{{{name}}}" for name in TELLING)
    whole = ["list-panes", "-a", "-f", f"#{{!=:{told},}}", "-F", pane_format(mark, path=False)]
    return [*whole, ";", "list-panes", "-a", "-F", f"{brief}|{mark}.|"], mark


def one_of(pane_ids: list[str]) -> str:
    """A filter for these panes alone, or for all where so many do not fit into an argument list (WR-3)."""
    if len(pane_ids) > _FEW:
        return "1"
    return f"#{{m:* #{{pane_id}} *, {' '.join(pane_ids)} }}"


def named(pane_id: str) -> str:
    """A filter for one pane; none for an empty id."""
    return f"#{{==:#{{pane_id}},{pane_id}}}"


def owned_by(pane_id: str, pids: "set[int]", session: str) -> str:
    """A filter for the panes that are named so, whose process is one of these, or that show that agent's session."""
    above = f"#{{m:* #{{pane_pid}} *, {' '.join(map(str, pids))} }}"
    same = f"#{{==:#{{@agent_session}},{session}}}" if session else "0"
    return f"#{{||:{named(pane_id)},#{{||:{above},{same}}}}}"


def list_clients(mark: str) -> list[str]:
    """The command that tells which pane each client shows, to follow the one read in its client."""
    return ["list-clients", "-F", f"|{mark}.|client" + "".join(f"|{mark}|#{{{name}}}" for name in _CLIENT)]


def parse_clients(text: str, mark: str) -> list[Client]:
    """The clients that a person may look through; broken records are skipped (ATN-4)."""
    clients = []
    for piece in text.split(f"|{mark}.|"):
        fields = piece.rstrip("\n").split(f"|{mark}|")
        if len(fields) == len(_CLIENT) + 1 and fields[0] == "client" and fields[3] == "0":
            clients.append(_client(*fields[1:3], flags=fields[4].split(","), asked=fields[5] == "1"))
    return clients


def _client(pane_id: str, activity: str, *, flags: list[str], asked: bool) -> Client:
    active_at = (number(activity) or 0) * 1000
    focused = "focused" in flags if asked else None
    return Client(pane_id, active_at, suspended="suspended" in flags, focused=focused)


def captures(pane_ids: list[str]) -> tuple[list[str], str]:
    """One client's commands that capture panes, and the mark to split their output with.

    Each capture stands under a test that its pane exists, because a command that fails ends the
    whole chain.
    """
    mark = nonce(8)
    commands: list[str] = []
    for pane_id in pane_ids:
        capture = f"capture-pane -p -e -t {pane_id} -S -{HISTORY_LINES}"
        body = f"display-message -p -t {pane_id} '|{mark}|#{{pane_id}}' ; {capture}"
        commands += ["if-shell", "-F", "-t", pane_id, "#{pane_id}", body, ";"]
    return commands[:-1], mark


def parse_captures(text: str, mark: str) -> dict[str, str]:
    """The captured text of each pane that was still there."""
    found = {}
    for piece in text.split(f"|{mark}|")[1:]:
        pane_id, _, body = piece.partition("\n")
        found[pane_id] = body
    return found
