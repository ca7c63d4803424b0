"""The row: one agent pane as every surface shows it, and the orders that rows come in."""

from tma.core import stamp as options
from tma.core.state import ATTENTION_ORDER, DONE, class_of, number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from tma.core.pane import PaneRecord
    from tma.core.stamp import Stamp

NAMELESS = "?"
"""The agent of a foreign stamp that carries no name."""

MAX_PERCENT = 100


class Origin:
    """Where rows come from; with the pane id it names a row across machines (ROW-1)."""

    __slots__ = ("host", "server")

    def __init__(self, host: str, server: str) -> None:
        """Keep this machine's node name and the server's own socket path."""
        self.host = host
        self.server = server


class RepoLabel:
    """What a directory's repository says: its name, its branch or None, and if it is a linked worktree (ROW-3)."""

    __slots__ = ("branch", "repo", "worktree")

    def __init__(self, repo: str, branch: str | None, *, worktree: bool) -> None:
        """Keep the parts."""
        self.repo = repo
        self.branch = branch
        self.worktree = worktree


class AgentRow:
    """One agent pane with everything that a surface may show of it.

    ``None`` says that there is nothing to say. ``sessions`` are the names of all sessions that
    show the pane; ``session_name``, ``window_index`` and ``pane_index`` are the locator's parts.
    """

    __slots__ = (
        "agent", "attention", "branch", "context", "context_at_ms", "cost_usd", "detail", "episode_ms", "host",
        "locator", "model", "muted", "pane", "pane_index", "pending_call", "pending_summary", "pending_tool",
        "permission_request", "quota", "repo", "server", "session", "session_name", "sessions", "since",
        "snoozed", "stamped_at_ms", "state", "title", "tokens", "transcript", "window_index", "worktree",
    )  # fmt: skip

    def __init__(self, pane: str, agent: str, state: str) -> None:
        """Start a row with everything else at what an absent field means."""
        self.pane = pane
        self.agent = agent
        self.state = state
        self.detail: str | None = None
        self.since = 0
        self.episode_ms = 0
        self.locator = ""
        self.session_name = ""
        self.sessions: tuple[str, ...] = ()
        self.window_index = 0
        self.pane_index = 0
        self.title = ""
        self.attention = False
        self.session: str | None = None
        self.transcript: str | None = None
        self.permission_request: str | None = None
        self.stamped_at_ms: int | None = None
        self.model: str | None = None
        self.context: int | None = None
        self.context_at_ms: int | None = None
        self.muted = False
        self.snoozed = False
        self.tokens: int | None = None
        self.quota: None = None
        self.cost_usd: None = None
        self.repo: str | None = None
        self.branch: str | None = None
        self.worktree: bool | None = None
        self.pending_tool: str | None = None
        self.pending_call: str | None = None
        self.pending_summary: str | None = None
        self.server = ""
        self.host = ""

    @property
    def shown_class(self) -> str:
        """The disjoint class: an idle row with the mark up is done (ORD-3)."""
        return class_of(self.state, marked=self.attention)

    @property
    def done(self) -> bool:
        """Whether the agent finished and nobody has looked yet (ATN-2)."""
        return self.shown_class == DONE


class Store:
    """A pane's options read tolerantly: empty, unreadable or out of range is absent (RD-5)."""

    __slots__ = ("_options",)

    def __init__(self, values: dict[str, str]) -> None:
        """Read from these options."""
        self._options = values

    def text(self, name: str) -> str | None:
        """An option's text, None when absent."""
        return self._options.get(name) or None

    def number(self, name: str) -> int | None:
        """An option's number, None when absent."""
        return number(self._options.get(name, ""))


def row_of(
    pane: "PaneRecord",
    stamp: "Stamp",
    now: int,
    *,
    origin: Origin,
    label: RepoLabel | None = None,
    companions: dict[str, str] | None = None,
) -> AgentRow:
    """The row of a pane whose stamp says what its agent does.

    ``companions`` are the pane's options where they differ from what was read; they are judged
    at ``now`` (CYC-10).
    """
    row = AgentRow(pane.pane_id, stamp.name or NAMELESS, stamp.state)
    row.server, row.host = origin.server, origin.host
    row.detail = stamp.detail or None
    row.since, row.episode_ms = stamp.since, stamp.episode
    row.attention = stamp.attention
    row.session = stamp.session or None
    row.stamped_at_ms = stamp.stamped or None
    _place(row, pane)
    store = Store(pane.options if companions is None else companions)
    row.snoozed = options.snoozed_until(pane.options if companions is None else companions, stamp.episode) > now
    row.muted = (store.number(options.MUTE_UNTIL) or 0) > now
    row.model = store.text(options.MODEL)
    row.transcript = store.text(options.TRANSCRIPT)
    row.permission_request = store.text(options.PERMISSION_REQUEST)
    _gauges(row, store)
    _pending(row, store)
    if label is not None:
        row.repo, row.branch, row.worktree = label.repo, label.branch, label.worktree
    return row


def attention_order(rows: "Iterable[AgentRow]") -> list[AgentRow]:
    """Rows as a person needs them: by class, longest in it first, then by place (ORD-1)."""
    return sorted(rows, key=_attention_key)


def positional_order(rows: "Iterable[AgentRow]") -> list[AgentRow]:
    """Rows by session name, window and pane (ORD-2)."""
    return sorted(rows, key=place_key)


def _place(row: AgentRow, pane: "PaneRecord") -> None:
    row.locator = pane.locator
    row.session_name = pane.session_name
    row.sessions = tuple(name for _, name in pane.sessions)
    row.window_index, row.pane_index = pane.window_index, pane.pane_index
    row.title = pane.title


def _gauges(row: AgentRow, store: Store) -> None:
    """A value without its instant is a chain in flight and says nothing (RD-5)."""
    percent, at = store.number(options.CONTEXT_PCT), store.number(options.CONTEXT_AT)
    if percent is not None and percent <= MAX_PERCENT and at:
        row.context, row.context_at_ms = percent, at
    if store.number(options.TOKENS_AT):
        row.tokens = store.number(options.TOKENS)


def _pending(row: AgentRow, store: Store) -> None:
    """The open call is one thing: without its tool the rest says nothing."""
    row.pending_tool = store.text(options.PENDING_TOOL)
    if row.pending_tool:
        row.pending_call = store.text(options.PENDING_CALL) or ""
        row.pending_summary = store.text(options.PENDING_SUMMARY) or ""


def _attention_key(row: AgentRow) -> tuple[int, bool, int, tuple[bytes, int, int]]:
    return ATTENTION_ORDER.index(row.shown_class), row.since == 0, row.since, place_key(row)


def place_key(row: AgentRow) -> tuple[bytes, int, int]:
    """Where a row stands among others: session name by bytes, window, pane."""
    return row.session_name.encode("utf-8", "surrogatepass"), row.window_index, row.pane_index
