"""Which pane an event belongs to, from the processes that it came from.

1. The claimed pane stands unless an agent process that is not the pane's sent the event: the
   nearest ancestor of the agent's name runs in another pane, or, for an agent whose name alone
   identifies it, in none (a daemon that many panes share); or the program that a plugin says it
   runs in is outside the pane (OWN-2).
2. Nothing is disproved by what cannot be seen: no ancestors, a foreign process, a pane behind a
   remote shell, a caller that vouches for the pane (OWN-2, OWN-3).
3. Without a pane that stands the event's is looked for: by its ancestors, then by its session, then
   for a registration by the directory that the agent works in. The first step that finds panes
   decides, and two are none (OWN-4, OWN-5).

The test that comes before all of them, ``core.pane.proven``, needs none of this to be loaded.

These rules stand here and nowhere else. A pane is a ``PaneRecord``; ancestors are pid and name,
nearest first.
"""

from tma.core.names import REMOTE_COMMANDS, normalise, out_of_scope
from tma.core.stamp import NAME, SESSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from typing import TypeAlias

    from tma.core.pane import PaneRecord

    Ancestors: TypeAlias = Sequence[tuple[int, str]]


class Sender:
    """What is known of the process that sent an event.

    ``plugin`` holds the pids from the program that a plugin names up to its oldest parent, empty
    where none is named or it is gone. ``trusted`` is a foreign process or one that vouches. ``remote``
    are the commands of REM-4.
    """

    __slots__ = ("ancestors", "plugin", "remote", "trusted")

    def __init__(
        self,
        ancestors: "Ancestors",
        *,
        plugin: "Sequence[int]" = (),
        trusted: bool = False,
        remote: "Collection[str]" = REMOTE_COMMANDS,
    ) -> None:
        """Keep the parts."""
        self.ancestors = ancestors
        self.plugin = plugin
        self.trusted = trusted
        self.remote = remote


def disproved(
    pane: "PaneRecord", sender: Sender, names: "Collection[str]", *, generic: bool, others: "Iterable[PaneRecord]"
) -> bool:
    """Whether an agent process that is not the claimed pane's sent the event (OWN-2).

    ``names`` are the manifest's process names, ``generic`` whether it narrows them by title, since
    such a name alone identifies nothing. The pane is one that ``proven`` does not hold for.
    """
    if sender.trusted or out_of_scope(pane.command, sender.remote):
        return False
    if sender.plugin and pane.pid not in sender.plugin:
        return True
    line = _agent_line(sender.ancestors, names)
    if not line:
        return False
    elsewhere = any(other.pid in line and other.pane_id != pane.pane_id for other in others)
    return elsewhere or not generic


def _agent_line(ancestors: "Ancestors", names: "Collection[str]") -> set[int]:
    """The nearest ancestor of the agent's name and all above it; pid 1 is nobody's agent."""
    for at, (pid, name) in enumerate(ancestors):
        if pid != 1 and normalise(name) in names:
            return {above for above, _ in ancestors[at:]}
    return set()


def find(
    panes: "Sequence[PaneRecord]",
    ancestors: "Ancestors",
    *,
    agent: str,
    session: str,
    works_in: "Callable[[], PaneRecord | None]",
) -> "PaneRecord | None":
    """The pane of an event that has none, or None (OWN-4); ``works_in`` is OWN-5, asked last."""
    pids = {pid for pid, _ in ancestors}
    by_process = [pane for pane in panes if pane.pid in pids]
    if by_process:
        return _only(by_process)
    by_session = [pane for pane in panes if session and pane.option(NAME) == agent and pane.option(SESSION) == session]
    return _only(by_session) if by_session else works_in()


def _only(found: "Sequence[PaneRecord]") -> "PaneRecord | None":
    return found[0] if len(found) == 1 else None


def by_directory(panes: "Sequence[PaneRecord]", lines: "Sequence[Sequence[int]]") -> "PaneRecord | None":
    """The pane that holds the one agent line working in a directory (OWN-5).

    Each of ``lines`` is an agent process there with its parents upwards. One whose parents include
    another's agent is the same line; two lines are ambiguous.
    """
    agents = {line[0] for line in lines}
    tops = [line for line in lines if not agents.intersection(line[1:])]
    return _only([pane for pane in panes if pane.pid in tops[0]]) if len(tops) == 1 else None
