"""One gauge reading of an agent's status line, stored by the direct path alone (CTX-1)."""

from tma.adapters.tmux import read, write
from tma.core.detect import telemetry
from tma.core.events import gauges

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tma.adapters.tmux.client import Server
    from tma.services.cache import Document
    from tma.services.intake import Call, Origin
    from tma.services.notify.hook import Ring


class Reading:
    """A payload of a gauge with whoever sent it; ``manifest`` says how it is read."""

    __slots__ = ("_call", "_gauge", "_manifest", "_origin")

    def __init__(self, call: "Call", origin: "Origin", raw: str, manifest: "dict[str, Any]") -> None:
        """Parse the payload."""
        self._call = call
        self._origin = origin
        self._manifest = manifest
        self._gauge = telemetry.parse_payload(manifest["context"][1], raw)

    def store(self, document: "Document", server: "Server", wanted: str, ring: "Ring | None") -> None:
        """Take it to the pane that it names; a pane that is disproved drops it (OWN-8).

        ``wanted`` is the filter of the panes to read, ``ring`` the wish to tell of it.

        Raises:
            TmaError: there is no server; nothing was written.
        """
        call, gauge = self._call, self._gauge
        if gauge is None:
            return
        command, mark = read.list_panes()

        def reply(text: str) -> str:
            panes, facts = read.parse(text, mark)
            if facts is None or call.means_other(facts):
                return ""
            pane = self._origin.proven(panes, call.pane)
            if pane is None:
                from tma.services.claim import Claim
                from tma.services.runtime import Runtime

                runtime = Runtime(call.options, document, server)
                pane = Claim(call, self._origin, runtime, panes=panes, facts=facts).standing(self._manifest)
            if pane is None:
                return ""
            ops = gauges.observed(gauge, call.at, pane.options)
            if ring and ops:
                ops += ring.gauge(pane, call.at)
                ops += ring.after(pane, ops)
            return write.script(pane.pane_id, ops)

        printed = server.exchange([*command, "-f", wanted], reply, timeout_s=call.left_s)
        if ring:
            ring.answer(printed)
