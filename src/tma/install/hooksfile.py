"""The channel of agents that keep hooks in a JSON document of the user's."""

from collections.abc import Sequence
from dataclasses import dataclass

from tma.install import jsonhooks
from tma.install.channel import Inspection, summed_up
from tma.install.dialect import FaultError, decode
from tma.install.handlers import HOOKS, IN_GROUPS, Layout
from tma.install.jsonhooks import Wiring
from tma.install.jsontree import OBJECT, parse
from tma.install.wrapper import Reference


@dataclass(frozen=True)
class HooksFile:
    """A document with a ``hooks`` object."""

    agent: str
    path: str
    events: Sequence[str]
    layout: Layout = IN_GROUPS

    def install(self, data: bytes, reference: Reference) -> bytes:
        """With exactly one current handler for each event; what is not ours stays as it says (EDT-1)."""
        new = jsonhooks.install(data, self._wiring(reference), self.layout)
        before = jsonhooks.uninstall(data, self.agent, self.layout) if data.strip() else b"{}"
        after = jsonhooks.uninstall(new, self.agent, self.layout, added_head=not self._has_head(data))
        if not jsonhooks.say_the_same(before, after):
            message = "this edit could not be proved right; nothing was changed"
            raise FaultError(message)
        return new

    def uninstall(self, data: bytes, original: bytes | None) -> bytes:
        """Without our handlers and what they leave empty."""
        added_head = original is not None and not self._has_head(original)
        return jsonhooks.uninstall(data, self.agent, self.layout, added_head=added_head)

    def inspect(self, data: bytes, reference: Reference) -> Inspection:
        """Which of the events are wired, each once and by a reference that leads to the wrapper."""
        found = jsonhooks.handlers(data, self.agent, self.layout) if data else []
        reasons = [
            f"{self.agent} {each.event}: the command names {each.reference}, which is not the wrapper"
            for each in found
            if not reference.is_current(each.reference)
        ]
        present = [each.event for each in found]
        if present:
            reasons += [f"{self.agent} {event}: missing" for event in self.events if event not in present]
        reasons += [f"{self.agent} {event}: wired twice" for event in sorted(set(present)) if present.count(event) > 1]
        reasons += [
            f"{self.agent} {event}: not an event that tma takes" for event in present if event not in self.events
        ]
        return summed_up(len(present), len(self.events), reasons)

    def _wiring(self, reference: Reference) -> Wiring:
        return Wiring(self.agent, self.events, reference.shell, reference.is_current)

    def _has_head(self, data: bytes) -> bool:
        """Whether the document's other members are there, or none is needed."""
        root = parse(decode(data).text).root
        if root is None or root.kind != OBJECT:
            return not self.layout.head
        return all(root.keyed(key) for key, _ in self.layout.head) or bool(root.keyed(HOOKS) and not self.layout.head)
