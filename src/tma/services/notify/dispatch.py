"""One pass over a snapshot: what is due is claimed in the server, and what was won goes to the sinks (NMK-1)."""

from typing import NamedTuple

from tma.adapters import system
from tma.adapters.tmux import write
from tma.core.events import alerts, claims
from tma.core.row import Origin, row_of
from tma.core.stamp import SNOOZE, snoozed_until
from tma.core.state import IDLE, WORKING
from tma.services.repos import Labels

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tma.core.ops import Op
    from tma.core.stamp import Stamp
    from tma.core.triage import Plan
    from tma.services.cycle import Snapshot
    from tma.services.notify.sinks import Sinks
    from tma.services.runtime import Runtime

_NONCE_DIGITS = 16
_NOWHERE = Origin("", "")
"""A notice names neither host nor server."""


class Fire(NamedTuple):
    """One notice that is due: whose, what becomes of it, and the chain that claims it."""

    plan: "Plan"
    trigger: str
    outcome: str
    nonce: str
    chain: "list[Op]"


class Notifier:
    """Tells of what stands on the panes; make one and keep it, and call it from one thread.

    ``outcomes`` counts what became of notices, by the word of the outcome (POL-10).
    """

    def __init__(self, runtime: "Runtime", sinks: "Sinks") -> None:
        """Work with a runtime, whose settings are read anew in each pass, and hand notices to ``sinks``."""
        self._runtime = runtime
        self._sinks = sinks
        self._labels = Labels()
        self._runs: dict[str, int] = {}
        self.outcomes: dict[str, int] = {}

    def adopt(self, runtime: "Runtime") -> None:
        """Go on with another runtime or its new settings; no marker changes (DRL-3)."""
        self._runtime = runtime
        self._sinks.adopt(runtime)

    def close(self) -> None:
        """End the sinks with everything that they run (DLC-14)."""
        self._sinks.close()

    def dispatch(self, snapshot: "Snapshot") -> int:
        """Claim what is due and ring for what was won: the number of notices; no sink is waited for.

        A pass with nothing due runs no tmux client (RC-2).

        Raises:
            TmaError: tmux failed; what was not claimed is due again in the next pass.
        """
        chains = self._wakes(snapshot)
        fires = list(self._due(snapshot))
        self._remember(snapshot)
        consumed = [fire for fire in fires if fire.outcome in alerts.CONSUMED]
        chains += [(fire.plan.pane.pane_id, fire.chain) for fire in consumed]
        text = "".join(self._runtime.server.feed(script) for script in write.scripts(chains))
        won = claims.won(text, {fire.nonce for fire in consumed})
        ours = [fire for fire in consumed if fire.nonce in won]
        for fire in ours:
            self.outcomes[fire.outcome] = self.outcomes.get(fire.outcome, 0) + 1
        return self._ring(snapshot, [fire for fire in ours if fire.outcome == alerts.FIRED])

    def next_deadline_ms(self, snapshot: "Snapshot") -> int | None:
        """When something falls due that no news announces: a stall, a snooze's end, a watched pane (TRG-6, POL-3)."""
        notify = self._runtime.settings.notify
        found: list[int] = []
        for plan, stamp in _stamped(snapshot):
            stored = plan.options_after()
            stall = alerts.stall_at(stamp, plan.pane, notify)
            snoozed = snoozed_until(stored, stamp.episode)
            found += [at for at in (stall, snoozed) if at is not None and at > snapshot.now]
            looked_at = alerts.watched(plan.pane.pane_id, snapshot.clients, notify["policy"], snapshot.now)
            if looked_at and alerts.state_due(stamp, notify):
                found.append(snapshot.now + alerts.WATCH_AGAIN_MS)
        return min(found, default=None)

    def _due(self, snapshot: "Snapshot") -> "Iterator[Fire]":
        notify, now = self._runtime.settings.notify, snapshot.now
        for plan, stamp in _stamped(snapshot):
            trigger = alerts.state_due(stamp, notify, woken=_is_woken(plan, stamp, now))
            if trigger:
                nonce = system.nonce(_NONCE_DIGITS)
                chain = claims.episode(stamp.state, stamp.episode, now, nonce)
                yield Fire(plan, trigger, self._outcome(snapshot, plan, stamp, trigger), nonce, chain)
            if any(alerts.gauge_due(notify, plan.options_after())):
                nonce = system.nonce(_NONCE_DIGITS)
                chain = claims.gauge(notify[alerts.CONTEXT_HIGH]["threshold"], now, nonce)
                outcome = self._outcome(snapshot, plan, stamp, alerts.CONTEXT_HIGH)
                yield Fire(plan, alerts.CONTEXT_HIGH, outcome, nonce, chain)
            due = alerts.stall_at(stamp, plan.pane, notify)
            if due is not None and due <= now:
                nonce = system.nonce(_NONCE_DIGITS)
                outcome = self._outcome(snapshot, plan, stamp, alerts.STALL)
                yield Fire(plan, alerts.STALL, outcome, nonce, claims.stall(stamp.since, nonce))

    def _outcome(self, snapshot: "Snapshot", plan: "Plan", stamp: "Stamp", trigger: str) -> str:
        policy = self._runtime.settings.notify["policy"]
        return alerts.outcome(
            trigger,
            plan.options_after(),
            episode=stamp.episode,
            turn_ms=self._turn_ms(plan.pane.pane_id, stamp),
            looked_at=alerts.watched(plan.pane.pane_id, snapshot.clients, policy, snapshot.now),
            policy=policy,
            now=snapshot.now,
        )

    def _wakes(self, snapshot: "Snapshot") -> "list[tuple[str, list[Op]]]":
        """The ends of snoozes whose episode stands, each before the claim of its new notice (POL-6)."""
        return [
            (plan.pane.pane_id, claims.wake(plan.options_after()[SNOOZE], stamp.episode))
            for plan, stamp in _stamped(snapshot)
            if _is_woken(plan, stamp, snapshot.now)
        ]

    def _remember(self, snapshot: "Snapshot") -> None:
        """When each pane's last working run began, to know the length of a turn (POL-4)."""
        runs = {}
        for plan, stamp in _stamped(snapshot):
            pane_id = plan.pane.pane_id
            if stamp.state == WORKING:
                runs[pane_id] = stamp.since
            elif pane_id in self._runs and stamp.state == IDLE:
                runs[pane_id] = self._runs[pane_id]
        self._runs = runs

    def _turn_ms(self, pane_id: str, stamp: "Stamp") -> int | None:
        began = self._runs.get(pane_id)
        return None if began is None else max(0, stamp.episode - began)

    def _ring(self, snapshot: "Snapshot", fires: list[Fire]) -> int:
        if not fires:
            return 0
        labels = self._labels.of(fire.plan.pane.path for fire in fires if fire.plan.pane.path)
        for fire in fires:
            plan, stamp = fire.plan, fire.plan.stamp_after
            if stamp is not None:
                label, stored = labels.get(plan.pane.path), plan.options_after()
                row = row_of(plan.pane, stamp, snapshot.now, origin=_NOWHERE, label=label, companions=stored)
                self._sinks.offer(alerts.notice_of(row, fire.trigger, snapshot.now))
        return len(fires)


def _is_woken(plan: "Plan", stamp: "Stamp", now: int) -> bool:
    """Whether a snooze of the episode that stands is over."""
    return 0 < snoozed_until(plan.options_after(), stamp.episode) <= now


def _stamped(snapshot: "Snapshot") -> "Iterator[tuple[Plan, Stamp]]":
    """The rows with what stands on them."""
    if snapshot.foreign:
        return
    for plan in snapshot.rows():
        if plan.stamp_after is not None:
            yield plan, plan.stamp_after
