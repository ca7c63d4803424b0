"""When a person is told: which triggers stand on a pane, and whether one may fire now.

1. A state trigger fires once an episode: its marker must be older than the episode's instant (TRG-2).
2. A gauge fires once a crossing, and is armed again ten points below its threshold (CTX-7).
3. A stall fires once a working run (TRG-6).
4. A policy is asked after the fire test and before the claim; the first rule that holds decides (POL-1).

A notice says that attention is wanted, and nothing else: nothing here answers anything (NOT-1).
"""

from tma.core import stamp as options
from tma.core.state import BLOCKED, HOOK, IDLE, WORKING, number
from tma.core.text import MAX_STORED, cut_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from tma.core.pane import Client, PaneRecord
    from tma.core.row import AgentRow
    from tma.core.stamp import Stamp

DONE = "done"
CONTEXT_HIGH = "context_high"
STALL = "stall"

TRIGGERS = (BLOCKED, DONE, CONTEXT_HIGH, STALL)
"""The trigger words, as a notice's ``state`` has them."""

REARM_POINTS = 10
"""How far below its threshold a gauge must fall to fire again (CTX-7)."""

WATCH_AGAIN_MS = 30_000
"""How soon a watched pane is judged again without any news (POL-3)."""

FIRED = "fired"
MUTED = "muted"
SNOOZED = "snoozed"
SHORT = "short-turn"
WATCHED = "watched"

CONSUMED = frozenset((FIRED, MUTED, SNOOZED, SHORT))
"""The outcomes that write the marker; a watched pane is judged again (NMK-5)."""


def state_trigger(stamp: "Stamp") -> str:
    """The state trigger that stands on a pane, "" for none."""
    if stamp.state == BLOCKED:
        return BLOCKED
    return DONE if stamp.state == IDLE and stamp.attention else ""


def state_due(stamp: "Stamp", notify: "Mapping[str, Any]", *, woken: bool = False) -> str:
    """The state trigger whose notice is due, "" for none; a chain in flight decides nothing (TRG-2, RD-4).

    ``woken`` is an episode whose snooze is over: its marker counts no more (POL-6).
    """
    trigger = state_trigger(stamp)
    marker = 0 if woken else stamp.notified
    due = trigger in notify["on"] and marker < stamp.episode and not stamp.in_progress
    return trigger if due else ""


def gauge_due(notify: "Mapping[str, Any]", stored: "Mapping[str, str]") -> tuple[bool, bool]:
    """Whether the gauge fires, and whether it is armed again; one in flight decides nothing (TRG-5)."""
    percent, at = number(stored.get(options.CONTEXT_PCT, "")), number(stored.get(options.CONTEXT_AT, ""))
    table = notify[CONTEXT_HIGH]
    if table is None or percent is None or not at:
        return False, False
    armed = options.CONTEXT_NOTIFIED_AT not in stored
    threshold = table["threshold"]
    return armed and percent >= threshold, not armed and percent < threshold - REARM_POINTS


def stall_at(stamp: "Stamp", pane: "PaneRecord", notify: "Mapping[str, Any]") -> int | None:
    """When a working run counts as stalled; None where it never does, or was told of (TRG-6, TRG-7)."""
    table = notify[STALL]
    if table is None or stamp.state != WORKING or not stamp.since or stamp.in_progress:
        return None
    if pane.option(options.STALL_NOTIFIED_AT) == str(stamp.since):
        return None
    due = stamp.since + int(table["threshold_s"]) * 1000
    if table["quiet_s"]:
        heard = stamp.evidence if stamp.source == HOOK else 0
        due = max(due, max(pane.activity_s * 1000, heard) + int(table["quiet_s"]) * 1000)
    return due


def is_muted(stored: "Mapping[str, str]", now: int) -> bool:
    """Whether a pane shall not ring (CLK-6)."""
    return (number(stored.get(options.MUTE_UNTIL, "")) or 0) > now


def watched(pane_id: str, clients: "Sequence[Client]", policy: "Mapping[str, Any]", now: int) -> bool:
    """Whether a person looks at a pane: a client shows it, and somebody is there (POL-2)."""
    if not policy["suppress_watched"]:
        return False
    span = int(policy["watched_s"]) * 1000
    shown = [client for client in clients if client.pane_id == pane_id and not client.suspended]
    return any(now - client.active_at < span if client.focused is None else client.focused for client in shown)


def outcome(
    trigger: str,
    stored: dict[str, str],
    *,
    episode: int,
    turn_ms: int | None,
    looked_at: bool,
    policy: "Mapping[str, Any]",
    now: int,
) -> str:
    """What becomes of a due notice: the first rule of the table that holds (POL-1 to POL-4, POL-6).

    ``turn_ms`` is the length of the turn that ended, None where it is not known; ``looked_at``
    whether the pane is watched.
    """
    if is_muted(stored, now):
        return MUTED
    if trigger not in {BLOCKED, DONE}:
        return FIRED
    if options.snoozed_until(stored, episode) > now:
        return SNOOZED
    if trigger == DONE and turn_ms is not None and turn_ms < int(policy["done_min_s"]) * 1000:
        return SHORT
    return WATCHED if looked_at else FIRED


class Notice:
    """One thing to tell, as every sink gets it; texts are raw, None says that there is nothing to say."""

    __slots__ = (
        "agent", "at", "branch", "context_pct", "detail", "episode_ms", "locator", "pane", "repo", "session",
        "since_ms", "title", "trigger",
    )  # fmt: skip

    def __init__(self, trigger: str, agent: str, pane: str, *, at: int) -> None:
        """Start a notice that fires at ``at`` (epoch ms)."""
        self.trigger = trigger
        self.agent = agent
        self.pane = pane
        self.at = at
        self.detail: str | None = None
        self.session: str | None = None
        self.locator = ""
        self.title = ""
        self.repo = ""
        self.branch = ""
        self.since_ms = 0
        self.episode_ms = 0
        self.context_pct: int | None = None


def notice_of(row: "AgentRow", trigger: str, at: int) -> Notice:
    """The notice about a row; the one place that builds one, for daemon and hook (NOT-5)."""
    notice = Notice(trigger, row.agent, row.pane, at=at)
    notice.detail, notice.session = row.detail, row.session
    # A program may give its pane a title of a megabyte, which no pipe to a command takes at once.
    notice.locator, notice.title = row.locator, cut_bytes(row.title, MAX_STORED)
    notice.repo, notice.branch = row.repo or "", row.branch or ""
    notice.episode_ms = row.episode_ms
    notice.since_ms = max(0, at - row.episode_ms)
    notice.context_pct = row.context
    return notice


def payload(notice: Notice, *, title: bool) -> list[tuple[str, object]]:
    """What a command reads and the log keeps, in the order of its keys; ``title`` lets the title in (NTF-2)."""
    pairs: list[tuple[str, object]] = [
        ("agent", notice.agent),
        ("pane", notice.pane),
        ("state", notice.trigger),
        ("detail", notice.detail),
        ("session", notice.session),
        ("locator", notice.locator),
        *([("title", notice.title)] if title else []),
        ("repo", notice.repo),
        ("branch", notice.branch),
        ("since_ms", notice.since_ms),
        ("episode_ms", notice.episode_ms),
        ("context_pct", notice.context_pct),
    ]
    return pairs


VARIABLES = (
    "TMA_AGENT", "TMA_PANE", "TMA_STATE", "TMA_LOCATOR", "TMA_SINCE_MS", "TMA_EPISODE_MS", "TMA_DETAIL",
    "TMA_SESSION", "TMA_REPO", "TMA_BRANCH", "TMA_CONTEXT_PCT", "TMA_TITLE",
)  # fmt: skip
"""What a command may find in its environment; those without a value are not there (NTF-1)."""


def variables(notice: Notice, *, title: bool) -> dict[str, str]:
    """A command's environment, without control characters; ``title`` lets the title in (NTF-1, CMD-1)."""
    values = {
        "TMA_AGENT": notice.agent,
        "TMA_PANE": notice.pane,
        "TMA_STATE": notice.trigger,
        "TMA_LOCATOR": notice.locator,
        "TMA_SINCE_MS": str(notice.since_ms),
        "TMA_EPISODE_MS": str(notice.episode_ms),
        "TMA_DETAIL": notice.detail or "",
        "TMA_SESSION": notice.session or "",
        "TMA_REPO": notice.repo,
        "TMA_BRANCH": notice.branch,
        "TMA_CONTEXT_PCT": "" if notice.context_pct is None else str(notice.context_pct),
        "TMA_TITLE": notice.title if title else "",
    }
    plain = {name: uncontrolled(text) for name, text in values.items()}
    return {name: text for name, text in plain.items() if text}


def uncontrolled(text: str) -> str:
    """A text without C0, DEL and C1."""
    return "".join(char for char in text if not (char < " " or "\x7f" <= char <= "\x9f"))
