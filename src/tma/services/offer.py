"""The offer of an event to the server's daemon (DEV-2, HOOK-2)."""

import posix

from tma.adapters import files, sock, system
from tma.core import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tma.services.intake import Call, Origin

ANSWER_S = 0.5
"""Seconds that handing over an event and its answer may take together (DEV-2)."""


def accepted(path: str, call: "Call", origin: "Origin", raw: str) -> bool:
    """Whether a daemon took the event over: it answered with an ACK and with nothing else (DEV-3).

    An event of a process that may not see what the server sees is left to the direct path, which knows.
    """
    if _is_elsewhere(call, origin) or not _is_private(path):
        return False
    frame = wire.event(call.pane, call.agent, call.kind, raw, said(call, origin))
    connection = sock.connect(path, ANSWER_S) if frame else None
    if frame is None or connection is None:
        return False
    try:
        return connection.send(frame) and connection.read(1) == wire.ACK
    finally:
        connection.close()


def said(call: "Call", origin: "Origin") -> "dict[str, Any]":
    """What an event says beside itself (DWP-1)."""
    ext: dict[str, Any] = {"at": call.at, "pid": posix.getppid(), "sid": origin.session}
    if call.server_pid:
        ext["srv"] = call.server_pid
    if origin.known is not None:
        ext["anc"] = origin.known
    if origin.own:
        ext["own"] = origin.own
    if origin.trusted:
        ext["trust"] = True
    return ext


def _is_private(path: str) -> bool:
    """Whether nobody else could have put a socket there (PTH-5)."""
    try:
        posix.close(files.open_private(path.rpartition("/")[0]))
    except OSError:
        return False
    return True


def _is_elsewhere(call: "Call", origin: "Origin") -> bool:
    """Whether the server that ``TMUX`` names is no process that can be seen from here (FWD-7)."""
    if not call.server_pid or any(pid == call.server_pid for pid, _ in origin.known or ()):
        return False
    name = system.name_of(call.server_pid)
    return not (name.startswith("tmux") if name else system.exists(call.server_pid))
