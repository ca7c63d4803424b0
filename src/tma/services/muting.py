"""Muting and snoozing panes: which ones are meant, and the one write for them all (MUT-1, MUT-5, CH-MUTE)."""

from tma.adapters import system
from tma.adapters.tmux import read, write
from tma.core import ops
from tma.core.errors import GoneError, UsageError
from tma.core.events import claims
from tma.core.row import attention_order
from tma.core.stamp import MUTE_UNTIL, SNOOZE
from tma.core.state import is_pane_id
from tma.services import cycle, jump
from tma.services.rows import rows_of
from tma.services.stream import Look

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.ops import Op
    from tma.core.selector import Selection
    from tma.services.runtime import Runtime


def exists(runtime: "Runtime", pane_id: str) -> bool:
    """Whether there is such a pane."""
    return jump.look(runtime).place(pane_id) is not None


def matching(runtime: "Runtime", selection: "Selection") -> list[str]:
    """The panes of the selected rows; a mark that a selector asks for is still up for it (ATN-6)."""
    labels = selection.needs_labels
    snapshot = cycle.run(runtime, depth=read.ALL if labels else read.ROWS, defer_seen=True)
    look = Look(snapshot, attention_order(rows_of(snapshot, labels=labels)))
    look.settle(runtime)
    return [row.pane for row in selection.choose(look.rows)]


def targets(runtime: "Runtime", pane: str | None, selectors: list[str], selection: "Selection") -> list[str]:
    """The panes that are meant: the named one, every selected row's, else the caller's own (MUT-1).

    Raises:
        UsageError: none is named, or a pane and a selector.
        GoneError: the pane is not there, or nothing matches.
    """
    if pane is not None and selectors:
        message = f"--pane does not go with {', '.join(selectors)}"
        raise UsageError(message, "a pane needs no selector")
    if selectors:
        panes = matching(runtime, selection)
        if not panes:
            message = "no agent matches"
            raise GoneError(message, "tma ls lists the agents")
        return panes
    pane = pane or system.env("TMUX_PANE")
    if not is_pane_id(pane):
        message = "no pane is meant"
        raise UsageError(message, "name one by --pane, or choose by a selector")
    if not exists(runtime, pane):
        message = f"no pane {pane}"
        raise GoneError(message, "tma ls lists the agents")
    return [pane]


def mute(runtime: "Runtime", panes: list[str], until: int | None) -> None:
    """Mute panes until an instant, or no longer; a pane that is gone by now is passed over."""
    _write(runtime, panes, ops.unset(MUTE_UNTIL) if until is None else ops.put(MUTE_UNTIL, str(until)))


def snooze(runtime: "Runtime", panes: list[str], until: int | None) -> None:
    """Snooze what stands on panes until an instant, or no longer (POL-6)."""
    _write(runtime, panes, ops.unset(SNOOZE) if until is None else claims.snooze(until))


def _write(runtime: "Runtime", panes: list[str], op: "Op") -> None:
    for text in write.scripts([(pane, [op]) for pane in panes]):
        runtime.server.feed(text)
