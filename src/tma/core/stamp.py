"""The options: which there are, what removal clears, the stored tuple decoded, and the summaries (RU-1 to RU-3).

Every value read back is untrusted: any process of the user may have written it (STO-3).
"""

from tma.core.state import BLOCKED, CAPTURE, DONE, HOOK, IDLE, SOURCES, STATES, UNKNOWN, WORKING, is_token, number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.pane import PaneRecord

NAME = "@agent_name"
PID = "@agent_pid"
STATE = "@agent_state"
DETAIL = "@agent_detail"
SOURCE = "@agent_source"
EVIDENCE_AT = "@agent_evidence_at"
SINCE = "@agent_since"
STAMPED_AT = "@agent_stamped_at"
ATTENTION = "@agent_attention"
NOTIFIED_AT = "@agent_notified_at"
TURN_AT = "@agent_turn_at"
HASH = "@agent_hash"
SESSION = "@agent_session"
SUBAGENTS = "@agent_subagents"
IGNORE = "@agent_ignore"
MUTE_UNTIL = "@agent_mute_until"
ACTION = "@agent_action"
ACT_REPEAT = "@agent_act_repeat"
ACT_RESULT = "@agent_act_result"
CONTEXT_PCT = "@agent_context_pct"
CONTEXT_AT = "@agent_context_at"
TOKENS = "@agent_tokens"
TOKENS_AT = "@agent_tokens_at"
CONTEXT_NOTIFIED_AT = "@agent_context_notified_at"
STALL_NOTIFIED_AT = "@agent_stall_notified_at"
SNOOZE = "@agent_snooze"
MODEL = "@agent_model"
TRANSCRIPT = "@agent_transcript"
PERMISSION_REQUEST = "@agent_permission_request"
PENDING_TOOL = "@agent_pending_tool"
PENDING_CALL = "@agent_pending_call"
PENDING_SUMMARY = "@agent_pending_summary"
API_ENDPOINT = "@agent_api_endpoint"
TITLE_MATCH_PID = "@tma_title_match_pid"
REG_DEAD_SINCE = "@tma_reg_dead_since"
WATCH_PID = "@tma_watch_pid"
NOTIFY_CLAIM = "@tma_notify_claim"
DIALOG = "@tma_dialog"
ACTED = "@tma_acted"
STAGE = "@tma_stage"
LAST_POLL = "@tma_last_poll"
STATUS_LINE = "@tma_status"
EVENT_SEEN = "@tma_ev_"
SUMMARY = "@agent_summary"
SESSION_SUMMARY = "@agent_session_summary"

TUPLE = (NAME, PID, STATE, DETAIL, SOURCE, EVIDENCE_AT, SINCE, STAMPED_AT)
"""The state part of a stamp."""

PENDING = (PENDING_TOOL, PENDING_CALL, PENDING_SUMMARY, PERMISSION_REQUEST)
"""What a blocked pane says of its open call; leaving ``blocked`` clears it (CH-PENDING)."""

DEREG = (
    *TUPLE, ATTENTION, NOTIFIED_AT, TURN_AT, HASH, SESSION, SUBAGENTS, ACT_REPEAT, ACT_RESULT, CONTEXT_PCT,
    CONTEXT_AT, TOKENS, TOKENS_AT, CONTEXT_NOTIFIED_AT, MODEL, TRANSCRIPT, *PENDING, API_ENDPOINT,
    TITLE_MATCH_PID, REG_DEAD_SINCE, NOTIFY_CLAIM, STALL_NOTIFIED_AT, SNOOZE, DIALOG,
    ACTED,
)  # fmt: skip
"""What deregistration unsets (RM-1)."""

SPARED = (ACTION, MUTE_UNTIL, WATCH_PID, IGNORE)
"""What outlives an agent (RM-1)."""

TELLING = (STATE, STAMPED_AT, SUBAGENTS, CONTEXT_AT, IGNORE)
"""One of these stands where anybody reported or decided anything.

A lone leftover of another name, which shows nowhere, is cleared by the cycles that read every option.
"""

AGED = (
    *TUPLE, ATTENTION, NOTIFIED_AT, TURN_AT, HASH, SESSION, SUBAGENTS, CONTEXT_AT, TITLE_MATCH_PID, SNOOZE, IGNORE,
)  # fmt: skip
"""What decides whether a stamp stands unseen, and how its row counts."""

READ_OPTIONS = (*DEREG, *SPARED)
"""What the one read asks for, in order (READ-1)."""

SUMMARY_ORDER = (BLOCKED, WORKING, IDLE, UNKNOWN)
"""The fixed order of a summary."""

LEAP_MS = 60_000
"""How far a stored instant may lie ahead before it is a clock that was set back (CLK-4)."""

REPAIRED = (EVIDENCE_AT, TURN_AT, NOTIFIED_AT, CONTEXT_AT)
"""The instants that a cycle brings back to the present (CLK-4)."""

CLOCK_STEP_MS = 2000
"""How far ``since`` may lie ahead of ``stamped_at`` before it is a stepped clock (CLK-3)."""

MAX_PID = 2**32 - 1


class Stamp:
    """A decoded tuple with the companions that decide episodes; instants are epoch ms, 0 absent."""

    __slots__ = (
        "attention", "detail", "evidence", "hash", "name", "notified", "pid", "session", "since", "source",
        "stamped", "state", "subagents", "turn",
    )  # fmt: skip

    def __init__(self, state: str, *, name: str = "", source: str = CAPTURE, evidence: int = 0, since: int = 0) -> None:
        """Start a stamp; everything else is what an absent option means (RD-2)."""
        self.state = state
        self.name = name
        self.source = source
        self.evidence = evidence
        self.since = since
        self.pid = 0
        self.detail = ""
        self.stamped = 0
        self.notified = 0
        self.turn = 0
        self.attention = False
        self.hash = False
        self.session = ""
        self.subagents: tuple[str, ...] = ()

    @property
    def episode(self) -> int:
        """The instant that names this state run or turn (CLK-5)."""
        return max(self.since, self.turn)

    @property
    def stepped(self) -> bool:
        """Whether the clock went back since the state began (CLK-3)."""
        return self.since > self.stamped + CLOCK_STEP_MS

    @property
    def in_progress(self) -> bool:
        """Whether a chain may be in flight, so that the values decide nothing (RD-4)."""
        return not self.stepped and (self.stamped < self.since or self.stamped < self.evidence)

    @property
    def protected(self) -> bool:
        """Whether a hook's claim stands that screens may not simply replace."""
        return self.source == HOOK and self.state != UNKNOWN


def decode(options: dict[str, str]) -> tuple[Stamp | None, str]:
    """Read the stored tuple: the stamp or None, and why it cannot be decoded or "" (RD-2, RD-3)."""
    state = options.get(STATE, "")
    if not state:
        return None, ""
    source = options.get(SOURCE, "") or CAPTURE
    if state not in STATES:
        return None, f"{STATE} is {state!r}"
    if source not in SOURCES:
        return None, f"{SOURCE} is {source!r}"
    numbers = {}
    for key in (EVIDENCE_AT, SINCE, STAMPED_AT, NOTIFIED_AT, TURN_AT, PID):
        text = options.get(key, "")
        value = number(text or "0")
        if value is None or (key == PID and value > MAX_PID):
            return None, f"{key} is {text!r}"
        numbers[key] = value
    stamp = Stamp(state, name=options.get(NAME, ""), source=source, evidence=numbers[EVIDENCE_AT], since=numbers[SINCE])
    stamp.pid = numbers[PID]
    stamp.detail = options.get(DETAIL, "")
    stamp.stamped = numbers[STAMPED_AT]
    stamp.notified = numbers[NOTIFIED_AT]
    stamp.turn = numbers[TURN_AT]
    stamp.attention = options.get(ATTENTION) == "1"
    stamp.hash = HASH in options
    stamp.session = options.get(SESSION, "")
    stamp.subagents = tuple(options.get(SUBAGENTS, "").split())
    return stamp, ""


def event_seen(agent: str, event: str) -> str:
    """The server option that holds when an agent's event was last seen (WTR-1)."""
    text = f"{agent}_{event}"
    return EVENT_SEEN + "".join(char if char.isascii() and char.isalnum() else "_" for char in text)


def leaps(options: dict[str, str], now: int) -> bool:
    """Whether a stored instant lies so far ahead that the clock must have been set back (CLK-4)."""
    return any((number(options.get(key, "")) or 0) > now + LEAP_MS for key in REPAIRED)


def carries_stamp(pane: "PaneRecord") -> bool:
    """Whether any option that deregistration removes stands on a pane."""
    return any(key in pane.options for key in DEREG)


def snoozed_until(options: dict[str, str], episode: int) -> int:
    """When the snooze of exactly this episode ends, 0 without one (POL-6)."""
    until, _, snoozed = options.get(SNOOZE, "").partition(":")
    return (number(until) or 0) if number(snoozed) == episode else 0


def safe_detail(detail: str) -> str:
    """A detail as it may be written; anything outside the grammar is written empty (STO-5)."""
    return detail if is_token(detail) else ""


def summary(states: list[str]) -> str:
    """``blocked:1 working:2``; states outside the set count nothing."""
    counts = {state: states.count(state) for state in SUMMARY_ORDER if state in STATES}
    return " ".join(f"{state}:{count}" for state, count in counts.items() if count)


_LETTERS = {BLOCKED: "b", WORKING: "w", IDLE: "i", UNKNOWN: "u"}
DONE_LETTER = "d"
_WORD = f"#{{?{STATE}, #{{{STATE}}}#{{{ATTENTION}}}=,}}"
"""What a pane's state is told by while panes are counted: short, since tmux reads it once for each pane."""


def letters(key: str, *, done: str = "i") -> str:
    """A format that turns the words which an option holds into one letter each; other words leave none.

    ``done`` is the letter of an idle pane whose mark is up.
    """
    turned = [f"s/ {IDLE}1=/{done}/"]
    turned += [f"s/ {state}1?=/{letter}/" for state, letter in _LETTERS.items()]
    return f"#{{{';'.join(turned)};s/ [^ ]*=//:{key}}}"


def times(letter: str, key: str) -> str:
    """A format that gives how often a letter stands in an option."""
    return f"#{{n:#{{s/[^{letter}]//:{key}}}}}"


def summed(key: str) -> str:
    """A format that gives the summary of the letters that an option holds."""
    parts = (f"#{{?#{{m:*{letter}*,#{{{key}}}}}, {state}:{times(letter, key)},}}" for state, letter in _LETTERS.items())
    return f"#{{s/^ //:{''.join(parts)}}}"


WINDOW_WORDS = f"#{{P:{_WORD}}}"
"""The words of a window's panes: the loop is what costs, so it is run once (RU-3)."""

SESSION_WORDS = f"#{{W:{WINDOW_WORDS}}}"
"""The same for a session."""

_REPEATED = "#{&&:#{session_grouped},#{!=:#{session_name},#{s/,.*//:session_group_list}}}"
SERVER_WORDS = f"#{{S:#{{?{_REPEATED},,{SESSION_WORDS}}}}}"
"""The same for the server; sessions of a group are counted once. A snoozed pane counts until the next cycle."""


def class_letter(name: str) -> str:
    """The letter of a class among those of the status line."""
    return DONE_LETTER if name == DONE else _LETTERS[name]
