"""The one read: every pane with its options in one record each.

Fields are joined by ``|n|`` and records end with ``|n.|``, n being fresh random digits: control
characters are rewritten by some tmux versions, and nothing that an agent writes can guess n.

What the answer is made of is loaded when it comes, so that tmux is asked early.
"""

from tma.adapters import files, system
from tma.adapters.tmux import client
from tma.core.stamp import (
    AGED,
    EVIDENCE_AT,
    LAST_POLL,
    PID,
    READ_OPTIONS,
    SESSION_SUMMARY,
    SOURCE,
    STAMPED_AT,
    STATE,
    STATUS_LINE,
    SUMMARY,
    TELLING,
)  # fmt: skip
from tma.core.state import HOOK, WORKING, number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from tma.adapters.child import Child
    from tma.adapters.tmux.client import Server
    from tma.core.pane import Client, PaneRecord, ServerFacts

_TITLE = "=1024:pane_title"
"""So many cells of it: a title may be a megabyte long, and of one read 8 MiB are taken in all (SEC-R-2)."""

_FIRST = (
    "pane_id", "pane_pid", "session_id", "window_id", "window_activity", "pane_dead", _TITLE, *AGED, SUMMARY,
    SESSION_SUMMARY,
)  # fmt: skip
_OTHERS = tuple(key for key in READ_OPTIONS if key not in AGED)
_REST = (
    "session_name", "session_attached", "window_index", "pane_index", "scroll_position", "pane_in_mode", "pane_height",
    "socket_path", "version", "host", "pid", LAST_POLL, *_OTHERS, "pane_current_command",
)  # fmt: skip
_SHORT = len(_FIRST)
_FIELDS = _SHORT + len(_REST) + 1
_FACTS = ("socket_path", "version", "host", "pid", LAST_POLL, STATUS_LINE)
_CLIENT = ("pane_id", "client_activity", "client_control_mode", "client_flags", "focus-events")
_WINDOW, _SESSION = "window", "session"
_SUMMARIES = (
    ("list-windows", _WINDOW, "window_id", SUMMARY),
    ("list-sessions", _SESSION, "session_id", SESSION_SUMMARY),
)
_FEW = 256
ALL = "all"
ROWS = "rows"
COUNTS = "counts"
"""How much a read asks for: everything; what rows without directories need; what a process counts that then ends."""

_DECAY_MS = 60_000
"""How old a hook's claim may be that counts take as it is: where another age is configured, the pane is read again."""
MAX_PANES = 2000
"""Panes of one cycle (SEC-R-1)."""

NO_PROCESS = -1
"""The process of a dead pane where tmux tells none (3.8)."""

_SUMMARY_FIELDS = 3


class Asked:
    """The one read, begun at the instant ``now`` (epoch ms); ``mark`` parses what it will print.

    ``end`` is its last line where the client's own end need not be waited for.
    """

    __slots__ = ("begun", "end", "mark", "now")

    def __init__(self, begun: "Child", mark: str, now: int, *, end: str = "") -> None:
        """Keep the parts."""
        self.begun = begun
        self.end = end
        self.mark = mark
        self.now = now


def ask(server: "Server", now: int, *, depth: str) -> Asked:
    """Begin the one read of a cycle: tmux works at it while the caller goes on (READ-1).

    Raises:
        TmuxError: tmux is missing or cannot be started.
    """
    command, mark = list_panes() if depth == ALL else list_telling(now if depth == COUNTS else 0)
    facts = f"|{mark}|".join(["facts", *(f"#{{{name}}}" for name in _FACTS)])
    commands = ["display-message", "-p", f"{facts}|{mark}.|", ";", *command, ";", *list_clients(mark)]
    if depth != COUNTS:
        return Asked(server.begin(commands), mark, now)
    end = f"|{mark}.|end\n"
    return Asked(server.begin([*commands, ";", "display-message", "-p", end[:-1]]), mark, now, end=end)


def ask_early(given: "Mapping[str, str]") -> Asked | None:
    """The one read for counts, begun before the configuration is loaded; None where a file may choose another tmux.

    ``given`` are the command line's options by name.

    Raises:
        TmuxError: tmux is missing or cannot be started.
    """
    env = system.environment()
    if not files.is_unconfigured(env, given.get("config", ""), given.get("manifest_dir", "")):
        return None
    names = {name: given.get(name, "") for name in ("socket_name", "socket_path")}
    return ask(client.choose(env, **names), system.now_ms(), depth=COUNTS)


def pane_format(mark: str, *, path: bool = True, unless: str = "") -> str:
    """The format of one record; without ``path`` that field stays empty.

    Where the condition ``unless`` holds, it ends behind what decides whether a stamp stands.
    """
    first = f"|{mark}|".join(f"#{{{name}}}" for name in _FIRST)
    rest = f"|{mark}|".join(["", *(f"#{{{name}}}" for name in _REST), "#{pane_current_path}" if path else ""])
    return first + (f"#{{?{unless},,{rest}}}" if unless else rest) + f"|{mark}.|"


def parse(text: str, mark: str) -> "tuple[list[PaneRecord], ServerFacts | None]":
    """Records by pane, in the order listed, and the server's facts; broken records are dropped alone.

    A pane of a linked window or a session group is listed more than once: the kept record is an
    attached session's, else the lowest session number's, and carries every session (READ-4).
    """
    panes: dict[str, PaneRecord] = {}
    facts = None
    for piece in text.split(f"|{mark}.|"):
        fields = piece.removeprefix("\n").split(f"|{mark}|")
        if fields[0] == "facts" and len(fields) == len(_FACTS) + 1:
            facts = _facts(fields[1:-1])
            facts.status_line = fields[-1]
        elif facts is not None and len(fields) == _SUMMARY_FIELDS:
            (facts.windows if fields[0] == _WINDOW else facts.sessions)[fields[1]] = fields[2]
        elif facts is not None and len(fields) == 1:
            facts.others |= _processes(fields[0])
        elif (record := _record(fields)) is not None:
            if facts is None and len(fields) == _FIELDS:
                facts = _facts(fields[_SHORT + 7 : _SHORT + 12])
            _merge(panes, record)
    if facts is not None:
        for pane_id in panes:
            facts.others.pop(pane_id, None)
    return list(panes.values()), facts if panes or (facts and facts.others) else None


def _facts(fields: list[str]) -> "ServerFacts":
    from tma.core.pane import ServerFacts

    socket_path, version, host, pid, last = fields
    return ServerFacts(socket_path, version, host, number(pid) or 0, number(last) or 0)


def _processes(lines: str) -> dict[str, int]:
    """The panes' processes from the lines of the list that has nothing else."""
    pairs = (line.partition(" ") for line in lines.split("\n") if line)
    return {pane_id: process for pane_id, _, pid in pairs if (process := number(pid)) is not None}


def _record(fields: list[str]) -> "PaneRecord | None":
    from tma.core.pane import PaneRecord

    if len(fields) not in {_SHORT, _FIELDS}:
        return None
    dead = fields[5] == "1"
    pid = NO_PROCESS if dead and not fields[1] else number(fields[1])
    if pid is None:
        return None
    record = PaneRecord(fields[0], pid)
    record.sessions = [(fields[2], "")]
    record.window_id = fields[3]
    record.activity_s = number(fields[4]) or 0
    record.dead = dead
    record.title = fields[6]
    for key, value in zip(AGED, fields[7:], strict=False):
        if value:
            record.options[key] = value
    record.window_summary = fields[_SHORT - 2]
    record.summaries = {fields[2]: fields[_SHORT - 1]}
    return record if len(fields) == _SHORT or _complete(record, fields[_SHORT:]) else None


def _complete(record: "PaneRecord", rest: list[str]) -> bool:
    """Whether the rest of a record is whole; the record has it then."""
    window_index, pane_index = number(rest[2]), number(rest[3])
    if window_index is None or pane_index is None:
        return False
    record.sessions = [(record.sessions[0][0], rest[0])]
    record.attached = rest[1] not in {"", "0"}
    record.window_index = window_index
    record.pane_index = pane_index
    record.scroll = number(rest[4])
    record.in_mode = rest[5] not in {"", "0"}
    record.height = number(rest[6]) or 0
    for key, value in zip(_OTHERS, rest[12:], strict=False):
        if value:
            record.options[key] = value
    record.command, record.path = rest[-2:]
    return True


def _merge(panes: "dict[str, PaneRecord]", record: "PaneRecord") -> None:
    kept = panes.get(record.pane_id)
    if kept is None:
        panes[record.pane_id] = record
        return
    if _rank(record) < _rank(kept):
        panes[record.pane_id] = record
        kept, record = record, kept
    kept.sessions += [session for session in record.sessions if session not in kept.sessions]
    kept.summaries |= {key: text for key, text in record.summaries.items() if key not in kept.summaries}


def _rank(record: "PaneRecord") -> tuple[bool, int]:
    return (not record.attached, number(record.sessions[0][0].removeprefix("$")) or 0)


def list_panes() -> tuple[list[str], str]:
    """The command of the one read, and the mark to parse its output with."""
    mark = system.nonce(8)
    return ["list-panes", "-a", "-F", pane_format(mark)], mark


def list_telling(quiet_at: int = 0) -> tuple[list[str], str]:
    """The one read for who needs no more of a pane without an agent than its process, and the mark to parse it with.

    Records come only of panes that hold an option of ``TELLING``: tmux takes longest to find out that an
    option is not there. With ``quiet_at`` (epoch ms) those are short whose stamp nothing can have changed.
    """
    mark = system.nonce(8)
    told = "".join(f"#{{{name}}}" for name in TELLING)
    record = pane_format(mark, path=False, unless=_unchanged(quiet_at) if quiet_at else "")
    words = ["list-panes", "-a", "-f", told, "-F", record, ";"]
    for command, kind, key, summary in _SUMMARIES:
        shown = f"|{mark}|".join([kind, f"#{{{key}}}", f"#{{{summary}}}|{mark}.|"])
        words += [command, *(["-a"] if kind == _WINDOW else []), "-f", f"#{{{summary}}}", "-F", shown, ";"]
    return [*words, "list-panes", "-a", "-F", "#{pane_id} #{pane_pid}"], mark


def _unchanged(now: int) -> str:
    """A condition that mostly holds where a stale stamp stands unseen (CYC-4); a pane that it errs on is read again."""
    settled = f"#{{&&:#{{{PID}}},#{{!=:#{{{STATE}}},{WORKING}}}}}"
    silent = f"#{{<:#{{window_activity}},#{{=10:{STAMPED_AT}}}}}"
    young = f"#{{||:#{{!=:#{{{SOURCE}}},{HOOK}}},#{{>:#{{{EVIDENCE_AT}}},{now - _DECAY_MS}}}}}"
    return f"#{{&&:{settled},#{{&&:{silent},{young}}}}}"


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


def parse_clients(text: str, mark: str) -> "list[Client]":
    """The clients that a person may look through; broken records are skipped (ATN-4)."""
    clients = []
    for piece in text[max(0, text.find(f"|{mark}.|client|")) :].split(f"|{mark}.|"):
        fields = piece.rstrip("\n").split(f"|{mark}|")
        if len(fields) == len(_CLIENT) + 1 and fields[0] == "client" and fields[3] == "0":
            clients.append(_client(*fields[1:3], flags=fields[4].split(","), asked=fields[5] == "1"))
    return clients


def _client(pane_id: str, activity: str, *, flags: list[str], asked: bool) -> "Client":
    from tma.core.pane import Client

    active_at = (number(activity) or 0) * 1000
    focused = "focused" in flags if asked else None
    return Client(pane_id, active_at, suspended="suspended" in flags, focused=focused)
