"""One detection cycle on one pane, before an action is gated on what its agent does (ACT-FRESH-2)."""

from tma.adapters.tmux import write
from tma.core import ops, stamp
from tma.core.guard import raw
from tma.core.stamp import SESSION_COUNT, WINDOW_COUNT
from tma.services import observe

TYPE_CHECKING = False
if TYPE_CHECKING:
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


def _summaries(pane: "PaneRecord") -> "list[Op]":
    sessions = [ops.scoped("", session, stamp.SESSION_SUMMARY, raw(SESSION_COUNT)) for session, _ in pane.sessions]
    return [ops.scoped("-w", "", stamp.SUMMARY, raw(WINDOW_COUNT)), *sessions]
