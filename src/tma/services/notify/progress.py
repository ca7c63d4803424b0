"""The progress mark of terminals whose session has a working pane: edges only, cleared behind us (PRG-1 to PRG-4)."""

import threading

from tma.adapters import terminal
from tma.core.errors import TmaError
from tma.core.state import BLOCKED, WORKING
from tma.services.notify import screens
from tma.view import banner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.adapters.tmux.audience import Viewer
    from tma.services.cycle import Snapshot
    from tma.services.notify.sinks import Sinks
    from tma.services.runtime import Runtime

_MARKS = {"": banner.PROGRESS_OFF, WORKING: banner.PROGRESS_ON, BLOCKED: banner.PROGRESS_HELD}


class Progress:
    """Keeps each client's mark true to its session; make one a process, after its sinks."""

    def __init__(self, runtime: "Runtime", sinks: "Sinks") -> None:
        """Start without knowing what a predecessor left lit."""
        self._runtime = runtime
        self._sinks = sinks
        self._shown: dict[str, tuple[str, Viewer]] = {}
        self._wanted: dict[str, str] | None = None
        self._lock = threading.Lock()

    def adopt(self, runtime: "Runtime") -> None:
        """Go on with other settings; what they turn off is cleared by the next update (PRG-3)."""
        self._runtime = runtime

    def update(self, snapshot: "Snapshot") -> None:
        """Bring every client to its session's value; the sinks' thread does it, and nobody waits."""
        if self._runtime.settings.notify["osc_progress"]:
            self._wanted = wanted = levels(snapshot)
            self._sinks.later(lambda: self._bring(wanted))
        elif self._shown:
            self._sinks.later(self.clear)

    def clear(self) -> None:
        """Take every mark down (PRG-3); what was still to be brought lights none again."""
        self._wanted = None
        with self._lock:
            for level, viewer in self._shown.values():
                if level:
                    screens.write(viewer, _MARKS[""])
            self._shown.clear()

    def _bring(self, wanted: dict[str, str]) -> None:
        """What a later pass has overtaken is let go: notices wait in the same line (NOT-4)."""
        if not self._counts(wanted):
            return
        try:
            viewers = screens.people(screens.look(self._runtime))
        except TmaError:
            return
        with self._lock:
            if self._wanted is None:
                return
            for viewer in viewers:
                level = wanted.get(viewer.session_id, "")
                known = self._shown.get(viewer.tty)
                if (known is None or known[0] != level) and screens.write(viewer, _MARKS[level]) != terminal.BUSY:
                    self._shown[viewer.tty] = (level, viewer)
            for tty in self._shown.keys() - {viewer.tty for viewer in viewers}:
                level, gone = self._shown.pop(tty)
                if level:
                    screens.write(gone, _MARKS[""])

    def _counts(self, wanted: dict[str, str]) -> bool:
        return wanted is self._wanted


def levels(snapshot: "Snapshot") -> dict[str, str]:
    """What each session with an agent at work shows: that, or that it is held up (PRG-1, PRG-4)."""
    found: dict[str, str] = {}
    for plan in snapshot.rows():
        state = plan.stamp_after.state if plan.stamp_after else ""
        for session_id, _ in plan.pane.sessions:
            if state == BLOCKED or (state == WORKING and session_id not in found):
                found[session_id] = state
    return found
