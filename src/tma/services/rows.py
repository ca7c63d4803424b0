"""The rows that a command asked for: one cycle over every pane, then labels, order and selection (SEL-5)."""

from tma.adapters.system import node_name
from tma.adapters.tmux import read
from tma.core.row import Origin, attention_order, row_of
from tma.services import cycle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.row import AgentRow, RepoLabel
    from tma.core.selector import Selection
    from tma.core.triage import Plan
    from tma.services.cycle import Snapshot
    from tma.services.repos import Labels
    from tma.services.runtime import Runtime


def detect(runtime: "Runtime", selection: "Selection", *, labels: bool) -> "tuple[list[AgentRow], int]":
    """The selected rows in attention order, and the instant that they are of.

    Repositories are looked up with ``labels``, or where the selection needs them (SEL-6).
    """
    wanted = labels or selection.needs_labels
    snapshot = cycle.run(runtime, depth=read.ALL if wanted else read.ROWS)
    if runtime.options.debug_timing:
        runtime.note(snapshot.timing())
    return selection.choose(attention_order(rows_of(snapshot, labels=wanted))), snapshot.now


def rows_of(snapshot: "Snapshot", *, labels: bool, known: "Labels | None" = None) -> "list[AgentRow]":
    """A cycle's rows in the order that tmux listed the panes; ``known`` are the labels that a stream keeps."""
    if snapshot.facts is None:
        return []
    origin = Origin(node_name(), snapshot.facts.socket_path)
    found = _labels(snapshot.rows(), known) if labels else {}
    return [
        row_of(
            plan.pane,
            plan.stamp_after,
            snapshot.now,
            origin=origin,
            label=found.get(plan.pane.path),
            companions=plan.options_after(),
        )
        for plan in snapshot.rows()
        if plan.stamp_after is not None
    ]


def _labels(rows: "list[Plan]", known: "Labels | None") -> "dict[str, RepoLabel | None]":
    """Loaded here: a status line without repository selectors reads no repository."""
    if known is None:
        from tma.services.repos import Labels

        known = Labels()
    return known.of(plan.pane.path for plan in rows if plan.pane.path)
