"""Whether control clients tell what panes print, on this server (DCC-16)."""

from tma.services.cycle import Snapshot

ASSUMED, AVAILABLE, UNAVAILABLE = "assumed-available", "available", "unavailable"
_STRIKES = 2


class Coverage:
    """Compares what the server says of windows with what the clients said."""

    def __init__(self) -> None:
        """Believe it until shown otherwise."""
        self.word = ASSUMED
        self._heard: set[str] = set()
        self._printed: dict[str, int] = {}
        self._strikes = 0

    @property
    def is_unavailable(self) -> bool:
        """Whether output goes unreported."""
        return self.word == UNAVAILABLE

    def heard(self, pane: str) -> bool:
        """A line of output came; whether that changed the word."""
        self._heard.add(pane)
        changed, self.word = self.word != AVAILABLE, AVAILABLE
        self._strikes = 0
        return changed

    def swept(self, snapshot: Snapshot, sessions: frozenset[str]) -> None:
        """A sweep saw when each window printed last."""
        heard = {plan.pane.window_id for plan in snapshot.plans if plan.pane.pane_id in self._heard}
        printed = {
            plan.pane.window_id: plan.pane.activity_s
            for plan in snapshot.plans
            if any(session in sessions for session, _ in plan.pane.sessions)
        }
        missed = any(
            at > self._printed[window] and window not in heard
            for window, at in printed.items()
            if window in self._printed
        )
        self._strikes = self._strikes + 1 if missed else 0
        if self._strikes >= _STRIKES:
            self.word = UNAVAILABLE
        self._printed = printed
        self._heard.clear()
