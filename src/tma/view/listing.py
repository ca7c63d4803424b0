"""Rows as text and as JSON: the columns of ``tma ls`` and the one table of keys that every document uses."""

from tma.core.text import clean
from tma.view import jsonline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from tma.core.row import AgentRow

COLUMNS = (
    "pane", "agent", "state", "detail", "since", "locator", "title", "attention", "muted", "repo", "branch", "worktree",
)  # fmt: skip
"""The tab-separated fields of a text line, by attribute (LS-1)."""

ROW_KEYS = (
    ("pane", "pane", "string", "pane id `%N`"),
    ("agent", "agent", "string", "name of the agent; `?` where another tool's stamp names none"),
    ("state", "state", "string", "`idle`, `working`, `blocked` or `unknown`; a done pane stays `idle`"),
    ("detail", "detail", "string or null", "what kind of state, such as `permission`; an open vocabulary"),
    ("since", "since", "number", "instant at which the state began; 0 when unknown"),
    ("since_ms", "since", "number", "the same value as `since`"),
    ("episode_ms", "episode_ms", "number", "names this state run or turn"),
    ("locator", "locator", "string", "`session:window.pane`"),
    ("title", "title", "string", "pane title, written by the agent: not to be trusted"),
    ("attention", "attention", "bool", "the pane changed and nobody has looked since"),
    ("done", "done", "bool", "`state` is `idle` and `attention` is true"),
    ("session", "session", "string or null", "the agent's own session id"),
    ("transcript", "transcript", "string or null", "path of the agent's transcript"),
    ("permission_request", "permission_request", "string or null", "id of the pending permission request"),
    ("stamped_at_ms", "stamped_at_ms", "number or null", "when the pane was last looked at or reported"),
    ("context", "context", "number or null", "percent of the context window in use"),
    ("context_at_ms", "context_at_ms", "number or null", "instant of `context`; null exactly when that is"),
    ("muted", "muted", "bool", "notifications of the pane are muted now"),
    ("tokens", "tokens", "number or null", "tokens in the context window now, never a spend"),
    ("quota", "quota", "object or null", "null"),
    ("cost_usd", "cost_usd", "number or null", "null"),
    ("repo", "repo", "string or null", "repository name; linked worktrees share it"),
    ("branch", "branch", "string or null", "branch name; `HEAD` when detached"),
    ("worktree", "worktree", "bool or null", "whether it is a linked worktree"),
    ("pending_tool", "pending_tool", "string or null", "tool whose call waits for an answer"),
    ("pending_call", "pending_call", "string or null", "id of that call; may be empty"),
    ("pending_summary", "pending_summary", "string or null", "one line about that call, written by the agent"),
    ("server", "server", "string", "the tmux server's own socket path"),
    ("host", "host", "string", "node name of the machine that ran tma"),
    ("snoozed", "snoozed", "bool", "this episode is snoozed: not counted, not jumped to"),
)
"""The keys of a row in their order: key, attribute, type, meaning."""


def line(row: "AgentRow") -> str:
    """One row as a line of twelve tab-separated fields (LS-1 to LS-3)."""
    return "\t".join(_field(getattr(row, name)) for name in COLUMNS) + "\n"


def row_value(row: "AgentRow") -> dict[str, object]:
    """One row as the object of every JSON document that shows rows."""
    return {key: getattr(row, attribute) for key, attribute, _, _ in ROW_KEYS}


def ls_document(rows: "Iterable[AgentRow]") -> str:
    """The document of ``ls --json`` (LS-4)."""
    return jsonline.document([("agents", [row_value(row) for row in rows])])


def _field(value: object) -> str:
    if value is None or value is False:
        return ""
    return "1" if value is True else clean(str(value))
