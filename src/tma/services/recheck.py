"""One detection cycle on one pane, before an action is gated on what its agent does (ACT-FRESH-2)."""

from tma.adapters.tmux import write
from tma.core import ops, stamp
from tma.core.act.schema import EXEC
from tma.core.errors import TmaError
from tma.core.guard import raw
from tma.core.stamp import SESSION_COUNT, WINDOW_COUNT
from tma.services import observe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.act.steps import Order
    from tma.core.ops import Op
    from tma.core.pane import PaneRecord
    from tma.services.runtime import Runtime


def recheck(runtime: "Runtime", pane_id: str) -> None:
    """Identify, capture, judge and stamp one pane, reusing nothing; the server counts its summaries anew (RU-3).

    Raises:
        TmaError: there is no such pane, no server, or no process can be seen.
    """
    plan = observe.judge(runtime, pane_id)
    if plan.ops:
        runtime.server.feed(write.script(pane_id, [*plan.ops, *_summaries(plan.pane)]))


def contradicts(runtime: "Runtime", order: "Order") -> bool:
    """Whether the screen shows another dialog than the one that an action answers, or none.

    A stored claim may be a hook's that no event ended, and the assertion of the send looks for words
    that may also stand quoted above another dialog (FC-05, STO-8). What cannot be read, and an
    agent whose rules never name the dialog, contradict nothing.
    """
    wanted = set(order.action.when.detail or ()) if order.action.when else set()
    if not wanted or order.action.kind == EXEC:
        return False
    try:
        plan = observe.judge(runtime, order.pane)
    except TmaError:
        return False
    manifest = next((each for each in runtime.manifests if each.name == plan.manifest), None)
    if plan.reading is None or manifest is None or wanted.isdisjoint(rule["detail"] for rule in manifest.rules):
        return False
    return plan.reading.history_view or wanted.isdisjoint(seen.detail for seen in plan.reading.evidence)


def _summaries(pane: "PaneRecord") -> "list[Op]":
    sessions = [ops.scoped("", session, stamp.SESSION_SUMMARY, raw(SESSION_COUNT)) for session, _ in pane.sessions]
    return [ops.scoped("-w", "", stamp.SUMMARY, raw(WINDOW_COUNT)), *sessions]
