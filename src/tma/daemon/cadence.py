"""When the next sweep is due (DSW-1, DSW-2)."""

MOST = 8
"""How many times its length an idle server's interval may reach."""

BLIND_S = 5.0
"""The longest interval while something is seen by the sweep alone (DCC-3, DCC-16)."""


class Cadence:
    """Measures from the start of each sweep; wakes in between move nothing."""

    def __init__(self, interval_s: float, now: float, *, fixed: bool = False) -> None:
        """The first sweep is one interval after ``now``; a ``fixed`` interval does not stretch."""
        self._interval_s = interval_s
        self._fixed = fixed
        self._started = now
        self._planned_s = interval_s
        self._quiet = 0
        self._factor = 1
        self._stirred = False
        self.is_blind = False

    @property
    def interval_s(self) -> float:
        """The interval in force."""
        if self.is_blind and not self._fixed:
            return min(self._interval_s, BLIND_S)
        return self._interval_s * self._factor

    @property
    def due(self) -> float:
        """When the next sweep is due."""
        return self._started + self.interval_s

    def is_late(self, now: float) -> bool:
        """Whether time stood still for so long that what happened meanwhile is one (DEL-5).

        An interval that has just become shorter makes a sweep due, and nothing late.
        """
        return now - self._started > 2 * max(self._planned_s, self.interval_s)

    def adopt(self, interval_s: float) -> None:
        """Another interval from now on (DRL-1)."""
        if not self._fixed:
            self._interval_s = interval_s
            self._factor = 1

    def stir(self) -> None:
        """Something happened: output, a line about sessions, a frame."""
        self._stirred = True
        self._factor = 1
        self._quiet = 0

    def started(self, now: float) -> None:
        """A sweep begins."""
        self._started = now
        self._planned_s = self.interval_s

    def ended(self, *, wrote: bool) -> None:
        """A sweep ended; after two that changed nothing, with nothing between, the next ones are rarer."""
        quiet = not wrote and not self._stirred
        self._stirred = False
        self._quiet = self._quiet + 1 if quiet else 0
        if not quiet:
            self._factor = 1
        elif self._quiet >= 2 and not self._fixed:  # noqa: PLR2004  # two sweeps in a row
            self._factor = min(MOST, self._factor * 2)
            self._planned_s = self.interval_s
