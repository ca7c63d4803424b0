"""A hook's own notice: claimed in the chain of its event, and told by a child that the hook does not wait for (CMD-4).

Loaded only where ``from_event`` is on and no daemon took the event (HOOK-12).
"""

from tma.adapters import lasting, system
from tma.core import jsontext, ops, stamp
from tma.core.events import alerts, claims
from tma.core.row import Origin, row_of
from tma.core.state import BLOCKED, IDLE, WORKING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.events.alerts import Notice
    from tma.core.events.hooks import Entry, Event
    from tma.core.ops import Op
    from tma.core.pane import Client, PaneRecord
    from tma.services.cache import Document, Options

_NONCE_DIGITS = 16


class Ring:
    """One event's wish to ring: ``claim`` goes first in its chain, ``after`` ends it, ``answer`` judges the print."""

    def __init__(self, options: "Options", document: "Document") -> None:
        """Take the settings; nothing is claimed yet."""
        self._options = options
        self._notify = document.settings.notify
        self._nonce = system.nonce(_NONCE_DIGITS)
        self._notice: Notice | None = None
        self._path = ""
        self._mute = False

    @property
    def wants_clients(self) -> bool:
        """Whether it must be known who looks at what (POL-2)."""
        return bool(self._notify["policy"]["suppress_watched"])

    def claim(self, event: "Event", entry: "Entry | None", pane: "PaneRecord", clients: "list[Client]") -> "list[Op]":
        """The claim of an event that may ring, none for any other (HOOK-12, TRG-4)."""
        trigger = _trigger(entry)
        if entry is None or trigger not in self._notify["on"]:
            return []
        policy = self._notify["policy"]
        outcome = alerts.outcome(
            trigger,
            pane.options,
            episode=event.at,
            turn_ms=_turn_ms(pane, event.at),
            looked_at=alerts.watched(pane.pane_id, clients, policy, event.at),
            policy=policy,
            now=event.at,
        )
        if outcome not in alerts.CONSUMED:
            return []
        self._mute = outcome != alerts.FIRED
        self._notice = alerts.Notice(trigger, "", pane.pane_id, at=event.at)
        return claims.event(event, entry, self._nonce)

    def gauge(self, pane: "PaneRecord", at: int) -> "list[Op]":
        """The claim of a gauge that was just read, after its chain (TRG-5, CTX-7)."""
        table = self._notify[alerts.CONTEXT_HIGH]
        if table is None:
            return []
        self._mute = alerts.is_muted(pane.options, at)
        self._notice = alerts.Notice(alerts.CONTEXT_HIGH, "", pane.pane_id, at=at)
        return claims.gauge(table["threshold"], at, self._nonce)

    def after(self, pane: "PaneRecord", chain: "list[Op]") -> "list[Op]":
        """The read-back, and the notice as the chain will leave the pane."""
        if self._notice is None:
            return []
        options = dict(pane.options)
        ops.apply(options, chain)
        stored, _ = stamp.decode(options)
        if stored is None:
            self._notice = None
            return []
        at = self._notice.at
        row = row_of(pane, stored, at, origin=Origin("", ""), companions=options)
        self._notice, self._path = alerts.notice_of(row, self._notice.trigger, at), pane.path
        return [claims.answer()]

    def answer(self, printed: str) -> None:
        """Tell, if the claim was won: a child does it, whatever becomes of it."""
        if self._notice is None or self._mute or not claims.won(printed, {self._nonce}):
            return
        order = {"notice": {key: getattr(self._notice, key) for key in alerts.Notice.__slots__}, "path": self._path}
        # Loaded here: most events tell nothing.
        from tma.services import program

        words = [*program.own_words(), *program.own_options(self._options), "notify", "deliver"]
        lasting.Fed(
            words, env=system.environment(), stdin=jsontext.compact(order).encode("utf-8", "replace"), session=True
        )


def _trigger(entry: "Entry | None") -> str:
    """What an entry's state would tell; registrations and ends tell nothing."""
    if entry is None or entry.get("lifecycle"):
        return ""
    return {BLOCKED: BLOCKED, IDLE: alerts.DONE}.get(str(entry.get("state", "")), "")


def _turn_ms(pane: "PaneRecord", at: int) -> int | None:
    """The length of the working run that an event ends, by the tuple before it (POL-4)."""
    prior, _ = stamp.decode(pane.options)
    return at - prior.since if prior is not None and prior.state == WORKING and prior.since else None
