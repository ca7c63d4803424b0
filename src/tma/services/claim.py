"""Whose pane an event is for, where the process that sent it does not provably run in the named one."""

from tma.adapters import system
from tma.core.errors import TmaError
from tma.core.events import hooks, owner
from tma.core.pane import proven

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tma.adapters.linux import Table
    from tma.core.events.hooks import Entry, Event
    from tma.core.pane import PaneRecord, ServerFacts
    from tma.services.intake import Call, Origin
    from tma.services.runtime import Runtime

_MAX_PID_DIGITS = 10


class Claim:
    """An event's claim on a pane, judged on one read of the server."""

    __slots__ = ("_call", "_foreign", "_origin", "_panes", "_remote", "_table")

    def __init__(
        self, call: "Call", origin: "Origin", runtime: "Runtime", *, panes: "list[PaneRecord]", facts: "ServerFacts"
    ) -> None:
        """Keep the parts; whether the server's processes are out of sight is asked once (FWD-7)."""
        self._call = call
        self._origin = origin
        self._panes = panes
        self._table = runtime.procs()
        self._foreign = runtime.foreign(facts)
        self._remote = runtime.document.remote

    def standing(self, manifest: "dict[str, Any]") -> "PaneRecord | None":
        """The named pane, unless it is not there or is disproved (OWN-1, OWN-2)."""
        named = next((pane for pane in self._panes if pane.pane_id == self._call.pane), None)
        parents = self._parents()
        if named is None or proven(named.pid, self._origin.session, parents):
            return named
        trusted = self._origin.trusted or self._foreign
        own = plugin(self._origin.own, self._table)
        sender = owner.Sender(parents, plugin=own, trusted=trusted, remote=self._remote)
        generic = bool(manifest["title_patterns"])
        wrong = owner.disproved(named, sender, manifest["process_names"], generic=generic, others=self._panes)
        return None if wrong else named

    def found(self, manifest: "dict[str, Any]", event: "Event", entry: "Entry | None") -> "PaneRecord | None":
        """The pane of an event whose claimed one is missing or disproved (OWN-4, OWN-5)."""

        def works_in() -> "PaneRecord | None":
            searched = hooks.is_start(entry) and event.cwd and not self._foreign
            return self._by_directory(manifest, event.cwd) if searched else None

        ancestors = () if self._foreign else self._parents()
        return owner.find(self._panes, ancestors, agent=self._call.agent, session=event.session, works_in=works_in)

    def _by_directory(self, manifest: "dict[str, Any]", directory: str) -> "PaneRecord | None":
        from tma.adapters.working import working_in

        lines = []
        for pid in working_in(directory, system.uid(), timeout_s=self._call.left_s):
            tree = [] if set(manifest["process_names"]).isdisjoint(self._table.names(pid)) else self._table.tree(pid)
            if tree and tree[0].tpgid:
                lines.append([pid, *(parent for parent, _ in above(pid, self._table))])
        return owner.by_directory(self._panes, lines)

    def _parents(self) -> "Sequence[tuple[int, str]]":
        """The sender's parents, read now where reading them costs a process (OWN-3)."""
        known = self._origin.known
        return above(self._origin.pid, self._table) if known is None else known


def plugin(text: str, table: "Table") -> list[int]:
    """The program that a plugin says it runs in, with its parents; nothing when it is gone (OWN-2)."""
    pid = int(text) if text.isascii() and text.isdigit() and len(text) <= _MAX_PID_DIGITS else 0
    return [pid, *(parent for parent, _ in above(pid, table))] if system.exists(pid) else []


def above(pid: int, table: "Table") -> "Sequence[tuple[int, str]]":
    """The parents of a process, nearest first; none where they cannot be read."""
    try:
        return table.ancestors(pid)
    except TmaError:
        return ()
