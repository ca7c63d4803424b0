"""What the scans lane does: each turn is a synchronous step through the services, ended by a dispatch pass (DST-3)."""

from collections.abc import Callable, Collection
from typing import NamedTuple

from tma.core.errors import TmaError
from tma.services import cycle, looks, sessions, stamping
from tma.services.cycle import Snapshot
from tma.services.notify.dispatch import Notifier
from tma.services.notify.progress import Progress
from tma.services.notify.sinks import Sinks
from tma.services.reload import Reload
from tma.services.runtime import Runtime
from tma.services.sessions import Listing

RETRY_MS = 1000
"""How long notices that could not be claimed wait at least."""


class Turn(NamedTuple):
    """What one step found and did; ``deadline_ms`` is when notices are due that nothing announces, None for never.

    ``trouble`` is why notices were not claimed; they are due again in the next pass.
    """

    snapshot: Snapshot
    fires: int = 0
    deadline_ms: int | None = None
    trouble: TmaError | None = None


class Membership(NamedTuple):
    """The sessions, and the panes that only output can tell of."""

    listing: Listing
    snapshot: Snapshot
    unstamped: list[str]


class Desk:
    """Works with one runtime in one thread, except for ``close`` and ``clear``.

    ``restore`` is called after each reload: it brings back what tmux forgot (TMH-7).
    """

    def __init__(self, runtime: Runtime) -> None:
        """Get ready; nothing is read yet."""
        self.runtime = runtime
        self.restore: Callable[[], object] = bool
        self._reload = Reload(runtime)
        self._sinks = Sinks(runtime)
        self._notifier = Notifier(runtime, self._sinks)
        self._progress = Progress(runtime, self._sinks)

    def look(self, panes: Collection[str], demoted: frozenset[str]) -> Turn:
        """Look at panes that fell silent (DED-2).

        Raises:
            TmaError: tmux failed.
        """
        return self._dispatched(looks.look_at(self.runtime, panes, demoted))

    def pass_over(self) -> Turn:
        """Read what stands, after an event wrote it.

        Raises:
            TmaError: tmux failed.
        """
        return self._dispatched(looks.glance(self.runtime))

    def sweep(self, demoted: frozenset[str]) -> Turn:
        """One cycle, then the notices, then the marks that input answered (DSW-4).

        Raises:
            TmaError: tmux failed.
        """
        snapshot = cycle.run(self.runtime, defer_seen=True, demoted=demoted)
        turn = self._dispatched(snapshot)
        for text in stamping.scripts(snapshot.now, [], [], snapshot.answered) if snapshot.answered else ():
            self.runtime.server.feed(text)
        return turn

    def membership(self) -> Membership:
        """Read who is where, before clients are attached or left (DCC-2).

        Raises:
            TmaError: tmux failed.
        """
        found = sessions.listing(self.runtime)
        snapshot = looks.glance(self.runtime)
        unstamped = [plan.pane.pane_id for plan in looks.candidates(self.runtime, snapshot)]
        return Membership(found, snapshot, unstamped)

    def probe(self) -> int:
        """The server's pid, as the smallest question.

        Raises:
            TmaError: tmux failed.
        """
        return int(self.runtime.server.run(["display-message", "-p", "#{pid}"], timeout_s=1.0).strip() or 0)

    def reload(self) -> str:
        """Read the files again; the line to log where that failed (CFG-10, CFG-11)."""
        trouble = self._reload.refresh()
        self._notifier.adopt(self.runtime)
        self._progress.adopt(self.runtime)
        self.restore()
        return trouble

    def notes(self) -> list[str]:
        """What the services had to say."""
        said, self.runtime.notes[:] = list(self.runtime.notes), []
        return said

    def clear(self) -> None:
        """Take down what is lit on terminals (PRG-3)."""
        self._progress.clear()

    def close(self) -> None:
        """End the sinks and what they run."""
        self._notifier.close()

    def _dispatched(self, snapshot: Snapshot) -> Turn:
        fires, trouble = 0, None
        try:
            fires = self._notifier.dispatch(snapshot)
            self._progress.update(snapshot)
        except TmaError as error:
            trouble = error
        deadline = self._notifier.next_deadline_ms(snapshot)
        if deadline is not None and trouble is not None:
            deadline = max(deadline, snapshot.now + RETRY_MS)
        return Turn(snapshot, fires, deadline, trouble)
