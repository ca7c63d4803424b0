"""What is to be done next, and when: everything that can make a step due, in one place (DEL-2, DEL-5).

Time is given in seconds of the loop's clock; nothing here waits.
"""

import enum

from tma.core.control import Activity
from tma.core.state import UNKNOWN
from tma.daemon.cadence import Cadence
from tma.daemon.desk import Turn
from tma.services import looks
from tma.services.cycle import Snapshot
from tma.services.runtime import Runtime

CAPPED_LOOKS = 3
"""How often a pane is looked at again while something else has its terminal (DED-6)."""

POST_ATTACH_S = 0.25
"""How soon a session just attached to is looked for again, if the list of panes could not be read (DED-3)."""


class Step(enum.Enum):
    """What the lane of looks does."""

    RELOAD = enum.auto()
    LOOK = enum.auto()
    MEMBERS = enum.auto()
    SWEEP = enum.auto()
    PASS = enum.auto()


class Agenda:
    """Output, wishes and instants become steps, the most urgent first."""

    def __init__(self, activity: Activity, cadence: Cadence) -> None:
        """Begin with what a start owes: who is where, and what stands."""
        self.activity = activity
        self.cadence = cadence
        self.joined: set[str] = set()
        self._wanted = {Step.MEMBERS, Step.PASS}
        self._join_at = 0.0
        self._again: dict[str, float] = {}
        self._capped: dict[str, int] = {}
        self._deadline: float | None = None

    def want(self, *steps: Step) -> None:
        """Ask for steps, soon."""
        self._wanted.update(steps)

    def begun(self, step: Step) -> None:
        """Whoever asks from now on asks for another one."""
        self._wanted.discard(step)

    def join(self, session: str) -> None:
        """A session was attached to; it stays in ``joined`` until the list of panes was read (DED-3)."""
        self.joined.add(session)
        self._join_at = 0.0

    def joining(self, now: float) -> set[str]:
        """The sessions that the list now to be read will serve."""
        self._join_at = now + POST_ATTACH_S
        return set(self.joined)

    def spoke(self, pane: str) -> None:
        """A hook spoke for a pane: what hid its screen before counts no more."""
        self._capped.pop(pane, None)

    def collapse(self, now: float) -> None:
        """Whatever was busy is one edge now."""
        self.activity.collapse(_ms(now))

    def due(self) -> float:
        """When ``next`` will have something to answer; with nothing going on that is the sweep (DBU-1)."""
        edge = self.activity.due()
        times = [self.cadence.due, *self._again.values()]
        times += [edge / 1000] if edge is not None else []
        times += [self._deadline] if self._deadline is not None else []
        times += [self._join_at] if self.joined else []
        return min(times)

    def next(self, now: float) -> Step | None:
        """The step that is due, None for none; what fell silent becomes edges."""
        for pane in [pane for pane, at in self._again.items() if at <= now]:
            del self._again[pane]
            self.activity.edges[pane] = None
        is_late = self.cadence.is_late(now)
        if is_late:
            self.collapse(now)
        else:
            self.activity.advance(_ms(now))
        if Step.RELOAD in self._wanted:
            return Step.RELOAD
        if is_late:
            # Before the edges: of a pane that prints on, each look would leave the next one behind.
            return Step.SWEEP
        if self.activity.edges:
            return Step.LOOK
        if Step.MEMBERS in self._wanted or (self.joined and now >= self._join_at):
            return Step.MEMBERS
        if Step.SWEEP in self._wanted or now >= self.cadence.due:
            return Step.SWEEP
        if Step.PASS in self._wanted or (self._deadline is not None and now >= self._deadline):
            return Step.PASS
        return None

    def take(self, busy: str, now: float) -> list[str]:
        """The panes to look at; ``busy``, to which an event is being taken, waits for another silence."""
        panes = self.activity.take()
        if busy in panes:
            panes.remove(busy)
            self.activity.again([busy], _ms(now))
        return panes

    def expect(self, turn: Turn, now: float) -> None:
        """Keep the instant at which notices are due that nothing announces."""
        self._deadline = None
        if turn.deadline_ms is not None:
            self._deadline = now + max(0, turn.deadline_ms - turn.snapshot.now) / 1000

    def follow_up(self, snapshot: Snapshot, panes: frozenset[str], runtime: Runtime, now: float) -> None:
        """Further looks: when a hook's window ends, and while something else has the terminal (CYC-11, DED-6)."""
        for plan in snapshot.rows():
            pane = plan.pane.pane_id
            if pane not in panes:
                continue
            later = looks.again_ms(plan, runtime, runtime.settings)
            if later > snapshot.now:
                self._again[pane] = now + (later - snapshot.now) / 1000
            if looks.is_capped(plan) and self._capped.get(pane, 0) < CAPPED_LOOKS:
                self._capped[pane] = self._capped.get(pane, 0) + 1
                self._again[pane] = now + self.activity.quiet_ms / 1000
            elif plan.stamp_after is None or plan.stamp_after.state != UNKNOWN:
                self._capped.pop(pane, None)


def _ms(seconds: float) -> int:
    return int(seconds * 1000)
