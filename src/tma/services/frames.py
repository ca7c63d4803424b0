"""An event that came as a frame: taken by the same code as a hook that stamps itself (DWP-3, DWP-4)."""

import time
from typing import NamedTuple

from tma.adapters import system
from tma.core import ops
from tma.core.errors import TmaError
from tma.core.events.hooks import Event
from tma.core.wire import Ext, Frame
from tma.services import intake
from tma.services.claim import above
from tma.services.intake import Call, Delivery, Origin
from tma.services.runtime import Runtime

_AHEAD_MS = 2000
"""How far an event may lie ahead of our clock before ours counts (CLK-1)."""


class Outcome(NamedTuple):
    """Whether a verdict was reached, the pane that it is about ("" for none), and whether anything changed there."""

    accepted: bool
    pane: str = ""
    changed: bool = False
    trouble: TmaError | None = None


def apply(runtime: Runtime, frame: Frame, server_pid: int) -> Outcome:
    """Decide a frame's pane and stamp it."""
    if frame.ext.srv not in {0, server_pid}:
        return Outcome(accepted=True)
    received = runtime.now_ms()
    at = frame.ext.at if 0 < frame.ext.at <= received + _AHEAD_MS else received
    call = Call(runtime.options, at=at, began=time.monotonic())
    call.agent, call.kind, call.pane, call.server_pid = frame.agent, frame.kind, frame.pane, 0
    try:
        event = Event(frame.kind, at, frame.payload)
        done = intake.deliver(call, origin_of(frame.ext, runtime), event, runtime.document, runtime.server)
    except TmaError as error:
        return Outcome(accepted=False, trouble=error)
    return Outcome(is_verdict(done), done.pane.pane_id if done.pane else "", changes(done))


def is_verdict(done: Delivery) -> bool:
    """Whether the agent and the kind are known, and the pane was there to be judged or needed none."""
    return done.judged and (done.pane is not None or done.seen or not done.asked)


def changes(done: Delivery) -> bool:
    """Whether the pane reads otherwise now, as what was read predicts it."""
    if done.pane is None or not done.ops:
        return False
    options = dict(done.pane.options)
    ops.apply(options, done.ops)
    return options != done.pane.options


def origin_of(ext: Ext, runtime: Runtime) -> Origin:
    """Where the frame's sender stands; its parents are read here where it did not read them (OWN-3)."""
    known = ext.anc
    if known is None and system.exists(ext.pid):
        table = runtime.procs()
        known = [(ext.pid, next(iter(table.names(ext.pid)), "")), *above(ext.pid, table)]
    origin = Origin(session=ext.sid, known=known or [], pid=ext.pid)
    origin.own, origin.trusted = ext.own, ext.trust
    return origin
