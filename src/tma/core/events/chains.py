"""The chains of hook events: what each writes to its pane, in the order that the store demands.

1. Everything an event implies commits or holds together: each write carries GRD-EVENT (HOOK-17).
2. What depends on stored values is decided by the server: whether a sub-agent's or a former
   session's event may act (HOOK-5, HOOK-18), whether a heartbeat is too early (HOOK-9), whether a
   blocked event is another prompt (GRD-6), whether the mark goes up (HOOK-10, CH-TURN).
3. ``since`` goes before the state that it compares, and the evidence before the source: the guard
   reads both, and must not turn true half way (see ``core.writes``).
4. Free text passes through the staging option and enters no format (WR-5).

These rules stand here and nowhere else. A chain is a list of ops for one pane; an empty one is an
event that changes nothing.
"""

from tma.core import guard, ops, stamp, writes
from tma.core.events import hooks
from tma.core.guard import and_, eq, gt, if_, lit, lt, ne, not_, opt, or_
from tma.core.state import BLOCKED, HOOK, IDLE, WORKING, number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.events.hooks import Entry, Event
    from tma.core.guard import Expr
    from tma.core.ops import Op

HEARTBEAT_MS = 2000
"""How young a working claim makes another one needless (HOOK-9)."""

SEEN_MS = 60_000
"""How old the note of an event's last sight gets before it is written anew: each write redraws clients (WTR-1)."""

COUNTED_MS = 60_000
"""A pane whose work goes on is counted anew once in each span of this length: a count costs the server time (RU-3)."""

MAX_SUBAGENTS = 64
"""Ids that one pane's list holds (SEC-R-1)."""


class Target:
    """The pane that an event is for: the agent's name, what was read, the sessions that show it.

    ``claim`` is a notice's, which goes before everything (CH-NOTIFY). ``status`` is the format by which
    the server counts the status line, empty for none.
    """

    __slots__ = ("claim", "name", "options", "sessions", "status")

    def __init__(self, name: str, options: dict[str, str], sessions: list[str]) -> None:
        """Keep the parts."""
        self.name = name
        self.options = options
        self.sessions = sessions
        self.claim: list[Op] = []
        self.status = ""


def plan(event: "Event", entry: "Entry | None", target: Target) -> "list[Op]":
    """What an event writes, and that it was seen; ``entry`` is None for an unmapped one."""
    chain = _judged(event, entry, target)
    return [*chain, _seen(event, target.name)] if chain else []


def _seen(event: "Event", agent: str) -> "Op":
    """When this event last came, also where its chain held; a note from the future is a clock that was set back."""
    note = stamp.event_seen(agent, event.kind)
    old = or_(lt(opt(note), lit(event.at - SEEN_MS)), gt(opt(note), lit(event.at + SEEN_MS)))
    return ops.when(old, [ops.scoped_put("-s", "", note, str(event.at))])


def _judged(event: "Event", entry: "Entry | None", target: Target) -> "list[Op]":
    """What an event means for its pane, judged in the order of HOOK-5."""
    if target.options.get(stamp.IGNORE):
        return []
    if event.kind in {hooks.SUBAGENT_START, hooks.SUBAGENT_STOP}:
        return _subagent(event, target)
    if entry is None or (event.kind == hooks.NOTIFY and not event.session):
        return []
    if entry.get("ignore"):
        return _replied(event)
    if entry.get("lifecycle") == "end":
        chain = [*(ops.unset(key) for key in stamp.DEREG), *writes.counted(target.sessions, target.status)]
        return _allowed(event, [guard.event(event.at), *_other_session(event)], chain)
    chain = [*_commit(event, entry, target), *_counted(event, entry, target)]
    if hooks.is_start(entry) and event.session:
        return _unless_any(event, [guard.event(event.at)], [_orphaned(event), *chain])
    return _allowed(event, _holds(event, entry), chain)


def _counted(event: "Event", entry: "Entry", target: Target) -> "list[Op]":
    """The counts after a claim: most claims say once more that the agent works, which changes none.

    A run of work that began at the event does; and panes vanish without an event, so each pane's first event
    of a minute counts.
    """
    counted = writes.counted(target.sessions, target.status)
    before = number(target.options.get(stamp.STAMPED_AT, "")) or 0
    if hooks.is_start(entry) or entry["state"] != WORKING or before // COUNTED_MS != event.at // COUNTED_MS:
        return counted
    return [ops.when(eq(opt(stamp.SINCE), lit(event.at)), counted)]


def _allowed(event: "Event", holds: "list[Expr]", chain: "list[Op]") -> "list[Op]":
    """A chain that only the pane's own session may run while sub-agents live; a missing side may not (HOOK-5)."""
    live = not_(guard.blank(stamp.SUBAGENTS))
    other = and_(live, ne(opt(stamp.SESSION), _session(event))) if event.session else live
    return _unless_any(event, [other, *holds], chain)


def _orphaned(event: "Event") -> "Op":
    """Another session's start forgets the sub-agents of the one before: nothing would ever end them.

    Else a pane whose agent crashed, or was cleared, while sub-agents ran would stay deaf.
    """
    return ops.when(ne(opt(stamp.SESSION), _session(event)), [ops.unset(stamp.SUBAGENTS)])


def _unless_any(event: "Event", holds: "list[Expr]", chain: "list[Op]") -> "list[Op]":
    """A chain under what the server decides: nothing of it runs if one of ``holds`` is true."""
    hold, *others = holds
    for other in others:
        hold = or_(hold, other)
    if not event.session or _is_plain(event.session):
        return [ops.unless(hold, chain)]
    return [ops.put(stamp.STAGE, event.session), ops.unless(hold, chain), ops.unset(stamp.STAGE)]


def _holds(event: "Event", entry: "Entry") -> "list[Expr]":
    holds = _other_request(event)
    if event.kind == hooks.NOTIFY:
        holds.append(ne(opt(stamp.SESSION), _session(event)))
    if entry.get("state") == WORKING:
        same = and_(eq(opt(stamp.STATE), WORKING), eq(opt(stamp.DETAIL), _detail(entry)))
        young = gt(opt(stamp.EVIDENCE_AT), lit(event.at - HEARTBEAT_MS))
        holds.append(and_(and_(guard.protect(), same), young))
    return holds


def _other_session(event: "Event") -> "list[Expr]":
    """Whether two sessions are known and differ."""
    return [_differs(stamp.SESSION, _session(event))] if event.session else []


def _other_request(event: "Event") -> "list[Expr]":
    """Whether a reply is for another request than the one that waits: two may follow within 1 ms (MAN-FACT-10)."""
    if event.kind != hooks.PERMISSION_REPLIED or not event.request or not _is_plain(event.request):
        return []
    return [_differs(stamp.PERMISSION_REQUEST, lit(event.request))]


def _differs(key: str, value: "Expr") -> "Expr":
    return and_(ne(opt(key), ""), ne(opt(key), value))


def _session(event: "Event") -> "Expr":
    """The event's session, to compare with; one outside the safe set is staged by ``_allowed``."""
    return lit(event.session) if _is_plain(event.session) else opt(stamp.STAGE)


def _is_plain(text: str) -> bool:
    try:
        lit(text)
    except ValueError:
        return False
    return True


def _detail(entry: "Entry") -> str:
    return stamp.safe_detail(entry.get("detail", ""))


def _commit(event: "Event", entry: "Entry", target: Target) -> "list[Op]":
    """CH-EVENT and CH-REGISTER: a registration claims idle, raises nothing and ends no turn."""
    start = hooks.is_start(entry)
    state = IDLE if start else entry["state"]
    hold = guard.event(event.at)
    before, mark = ([], []) if start else _mark(event, entry, hold)
    chain = [*target.claim, *before, *_tuple(event, entry, state, hold), *mark]
    chain += _registered(event, target, hold) if start else _joined(event, target, hold)
    chain += _text(stamp.TRANSCRIPT, event.transcript, target, hold)
    chain += _pending(event, hold) if state == BLOCKED else writes.clear_pending(hold, target.options)
    return [
        *chain,
        ops.guarded(stamp.PID, hold, if_(opt(stamp.PID), opt(stamp.PID), "0")),
        ops.guarded(stamp.NAME, hold, lit(target.name)),
        ops.guarded(stamp.STAMPED_AT, hold, lit(event.at)),
    ]


def _mark(event: "Event", entry: "Entry", hold: "Expr") -> "tuple[list[Op], list[Op]]":
    """What raises the mark, before and after the tuple (HOOK-10, HOOK-11, CH-TURN).

    A blocked claim raises where it began a state run, which then began at the event. An idle one
    raises after working, which is noted while the old state stands, or at the end of a turn.
    """
    marked = opt(stamp.ATTENTION)
    if entry["state"] == BLOCKED:
        return [], [ops.guarded(stamp.ATTENTION, hold, if_(eq(opt(stamp.SINCE), lit(event.at)), "1", marked))]
    if entry["state"] != IDLE:
        return [], []
    if entry.get("turn_end"):
        known = and_(eq(opt(stamp.STATE), IDLE), eq(marked, "1"))
        turn = ops.guarded(stamp.TURN_AT, or_(hold, known), lit(event.at))
        return [turn], [ops.guarded(stamp.ATTENTION, hold, "1")]
    worked = ops.set_(stamp.STAGE, eq(opt(stamp.STATE), WORKING))
    raised = ops.guarded(stamp.ATTENTION, hold, if_(opt(stamp.STAGE), "1", marked))
    return [worked], [raised, ops.unset(stamp.STAGE)]


def _tuple(event: "Event", entry: "Entry", state: str, hold: "Expr") -> "list[Op]":
    claim = writes.Claim(state, source=HOOK, at=event.at, detail=_detail(entry))
    since, stated, detail, *rest = writes.tuple_ops(claim, hold, event.at)
    if entry.get("keep_detail"):
        kept = if_(eq(opt(stamp.STATE), lit(state)), opt(stamp.DETAIL), lit(claim.detail))
        stated, detail = ops.guarded(stamp.DETAIL, hold, kept), stated
    again = _prompt_since(event, hold) if state == BLOCKED else []
    return [since, *again, stated, detail, *rest]


def _prompt_since(event: "Event", hold: "Expr") -> "list[Op]":
    """``since`` of another prompt under a blocked claim: one whose request or call differs (GRD-6)."""
    chain: list[Op] = []
    for key, value in ((stamp.PERMISSION_REQUEST, event.request), (stamp.PENDING_CALL, event.call)):
        plain = _is_plain(value)
        other = _differs(key, lit(value) if plain else opt(stamp.STAGE))
        write = ops.guarded(stamp.SINCE, hold, if_(other, lit(event.at), opt(stamp.SINCE)))
        if value:
            chain += [write] if plain else [ops.put(stamp.STAGE, value), write, ops.unset(stamp.STAGE)]
    return chain


def _registered(event: "Event", target: Target, hold: "Expr") -> "list[Op]":
    """What a registration names; another session than the stored one sets the pid to 0 (HOOK-7, REM-9)."""
    chain: list[Op] = []
    if event.session:
        known = if_(opt(stamp.PID), opt(stamp.PID), "0")
        pid = if_(eq(opt(stamp.SESSION), opt(stamp.STAGE)), known, "0")
        chain = [
            ops.put(stamp.STAGE, event.session),
            ops.guarded(stamp.PID, hold, pid),
            ops.guarded(stamp.SESSION, hold, opt(stamp.STAGE)),
            ops.unset(stamp.STAGE),
        ]
    chain += _text(stamp.MODEL, event.model, target, hold)
    return chain + _text(stamp.API_ENDPOINT, event.endpoint, target, hold)


def _joined(event: "Event", target: Target, hold: "Expr") -> "list[Op]":
    """The session of a pane that has none; a stored one is kept (HOOK-9)."""
    if not event.session or target.options.get(stamp.SESSION):
        return []
    return _written(stamp.SESSION, or_(hold, ne(opt(stamp.SESSION), "")), event.session)


def _text(key: str, value: str, target: Target, hold: "Expr") -> "list[Op]":
    return _written(key, hold, value) if value and value != target.options.get(key) else []


def _written(key: str, hold: "Expr", text: str) -> "list[Op]":
    """A guarded write of a text, staged unless it may stand in a format (WR-5)."""
    return [ops.guarded(key, hold, lit(text))] if _is_plain(text) else ops.staged(key, hold, text)


def _pending(event: "Event", hold: "Expr") -> "list[Op]":
    """The call and the request that wait (CH-PENDING, HOOK-13, HOOK-14)."""
    chain: list[Op] = []
    if event.tool:
        chain += _written(stamp.PENDING_TOOL, hold, event.tool)
        chain += _written(stamp.PENDING_CALL, hold, event.call)
        chain += _written(stamp.PENDING_SUMMARY, hold, event.summary)
    if event.request:
        chain += _written(stamp.PERMISSION_REQUEST, hold, event.request)
    return chain


def _replied(event: "Event") -> "list[Op]":
    """An event that claims nothing: a reply to a request still takes the request down (HOOK-13)."""
    if event.kind != hooks.PERMISSION_REPLIED:
        return []
    holds = [guard.event(event.at), *_other_session(event), *_other_request(event)]
    return _allowed(event, holds, [ops.unset(stamp.PERMISSION_REQUEST)])


def _subagent(event: "Event", target: Target) -> "list[Op]":
    """CH-SUB: an id joins or leaves the list, whoever sent it; the oldest goes where 64 are live."""
    name = event.agent_id
    if not name:
        return []
    live = target.options.get(stamp.SUBAGENTS, "").split()
    if event.kind == hooks.SUBAGENT_STOP:
        return _leave(name)
    oldest = _leave(live[0]) if len(live) >= MAX_SUBAGENTS and name not in live and _is_plain(live[0]) else []
    joined = if_(guard.has_word(stamp.SUBAGENTS, name), opt(stamp.SUBAGENTS), guard.joined(stamp.SUBAGENTS, name))
    return [*oldest, ops.set_(stamp.SUBAGENTS, joined)]


def _leave(name: str) -> "list[Op]":
    """An id leaves; one that is not in the list changes nothing, not even its blanks."""
    less = ops.set_(stamp.SUBAGENTS, guard.without_word(stamp.SUBAGENTS, name))
    return [
        ops.when(guard.has_word(stamp.SUBAGENTS, name), [less]),
        ops.when(guard.blank(stamp.SUBAGENTS), [ops.unset(stamp.SUBAGENTS)]),
    ]
