"""The one read: every pane with its options in one record each, and captures in one client.

Fields are joined by ``|n|`` and records end with ``|n.|``, n being fresh random digits: control
characters are rewritten by some tmux versions, and nothing that an agent writes can guess n.
"""

from tma.adapters.system import nonce
from tma.core.pane import Client, PaneRecord, ServerFacts
from tma.core.stamp import LAST_POLL, READ_OPTIONS, SESSION_SUMMARY, STAMPED_AT, SUMMARY
from tma.core.state import number

_PLAIN = (
    "pane_id", "pane_pid", "session_name", "session_id", "session_attached", "window_id", "window_index",
    "pane_index", "window_activity", "scroll_position", "pane_in_mode", "pane_dead", "pane_height",
    "socket_path", "version", "host", "pid",
)  # fmt: skip
_OPTIONS = (*READ_OPTIONS, SUMMARY, SESSION_SUMMARY, LAST_POLL)
_FIELDS = len(_PLAIN) + len(_OPTIONS) + 3
_CLIENT_FIELDS = 4
MAX_PANES = 2000
"""Panes of one cycle (SEC-R-1)."""

HISTORY_LINES = 50
"""Lines above the screen that a capture takes (CAP-1)."""


def pane_format(mark: str, *, fresh_since_ms: int = 0) -> str:
    """The format of one record.

    With ``fresh_since_ms`` the foreground command and the path of a pane stamped after it stay
    empty: looking them up costs the server time, and nothing needs them (READ-1).
    """
    fields = [f"#{{{name}}}" for name in (*_PLAIN, *_OPTIONS)]
    dear = ["#{pane_current_command}", "#{pane_current_path}"]
    if fresh_since_ms:
        fresh = f"#{{e|>:#{{{STAMPED_AT}}},{fresh_since_ms}}}"
        dear = [f"#{{?{fresh},,{field}}}" for field in dear]
    return f"|{mark}|".join([*fields, *dear, "#{pane_title}"]) + f"|{mark}.|"


def parse(text: str, mark: str) -> tuple[list[PaneRecord], ServerFacts | None]:
    """Records by pane, in the order listed, and the server's facts; broken records are dropped alone.

    A pane of a linked window or a session group is listed more than once: the kept record is an
    attached session's, else the lowest session number's, and carries every session (READ-4).
    """
    panes: dict[str, PaneRecord] = {}
    facts = None
    for piece in text.split(f"|{mark}.|"):
        fields = piece.removeprefix("\n").split(f"|{mark}|")
        record = _record(fields)
        if record is None:
            continue
        facts = facts or _facts(fields)
        _merge(panes, record)
    return list(panes.values()), facts


def _facts(fields: list[str]) -> ServerFacts:
    socket_path, version, host, pid = fields[13:17]
    last = fields[len(_PLAIN) + len(_OPTIONS) - 1]
    return ServerFacts(socket_path, version, host, number(pid) or 0, number(last) or 0)


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


def list_panes(*, fresh_since_ms: int = 0) -> tuple[list[str], str]:
    """The command of the one read, and the mark to parse its output with."""
    mark = nonce(8)
    return ["list-panes", "-a", "-F", pane_format(mark, fresh_since_ms=fresh_since_ms)], mark


def list_clients(mark: str) -> list[str]:
    """The command that tells which pane each client shows, to follow the one read in its client."""
    return [
        "list-clients",
        "-F",
        f"|{mark}.|client|{mark}|#{{pane_id}}|{mark}|#{{client_activity}}|{mark}|#{{client_control_mode}}",
    ]


def parse_clients(text: str, mark: str) -> list[Client]:
    """The clients that a person may look through; broken records are skipped (ATN-4)."""
    clients = []
    for piece in text.split(f"|{mark}.|"):
        fields = piece.rstrip("\n").split(f"|{mark}|")
        if len(fields) == _CLIENT_FIELDS and fields[0] == "client" and fields[3] == "0":
            clients.append(Client(fields[1], (number(fields[2]) or 0) * 1000))
    return clients


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
