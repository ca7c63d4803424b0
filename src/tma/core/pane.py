"""What was seen: panes, processes and the server, as plain records."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class ProcInfo:
    """One process as the system shows it (PROC-1, PROC-8).

    ``names`` are every normalised name it carries, the kernel's first; ``tpgid`` is 0 where
    there is no controlling terminal. ``started`` is the start time in the system's own unit
    as text (Linux: clock ticks since boot), empty where unknown; ``started_ms`` is the same in epoch
    ms and never later than it was, known of a tree's root alone, 0 elsewhere.
    """

    __slots__ = ("names", "pgid", "pid", "ppid", "started", "started_ms", "tpgid")

    def __init__(
        self, pid: int, ppid: int, pgid: int, tpgid: int, names: tuple[str, ...], *, started: str = ""
    ) -> None:
        """Keep the parts."""
        self.pid = pid
        self.ppid = ppid
        self.pgid = pgid
        self.tpgid = tpgid
        self.names = names
        self.started = started
        self.started_ms = 0


class ServerFacts:
    """What the server said of itself in the one read (READ-1).

    ``status_line`` is the stored one, None where it was not asked for. ``windows`` and ``sessions`` are
    the summaries that stand, by id, where panes without an agent do not tell them; of those panes
    ``others`` has the process, by id.
    """

    __slots__ = ("host", "last_poll", "others", "pid", "sessions", "socket_path", "status_line", "version", "windows")

    def __init__(self, socket_path: str, version: str, host: str, pid: int, last_poll: int) -> None:
        """Keep the parts; ``last_poll`` is epoch milliseconds, 0 for never."""
        self.socket_path = socket_path
        self.version = version
        self.host = host
        self.pid = pid
        self.last_poll = last_poll
        self.status_line: str | None = None
        self.others: dict[str, int] = {}
        self.windows: dict[str, str] = {}
        self.sessions: dict[str, str] = {}


class Client:
    """A client that is no program's: the pane it shows and its last input, in epoch ms (ATN-4).

    ``focused`` is whether its terminal has the focus, None where tmux does not ask for that (POL-2).
    """

    __slots__ = ("active_at", "focused", "pane_id", "suspended")

    def __init__(self, pane_id: str, active_at: int, *, suspended: bool = False, focused: bool | None = None) -> None:
        """Keep the parts."""
        self.pane_id = pane_id
        self.active_at = active_at
        self.suspended = suspended
        self.focused = focused


class PaneRecord:
    """One pane of the one read (READ-1 to READ-5).

    ``options`` holds every non-empty ``@`` option of the pane by its name. ``sessions`` are
    the ``(session_id, session_name)`` pairs it was listed under, the kept locator's first.
    ``command`` is empty where it was not asked for. ``activity_s`` is epoch seconds of the
    window's last output, 0 for unknown. ``scroll`` is None outside copy mode.
    """

    __slots__ = (
        "activity_s",
        "attached",
        "command",
        "dead",
        "height",
        "in_mode",
        "options",
        "pane_id",
        "pane_index",
        "path",
        "pid",
        "scroll",
        "sessions",
        "summaries",
        "title",
        "window_id",
        "window_index",
        "window_summary",
    )

    def __init__(self, pane_id: str, pid: int) -> None:
        """Start a record with everything else at what an absent field means."""
        self.pane_id = pane_id
        self.pid = pid
        self.sessions: list[tuple[str, str]] = []
        self.attached = False
        self.window_id = ""
        self.window_index = 0
        self.pane_index = 0
        self.command = ""
        self.activity_s = 0
        self.scroll: int | None = None
        self.in_mode = False
        self.dead = False
        self.height = 0
        self.path = ""
        self.title = ""
        self.options: dict[str, str] = {}
        self.window_summary = ""
        self.summaries: dict[str, str] = {}

    @property
    def session_name(self) -> str:
        """The name of the session that the locator uses."""
        return self.sessions[0][1] if self.sessions else ""

    @property
    def locator(self) -> str:
        """``session:window.pane`` (READ-5)."""
        return f"{self.session_name}:{self.window_index}.{self.pane_index}"

    def option(self, name: str) -> str:
        """An option's value, empty when absent."""
        return self.options.get(name, "")


def proven(pane_pid: int, session_id: int, ancestors: "Iterable[tuple[int, str]]") -> bool:
    """Whether a pane's own process leads the hook's session or is one of its parents (OWN-2)."""
    return pane_pid == session_id or any(pid == pane_pid for pid, _ in ancestors)
