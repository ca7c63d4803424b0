"""Muting panes: which ones are meant, and the one write that mutes them all (MUT-1, CH-MUTE)."""

from tma.adapters.tmux import write
from tma.core import ops
from tma.core.row import attention_order
from tma.core.stamp import MUTE_UNTIL
from tma.services import cycle, jump
from tma.services.rows import rows_of
from tma.services.stream import Look

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.selector import Selection
    from tma.services.runtime import Runtime


def exists(runtime: "Runtime", pane_id: str) -> bool:
    """Whether there is such a pane."""
    return jump.look(runtime).place(pane_id) is not None


def matching(runtime: "Runtime", selection: "Selection") -> list[str]:
    """The panes of the selected rows; a mark that a selector asks for is still up for it (ATN-6)."""
    labels = selection.needs_labels
    snapshot = cycle.run(runtime, paths=labels, defer_seen=True)
    look = Look(snapshot, attention_order(rows_of(snapshot, labels=labels)))
    look.settle(runtime)
    return [row.pane for row in selection.choose(look.rows)]


def mute(runtime: "Runtime", panes: list[str], until: int | None) -> None:
    """Mute panes until an instant, or no longer; a pane that is gone by now is passed over."""
    op = ops.unset(MUTE_UNTIL) if until is None else ops.put(MUTE_UNTIL, str(until))
    for text in write.scripts([(pane, [op]) for pane in panes]):
        runtime.server.feed(text)
