"""The right to ring: one guarded chain for each fire, decided by the server, whoever asks (CH-NOTIFY, CH-CTXHIGH).

A claim writes a fresh nonce and the marker under one condition, and prints the claim back: only
the process whose nonce stands there rings. So daemon and hook, or two hooks, ring once; a
crash between the claim and the ring loses one notice and never doubles it (NMK-1, NMK-2).
"""

from tma.core import guard, ops, stamp
from tma.core.events.alerts import REARM_POINTS
from tma.core.guard import and_, eq, ge, gt, if_, lit, lt, ne, not_, opt, or_
from tma.core.state import BLOCKED, IDLE, WORKING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.events.hooks import Entry, Event
    from tma.core.guard import Expr
    from tma.core.ops import Op

_ANSWER = guard.raw("#{pane_id} #{@tma_notify_claim}")


def episode(state: str, instant: int, now: int, nonce: str) -> "list[Op]":
    """A pass's claim on an episode of the state it read (CH-NOTIFY)."""
    hold = or_(ge(opt(stamp.NOTIFIED_AT), lit(instant)), ne(opt(stamp.STATE), lit(state)))
    return [_claim(hold, nonce), _mark(stamp.NOTIFIED_AT, lit(max(now, instant)), nonce), answer()]


def stall(since: int, nonce: str) -> "list[Op]":
    """A pass's claim on a working run (TRG-6)."""
    told = eq(opt(stamp.STALL_NOTIFIED_AT), lit(since))
    other = or_(ne(opt(stamp.STATE), WORKING), ne(opt(stamp.SINCE), lit(since)))
    return [_claim(or_(told, other), nonce), _mark(stamp.STALL_NOTIFIED_AT, lit(since), nonce), answer()]


def gauge(threshold: int, now: int, nonce: str) -> "list[Op]":
    """A claim on the crossing of a gauge's threshold, and its arming again; the stored gauge decides (CH-CTXHIGH)."""
    percent, known = opt(stamp.CONTEXT_PCT), and_(ne(opt(stamp.CONTEXT_PCT), ""), opt(stamp.CONTEXT_AT))
    armed = eq(opt(stamp.CONTEXT_NOTIFIED_AT), "")
    high = and_(known, ge(percent, lit(threshold)))
    low = and_(known, lt(percent, lit(max(0, threshold - REARM_POINTS))))
    return [
        _claim(not_(and_(armed, high)), nonce),
        _mark(stamp.CONTEXT_NOTIFIED_AT, lit(now), nonce),
        ops.when(low, [ops.unset(stamp.CONTEXT_NOTIFIED_AT)]),
        answer(),
    ]


def event(event: "Event", entry: "Entry", nonce: str) -> "list[Op]":
    """A hook's claim on the episode that its event begins; it goes first in the event's chain (CH-NOTIFY, HOOK-12).

    ``answer`` ends the chain. Two ids may tell another prompt from the one that stands (GRD-6); one
    that may not enter a format is compared through the staging option, in a claim of its own.
    """
    at = lit(event.at)
    hold = guard.event(event.at)
    marked = _is_marked(event.at) if entry["state"] == IDLE else ge(opt(stamp.NOTIFIED_AT), at)
    chain = [_claim(or_(marked, or_(hold, _stands(entry))), nonce)]
    if entry["state"] == BLOCKED:
        for key, value in ((stamp.PERMISSION_REQUEST, event.request), (stamp.PENDING_CALL, event.call)):
            if value:
                other = and_(ne(opt(key), ""), ne(opt(key), opt(stamp.STAGE)))
                again = _claim(or_(marked, or_(hold, not_(other))), nonce)
                chain += [ops.put(stamp.STAGE, value), again, ops.unset(stamp.STAGE)]
    stored = _episode()
    later = and_(eq(opt(stamp.STATE), lit(entry["state"])), gt(stored, at))
    return [*chain, _mark(stamp.NOTIFIED_AT, if_(later, stored, at), nonce)]


def wake(snooze: str, instant: int) -> "list[Op]":
    """The end of a snooze, as it was read, whose episode still stands: it may ring again (POL-6)."""
    same = and_(eq(opt(stamp.SNOOZE), lit(snooze)), eq(_episode(), lit(instant)))
    return [ops.when(same, [ops.unset(stamp.NOTIFIED_AT), ops.unset(stamp.SNOOZE)])]


def snooze(until: int) -> "Op":
    """A snooze of the episode that stands, whichever that is; a pane without an agent has none (POL-6)."""
    value = guard.raw(f"{until}:{guard.render(_episode())}")
    return ops.when(ne(opt(stamp.STATE), ""), [ops.set_(stamp.SNOOZE, value)])


def answer() -> "Op":
    """The read-back of a claim; a dead pane answers nothing (WR-7)."""
    return ops.say(_ANSWER)


def won(text: str, nonces: "set[str]") -> "set[str]":
    """The nonces that stood in the server when they were read back."""
    return {line.partition(" ")[2] for line in text.splitlines()} & nonces


def _claim(hold: "Expr", nonce: str) -> "Op":
    return ops.guarded(stamp.NOTIFY_CLAIM, hold, lit(nonce))


def _mark(key: str, value: "Expr", nonce: str) -> "Op":
    """The marker, under the same condition as the claim before it: that the claim is ours."""
    return ops.guarded(key, ne(opt(stamp.NOTIFY_CLAIM), lit(nonce)), value)


def _stands(entry: "Entry") -> "Expr":
    """Whether what an event claims stands already, so that it raises nothing (HOOK-10)."""
    state = opt(stamp.STATE)
    if entry["state"] == BLOCKED:
        return eq(state, BLOCKED)
    if not entry.get("turn_end"):
        return ne(state, WORKING)
    return and_(eq(state, IDLE), eq(opt(stamp.ATTENTION), "1"))


def _is_marked(at: int) -> "Expr":
    """Whether the episode that an idle event begins, or the later one that stands, has been told of."""
    later = and_(eq(opt(stamp.STATE), IDLE), gt(_episode(), lit(at)))
    return ge(opt(stamp.NOTIFIED_AT), if_(later, _episode(), lit(at)))


def _episode() -> "Expr":
    """The stored episode instant (CLK-5)."""
    since, turn = opt(stamp.SINCE), opt(stamp.TURN_AT)
    return if_(ge(since, turn), since, turn)
