"""What failed calls mean: rest and try again, or end (DSW-5, DCC-6, DLC-13, section 14)."""

from collections.abc import Callable

from tma.adapters import system
from tma.core.errors import TmaError, TmuxGoneError, TmuxTimeoutError
from tma.daemon.breaker import Breaker
from tma.daemon.log import Log


class Trouble:
    """Judges errors and process ids of one server, and says in the log what a person can do."""

    def __init__(self, server_pid: int, log: Log, finish: Callable[[str], None]) -> None:
        """``finish`` ends the daemon, with a reason."""
        self._server_pid = server_pid
        self._log = log
        self._finish = finish
        self._is_told = False
        self.breaker = Breaker()

    def met(self, pid: int) -> None:
        """A server answered; 0 is one that did not say who it is."""
        if pid not in {0, self._server_pid}:
            self._finish("another tmux server has the socket")

    def failed(self, error: TmaError, now: float) -> None:
        """A step failed at ``now``, in seconds of the loop's clock."""
        if isinstance(error, TmuxGoneError):
            self._lost(now)
        elif isinstance(error, TmuxTimeoutError):
            if self.breaker.timed_out(now):
                self._log.say("tmux does not answer; looks rest until it does")
        else:
            self._log.say(str(error))

    def recovered(self) -> bool:
        """A step succeeded; whether that ended a rest."""
        self._is_told = False
        rested = self.breaker.succeeded()
        if rested:
            self._log.say("tmux answers again")
        return rested

    def _lost(self, now: float) -> None:
        pid = self._server_pid
        if not system.exists(pid):
            self._finish("the tmux server is gone")
        elif not self.breaker.trip(now) and not self._is_told:
            # Not at the first time: a server that ends takes its socket away before it is gone itself.
            self._is_told = True
            self._log.say(f"the tmux server runs but its socket is gone: kill -USR1 {pid} makes it again")
