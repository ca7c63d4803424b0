"""Edges: how the class of each pane changed from one look to the next (EDG-1 to EDG-5)."""

from collections.abc import Sequence
from typing import NamedTuple

from tma.core.row import AgentRow


class Edge(NamedTuple):
    """A pane that came, went or changed its class; ``""`` is the class of a pane that is not there."""

    row: AgentRow
    before: str
    after: str


def edges(before: Sequence[AgentRow], now: Sequence[AgentRow]) -> list[Edge]:
    """The rows of now that changed or came, in their order, then those that went, in theirs (EDG-4)."""
    classes = {row.pane: row.shown_class for row in before}
    here = {row.pane for row in now}
    changed = [Edge(row, classes.get(row.pane, ""), row.shown_class) for row in now]
    gone = [Edge(row, row.shown_class, "") for row in before if row.pane not in here]
    return [edge for edge in changed if edge.before != edge.after] + gone
