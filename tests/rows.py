"""Rows as tests write them down."""

from tma.core.row import AgentRow
from tma.core.selector import Selection

NOW = 1_700_000_000_000

HOSTILE_TITLE = "a\tb#(touch x)#[fg=red]%H\x1b]0;x\x07\u202ec\u009b31m\"'$(id)"
"""A title that tries everything a title can try (SAN-3)."""

EVERYTHING = Selection()


def row(pane: str = "%1", agent: str = "claude", state: str = "idle", **fields: object) -> AgentRow:
    """A row in session ``work``, window 1, with changes."""
    made = AgentRow(pane, agent, state)
    made.locator, made.session_name, made.sessions, made.window_index = "work:1.0", "work", ("work",), 1
    made.server, made.host = "/run/tmux-1000/default", "box"
    made.since = made.episode_ms = NOW - 5000
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def fleet() -> list[AgentRow]:
    """One row of each class and a hostile one, in attention order."""
    return [
        row(
            "%5",
            state="blocked",
            detail="permission",
            since=NOW - 42_000,
            episode_ms=NOW - 42_000,
            title="fix the build",
            attention=True,
            session="65ced290-2a08",
            transcript="/home/u/.claude/projects/x/65ced290.jsonl",
            stamped_at_ms=NOW - 500,
            context=42,
            context_at_ms=NOW - 1100,
            tokens=84_000,
            repo="app",
            branch="main",
            worktree=False,
            pending_tool="Bash",
            pending_call="toolu_01",
            pending_summary="make test",
        ),
        row(
            "%2", "codex", "idle", attention=True, title="日本語のタイトル", repo="app", branch="fix/ünï", worktree=True
        ),
        row("%9", "pi", "working", title=HOSTILE_TITLE, muted=True),
        row("%3", "gemini", "idle", locator="two words:0.1", session_name="two words"),
        row("%7", "?", "unknown", since=0, episode_ms=0),
    ]
