"""The values that a shell completes: read from the stamps alone, without a look at any pane (CMP-1)."""

from tma.adapters import system
from tma.adapters.tmux import read
from tma.core.row import attention_order
from tma.core.triage import Context, triage
from tma.services import actions
from tma.services.cycle import Snapshot
from tma.services.rows import rows_of
from tma.view.completion import tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.row import AgentRow
    from tma.services.runtime import Runtime


def values(runtime: "Runtime", kind: str) -> list[str]:
    """The values of a kind, each on a line of its own where it is printed.

    Raises:
        TmaError: there is no server, or the values cannot be read.
    """
    if kind == tree.ACTIONS:
        found = [action.name for action in actions.load(system.environment()).usable]
    else:
        found = [value for row in stamped(runtime) for value in _of(row, kind)]
    return [value for value in dict.fromkeys(found) if value.isprintable()]


def stamped(runtime: "Runtime") -> "list[AgentRow]":
    """The rows that stamps give; nothing is looked at and nothing written."""
    command, mark = read.list_panes()
    panes, facts = read.parse(runtime.server.run(command), mark)
    snapshot = Snapshot(runtime.now_ms(), facts)
    context = Context(now=snapshot.now, settings=runtime.settings, names=runtime.names)
    context.foreign = True
    snapshot.plans = [triage(pane, context) for pane in panes]
    return attention_order(rows_of(snapshot, labels=False))


def _of(row: "AgentRow", kind: str) -> tuple[str, ...]:
    if kind == tree.PANES:
        return (row.pane,)
    return row.sessions if kind == tree.SESSIONS else (row.agent,)
