"""The stall breaker: after three tmux time-outs in a row nothing but a probe is tried (DSW-5)."""

TIMEOUTS = 3
LONGEST_S = 30.0


class Breaker:
    """Counts time-outs; open, it says when to probe next."""

    def __init__(self) -> None:
        """Start closed."""
        self._timeouts = 0
        self._wait_s = 0.0
        self.probe_at = 0.0

    @property
    def is_open(self) -> bool:
        """Whether looks and sweeps rest and frames are refused."""
        return self._wait_s > 0

    def succeeded(self) -> bool:
        """A call was answered; whether that closed the breaker."""
        was_open, self._timeouts, self._wait_s = self.is_open, 0, 0.0
        return was_open

    def timed_out(self, now: float) -> bool:
        """A call was not answered in time; whether that opened the breaker. Of an open one only the probe counts."""
        self._timeouts += 1
        is_due = now >= self.probe_at if self.is_open else self._timeouts >= TIMEOUTS
        return is_due and self.trip(now)

    def trip(self, now: float) -> bool:
        """Open it, or wait longer for the next probe; whether it was closed."""
        was_open = self.is_open
        self._wait_s = min(LONGEST_S, self._wait_s * 2) if was_open else 1.0
        self.probe_at = now + self._wait_s
        return not was_open
