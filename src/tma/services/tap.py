"""How a control client comes into a session: by tmux's own program, by its protocol, or not at all (DCC-1, DCC-4)."""

import re
from collections.abc import Callable

from tma.adapters.lasting import Piped
from tma.adapters.tmux.direct import MARK, MARK_SINCE_3_6, Direct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.adapters.tmux.client import Server

Client = Piped | Direct
Connect = Callable[[str], Client]

_VERSION = re.compile(r"(next-)?(\d+)\.(\d+)")
_STURDY = (3, 7, 0)
"""The first release that no client of tmux's own can crash while it connects (3.7c, 3.8; 3.3a and 3.5a die)."""

_REMARKED = (3, 6, 0)
_REMARKING = (3, 6, -1)
"""In the development of 3.6 it changed how a message brings a descriptor."""

_KNOWN = (3, 2, 0)


def connector(server: "Server", version: str, socket_path: str) -> Connect | None:
    """What attaches to a session, given its id; None where none can without a danger to the server.

    ``version`` and ``socket_path`` are the server's own words. The result raises OSError where nothing was
    started, and gives a client that reads, writes, leaves and ends the same whichever way it came.
    """
    found = _parsed(version)
    if found >= _STURDY:
        return lambda session: Piped(server.argv(["-C", *_attach(session)]))
    if found >= _KNOWN and found != _REMARKING:
        mark = MARK_SINCE_3_6 if found >= _REMARKED else MARK
        return lambda session: Direct(socket_path, mark, _attach(session))
    return None


def _attach(session: str) -> list[str]:
    """Without ``-E`` the session would take over the daemon's DISPLAY and SSH_AUTH_SOCK, or lose its own."""
    return ["attach-session", "-E", "-f", "ignore-size", "-t", session]


def _parsed(version: str) -> tuple[int, int, int]:
    """``3.3a`` as numbers, what was to become a release below it; nothing that is known for anything else."""
    found = _VERSION.match(version)
    return (int(found[2]), int(found[3]), -1 if found[1] else 0) if found else (0, 0, 0)
