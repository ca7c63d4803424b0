"""What turns leave behind: transitions, counts, and which hooks are distrusted (DHI-1, DST-2, CYC-12)."""

from tma.core import ring as history
from tma.core.demotion import Demotion
from tma.daemon.desk import Turn
from tma.services import looks
from tma.services.cycle import Snapshot
from tma.services.runtime import Runtime


class Ledger:
    """Takes each turn's result in."""

    def __init__(self, runtime: Runtime) -> None:
        """Start without having seen a pane."""
        self._runtime = runtime
        self._former: frozenset[str] | None = None
        self.ring = history.Ring()
        self.demotion = Demotion(runtime.settings.daemon["demote_edges"])
        self.sweeps = 0
        self.captures = 0
        self.fires = 0

    def took(self, turn: Turn) -> bool:
        """Whether an agent came, went, or changed how it is known, so that sessions are to be looked at."""
        snapshot = turn.snapshot
        self.captures += snapshot.captures
        self.fires += turn.fires
        self.ring.observe(
            history.Sight(plan.pane.pane_id, stamp.state, stamp.since, stamp.source)
            for plan in snapshot.rows()
            if (stamp := plan.stamp_after) is not None
        )
        return self._differs(snapshot)

    def _differs(self, snapshot: Snapshot) -> bool:
        names = self._runtime.names
        hookless = frozenset(plan.pane.pane_id for plan in snapshot.rows() if looks.hookless(plan, names))
        former, self._former = self._former, hookless | self.demotion.panes
        return former is not None and former != self._former

    def count_edges(self, snapshot: Snapshot, panes: frozenset[str]) -> None:
        """CYC-12: output that a pane's hooks did not announce."""
        for plan in snapshot.rows():
            stamp = plan.prior
            if plan.pane.pane_id in panes and stamp is not None and not looks.hookless(plan, self._runtime.names):
                self.demotion.edge(plan.pane.pane_id, stamp, self._runtime.settings, snapshot.now)
