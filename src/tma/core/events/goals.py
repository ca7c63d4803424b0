"""What a wait waits for, as latches that are shown one look after another (WAI-2, WAI-5 to WAI-9)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from tma.core.row import AgentRow
from tma.core.selector import state_matches

MET = "met"
VANISHED = "vanished"
DIED = "died"
AMBIGUOUS = "ambiguous"
EMPTY = "empty"

_TERMINAL = (VANISHED, DIED)


class Seen(NamedTuple):
    """One look: every row and the rows in scope, both in attention order, and the ids of all panes."""

    rows: Sequence[AgentRow]
    scope: Sequence[AgentRow]
    panes: frozenset[str]


class Verdict(NamedTuple):
    """How a wait ended: the rows that satisfied it, or the panes that ended it."""

    kind: str
    rows: tuple[AgentRow, ...] = ()
    panes: tuple[str, ...] = ()


class Wanted(NamedTuple):
    """The states that satisfy, and the instant after which their episode must have begun, None for any."""

    states: frozenset[str]
    since: int | None = None

    def satisfied(self, rows: Iterable[AgentRow]) -> tuple[AgentRow, ...]:
        """The rows that satisfy, in their order (WAI-2)."""
        return tuple(row for row in rows if self._holds(row))

    def _holds(self, row: AgentRow) -> bool:
        return state_matches(row, self.states) and (self.since is None or row.episode_ms > self.since)


class Goal(Protocol):
    """What a wait shows each look to."""

    def step(self, seen: Seen) -> Verdict | None:
        """The end of the wait, or None while it goes on."""


class OnePane:
    """One pane, which may have no agent yet (WAI-8, WAI-9)."""

    def __init__(self, wanted: Wanted, pane: str) -> None:
        """Start without having seen the pane."""
        self._wanted = wanted
        self._alive = False
        self._had_row = False
        self.pane = pane

    @property
    def without_agent(self) -> bool:
        """Whether the pane is there and never had an agent."""
        return self._alive and not self._had_row

    def step(self, seen: Seen) -> Verdict | None:
        """Met by the pane's row; over when the pane went away, or lives on without its agent."""
        rows = [row for row in seen.rows if row.pane == self.pane]
        if not rows and self.pane not in seen.panes:
            return Verdict(VANISHED, panes=(self.pane,)) if self._alive else None
        self._alive = True
        if not rows:
            return Verdict(DIED, panes=(self.pane,)) if self._had_row else None
        self._had_row = True
        satisfied = self._wanted.satisfied(rows)
        return Verdict(MET, satisfied) if satisfied else None


class OneAgent:
    """The one row in scope, pinned by the first look that has one (WAI-5)."""

    def __init__(self, wanted: Wanted) -> None:
        """Start without a pinned pane."""
        self._wanted = wanted
        self._pinned: OnePane | None = None

    def step(self, seen: Seen) -> Verdict | None:
        """As the pinned pane; over at once where several could be meant."""
        if self._pinned is None:
            panes = tuple(row.pane for row in seen.scope)
            if len(panes) > 1:
                return Verdict(AMBIGUOUS, panes=panes)
            if not panes:
                return None
            self._pinned = OnePane(self._wanted, panes[0])
        return self._pinned.step(seen)


class AnyRow:
    """Whichever row in scope satisfies first; rows that leave do not matter (WAI-6)."""

    def __init__(self, wanted: Wanted) -> None:
        """Keep what is wanted."""
        self._wanted = wanted

    def step(self, seen: Seen) -> Verdict | None:
        """Met by the first satisfying row."""
        satisfied = self._wanted.satisfied(seen.scope)
        return Verdict(MET, satisfied[:1]) if satisfied else None


class Count:
    """A number of rows in scope at the same time (WAI-7)."""

    def __init__(self, wanted: Wanted, count: int) -> None:
        """Keep how many are wanted."""
        self._wanted = wanted
        self._count = count

    def step(self, seen: Seen) -> Verdict | None:
        """Met by all rows that satisfy, if they are enough."""
        satisfied = self._wanted.satisfied(seen.scope)
        return Verdict(MET, satisfied) if len(satisfied) >= self._count else None


class All:
    """Every row that the first look found in scope, at the same time (WAI-7)."""

    def __init__(self, wanted: Wanted) -> None:
        """Start without members."""
        self._wanted = wanted
        self._members: list[OnePane] | None = None

    def step(self, seen: Seen) -> Verdict | None:
        """Met when every member is; the end of one beats those that still wait (WAI-8)."""
        if self._members is None:
            self._members = [OnePane(self._wanted, row.pane) for row in seen.scope]
        if not self._members:
            return Verdict(EMPTY)
        ends = [member.step(seen) for member in self._members]
        over = next((end for end in ends if end and end.kind in _TERMINAL), None)
        if over or None in ends:
            return over
        members = {member.pane for member in self._members}
        return Verdict(MET, tuple(row for row in seen.rows if row.pane in members))
