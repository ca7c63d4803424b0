"""The chains of the cycle: publish, hold, reset, remove, gauges, as ordered guarded writes (CH-*).

Write order is part of the contract. ``since`` goes before the state that it compares. A guard reads
the source and evidence that the same chain replaces, and must not turn true half way: a captured
claim writes its source first, because its own evidence would hold CARVE and DECIDED while the
source still says hook; an event writes its evidence first, because a capture's newer evidence
would hold EVENT once the source says hook.
"""

from tma.core import guard, ops, stamp
from tma.core.guard import and_, eq, gt, if_, le, lit, opt, raw
from tma.core.state import BLOCKED, HOOK, number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from tma.core.guard import Expr
    from tma.core.ops import Op


class Claim:
    """What a producer wants stored: state, detail, source, and the instant of its evidence."""

    __slots__ = ("another", "at", "detail", "dialog", "raised", "source", "state")

    def __init__(self, state: str, *, source: str, at: int, detail: str = "", raised: bool = False) -> None:
        """Keep the parts; a detail outside the grammar is stored empty (STO-5).

        ``dialog`` marks the dialog that was read, empty for none; ``another`` says that it is not the stored one.
        """
        self.state = state
        self.source = source
        self.at = at
        self.detail = stamp.safe_detail(detail)
        self.raised = raised
        self.dialog = ""
        self.another = False


class Looked:
    """What the producer saw besides: the clock, the agent and the options it read."""

    __slots__ = ("anchor", "name", "now", "options", "pid")

    def __init__(self, *, now: int, pid: int, name: str, options: dict[str, str], anchor: int | None = None) -> None:
        """Keep the parts; ``anchor`` is the title anchor to store, None where there is none (ID-10)."""
        self.now = now
        self.pid = pid
        self.name = name
        self.options = options
        self.anchor = anchor


def since_expr(state: str, new_since: int, stamped: int) -> "Expr":
    """``since``, written once a state run, unless the stored one lies ahead of the clock (GRD-6, CLK-3)."""
    same = and_(eq(opt(stamp.STATE), lit(state)), opt(stamp.SINCE))
    kept = and_(same, le(opt(stamp.SINCE), lit(stamped + stamp.CLOCK_STEP_MS)))
    return if_(kept, opt(stamp.SINCE), lit(new_since))


def stamped_expr(now: int) -> "Expr":
    """``stamped_at``, which a slower writer never takes back (CH-PUBLISH)."""
    stored = opt(stamp.STAMPED_AT)
    ahead = and_(gt(stored, lit(now)), le(stored, lit(now + stamp.LEAP_MS)))
    return if_(ahead, stored, lit(now))


def tuple_ops(claim: Claim, hold: "Expr", stamped: int) -> "list[Op]":
    """The guarded state part of every chain: since, state, detail, then source and evidence."""
    source = ops.guarded(stamp.SOURCE, hold, lit(claim.source))
    evidence = ops.guarded(stamp.EVIDENCE_AT, hold, lit(claim.at))
    since = since_expr(claim.state, claim.at, stamped)
    if claim.another:
        # Of two producers that saw the next dialog the second finds it stored, and begins nothing.
        since = if_(eq(opt(stamp.DIALOG), lit(claim.dialog)), since, lit(claim.at))
    return [
        ops.guarded(stamp.SINCE, hold, since),
        ops.guarded(stamp.STATE, hold, lit(claim.state)),
        ops.guarded(stamp.DETAIL, hold, lit(claim.detail)),
        *((evidence, source) if claim.source == HOOK else (source, evidence)),
    ]


def clear_pending(hold: "Expr", options: dict[str, str]) -> "list[Op]":
    """Take down what a pane said of an open call, where it was read non-empty (CH-PENDING)."""
    return [ops.guarded(key, hold, "") for key in stamp.PENDING if options.get(key)]


def publish(claim: Claim, hold: "Expr", looked: Looked) -> "list[Op]":
    """CH-PUBLISH: a guarded tuple; what was looked at is refreshed even where the tuple holds."""
    chain = repair(looked) + tuple_ops(claim, hold, looked.now)
    if claim.raised:
        chain.append(ops.guarded(stamp.ATTENTION, hold, "1"))
    if claim.state != BLOCKED:
        chain += clear_pending(hold, looked.options)
    chain += [
        *_dialog(claim, looked),
        ops.put(stamp.HASH, "1"),
        ops.put(stamp.PID, str(looked.pid)),
        ops.put(stamp.NAME, looked.name),
        *_anchor(looked),
        ops.set_(stamp.STAMPED_AT, stamped_expr(looked.now)),
    ]
    return chain


def hold(looked: Looked) -> "list[Op]":
    """CH-HOLD: the screen was looked at, nothing was decided."""
    return [
        *repair(looked),
        ops.put(stamp.HASH, "1"),
        *_anchor(looked),
        ops.set_(stamp.STAMPED_AT, stamped_expr(looked.now)),
    ]


def reset(claim: Claim, evidence: int, looked: Looked) -> "list[Op]":
    """CH-RESET: another process took the pane; one conditional around plain writes."""
    chain = [
        ops.put(stamp.SINCE, str(claim.at)),
        ops.put(stamp.STATE, claim.state),
        ops.put(stamp.DETAIL, claim.detail) if claim.detail else ops.unset(stamp.DETAIL),
        ops.put(stamp.SOURCE, claim.source),
        ops.put(stamp.EVIDENCE_AT, str(claim.at)),
        ops.put(stamp.ATTENTION, "1") if claim.raised else ops.unset(stamp.ATTENTION),
        ops.unset(stamp.NOTIFIED_AT),
        ops.unset(stamp.TURN_AT),
        ops.unset(stamp.STALL_NOTIFIED_AT),
        ops.unset(stamp.SNOOZE),
        *(ops.unset(key) for key in stamp.PENDING if claim.state != BLOCKED and looked.options.get(key)),
        *_dialog(claim, looked),
        ops.put(stamp.HASH, "1"),
        ops.put(stamp.PID, str(looked.pid)),
        ops.put(stamp.NAME, looked.name),
        *_anchor(looked),
        ops.put(stamp.STAMPED_AT, str(looked.now)),
    ]
    return [ops.unless(guard.decided(evidence), chain)]


def remove(stamped_at: str) -> "list[Op]":
    """CH-REMOVE: take an agent's options away unless anyone stamped since ``stamped_at`` was read."""
    gone = [ops.unset(key) for key in stamp.DEREG]
    if not stamped_at or number(stamped_at) is not None:
        return [ops.when(eq(opt(stamp.STAMPED_AT), lit(stamped_at)), gone)]
    return [
        ops.put(stamp.STAGE, stamped_at),
        ops.when(eq(opt(stamp.STAMPED_AT), opt(stamp.STAGE)), gone),
        ops.unset(stamp.STAGE),
    ]


def seen(since: int, turn: str) -> "list[Op]":
    """CH-ATTN, seen by input: lower the mark unless it was raised again meanwhile."""
    same = and_(eq(opt(stamp.SINCE), lit(since or "")), eq(opt(stamp.TURN_AT), lit(turn)))
    return [ops.when(same, [ops.unset(stamp.ATTENTION)])]


def gauge(at: int, percent: int | None, tokens: int | None) -> "list[Op]":
    """CH-CONTEXT: an observation without a value empties it and still moves its instant on."""
    held = guard.context(at)
    amount = "" if tokens is None else lit(tokens)
    return [
        ops.guarded(stamp.CONTEXT_PCT, held, "" if percent is None else lit(percent)),
        ops.guarded(stamp.TOKENS, held, amount),
        ops.guarded(stamp.TOKENS_AT, held, "" if tokens is None else lit(at)),
        ops.guarded(stamp.CONTEXT_AT, held, lit(at)),
    ]


def repair(looked: Looked) -> "list[Op]":
    """CLK-4: instants far ahead of the clock come back to the present, first in the pane's chain."""
    limit = looked.now + stamp.LEAP_MS
    chain = []
    for key in stamp.REPAIRED:
        text = looked.options.get(key, "")
        if (number(text) or 0) > limit:
            chain.append(ops.set_(key, if_(gt(opt(key), lit(limit)), lit(looked.now), opt(key))))
    return chain


def _dialog(claim: Claim, looked: Looked) -> "list[Op]":
    """The dialog that was read; one that cannot be told for a moment stays the stored one."""
    stored = looked.options.get(stamp.DIALOG, "")
    if claim.state != BLOCKED:
        return [ops.unset(stamp.DIALOG)] if stored else []
    return [ops.put(stamp.DIALOG, claim.dialog)] if claim.dialog not in {"", stored} else []


def _anchor(looked: Looked) -> "list[Op]":
    if looked.anchor is None or looked.options.get(stamp.TITLE_MATCH_PID) == str(looked.anchor):
        return []
    return [ops.put(stamp.TITLE_MATCH_PID, str(looked.anchor))]


def counted(sessions: "Iterable[str]", status: str) -> "list[Op]":
    """Summaries and status line after one pane's change, counted by the server (RU-3).

    ``status`` is the format of the status line, empty for none. It costs the server time, so it
    stands last in a chain.
    """
    found = _counted("-w", "", stamp.SUMMARY, stamp.WINDOW_WORDS)
    for session in sessions:
        found += _counted("", session, stamp.SESSION_SUMMARY, stamp.SESSION_WORDS)
    return found + status_line(status)


def _counted(flag: str, target: str, key: str, words: str) -> "list[Op]":
    """An option takes the words of the panes, then their letters, then what these add up to."""
    steps = (words, stamp.letters(key), stamp.summed(key))
    return [ops.scoped(flag, target, key, raw(text)) for text in steps]


def status_line(status: str) -> "list[Op]":
    """The status line alone, counted by the server in the same steps; nothing without its format."""
    key = stamp.STATUS_LINE
    steps = (stamp.SERVER_WORDS, stamp.letters(key, done=stamp.DONE_LETTER), status)
    return [ops.scoped("-s", "", key, raw(text)) for text in steps if status]


def marked(now: int) -> "list[Op]":
    """Remember when nothing but shells was first seen, in epoch ms (ID-14)."""
    return [ops.put(stamp.REG_DEAD_SINCE, str(now))]


def unmarked(options: dict[str, str]) -> "list[Op]":
    """Forget that nothing but shells was seen (ID-14)."""
    return [ops.unset(stamp.REG_DEAD_SINCE)] if options.get(stamp.REG_DEAD_SINCE) else []
