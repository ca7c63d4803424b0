"""What a cycle writes, as scripts: panes' chains, drifting summaries, answered marks, the poll claim."""

from tma.adapters.tmux import write
from tma.core import ops, writes
from tma.core.stamp import LAST_POLL, TURN_AT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.ops import Op
    from tma.core.pane import PaneRecord
    from tma.core.triage import Plan
    from tma.services.runtime import Runtime


def scripts(
    now: int,
    chains: "list[tuple[str, list[Op]]]",
    drifted: "list[tuple[str, str, str, str]]",
    lowered: "list[Plan]",
    *,
    poll: bool = True,
) -> list[str]:
    """The texts of one cycle; its poll claim is there if a pane's chain is (RC-3)."""
    last = [
        ops.scoped_put(flag, target, key, value) if value else ops.unscoped(flag, target, key)
        for flag, target, key, value in drifted
    ]
    if chains and poll:
        last.append(ops.scoped_put("-s", "", LAST_POLL, str(now)))
    return write.scripts(chains + [(plan.pane.pane_id, lower(plan)) for plan in lowered], last)


def lower(plan: "Plan") -> "list[Op]":
    """CH-ATTN for a row whose mark was answered; the row shows it at once (ATN-6)."""
    row = plan.stamp_after
    if row is None:
        return []
    row.attention = False
    return writes.seen(row.since, plan.options_after().get(TURN_AT, ""))


def counted(runtime: "Runtime", pane: "PaneRecord") -> "list[Op]":
    """Summaries and status line after a pane that alone was judged, counted by the server (RU-3)."""
    return writes.counted([session for session, _ in pane.sessions], runtime.document.status_line)
