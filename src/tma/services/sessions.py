"""The sessions of a server and who is attached to them, as control clients need to know them (DCC-2, DCC-3)."""

from tma.adapters import system
from tma.core.membership import Session
from tma.core.state import number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.services.runtime import Runtime

_FIELDS = 6


class Listing:
    """What the server said; ``pid`` is its process."""

    __slots__ = ("pid", "sessions")

    def __init__(self, pid: int, sessions: list[Session]) -> None:
        """Keep the parts."""
        self.pid = pid
        self.sessions = sessions


def listing(runtime: "Runtime") -> Listing:
    """Every session, in one tmux client.

    Raises:
        TmaError: the server is gone or took too long.
    """
    mark = system.nonce(8)
    fields = "pid", "session_id", "session_group", "session_activity", "destroy-unattached"
    shown = f"|{mark}|".join(f"#{{{name}}}" for name in fields)
    text = runtime.server.run(
        [
            *("list-sessions", "-F", f"s|{mark}|{shown}", ";"),
            *("list-clients", "-F", f"c|{mark}|#{{client_control_mode}}|{mark}|#{{session_id}}"),
        ]
    )
    rows = [line.split(f"|{mark}|") for line in text.split("\n")]
    people = [row[2] for row in rows if row[0] == "c" and row[1:2] == ["0"]]
    found = [row[1:] for row in rows if row[0] == "s" and len(row) == _FIELDS]
    sessions = [
        Session(name, group, number(activity) or 0, fragile not in {"", "0", "off"}, people.count(name))
        for _, name, group, activity, fragile in found
    ]
    return Listing(number(found[0][0]) or 0 if found else 0, sessions)
