"""Looks at every pane, one after another, for a command that runs for long (WAI-3, SUB-2, CFG-9)."""

import time

from tma.core.errors import TmaError, TmuxTimeoutError
from tma.core.row import attention_order
from tma.services import cycle, stamping
from tma.services.hints import Cause, Hints
from tma.services.reload import Reload
from tma.services.repos import Labels
from tma.services.rows import rows_of
from tma.services.voice import Voice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tma.core.row import AgentRow
    from tma.services.cycle import Snapshot
    from tma.services.runtime import Runtime


class Look:
    """What one cycle found: every row in attention order, and the ids of all panes.

    Marks that input has answered stay up until ``settle`` (ATN-6). ``routine`` is a look that nothing
    but time asked for although a daemon would have told of news (DSU-2).
    """

    __slots__ = ("_snapshot", "panes", "routine", "rows")

    def __init__(self, snapshot: "Snapshot", rows: "list[AgentRow]") -> None:
        """Keep the parts."""
        self._snapshot = snapshot
        self.rows = rows
        self.routine = False
        self.panes = frozenset(plan.pane.pane_id for plan in snapshot.plans)

    @property
    def now(self) -> int:
        """The instant of the look."""
        return self._snapshot.now

    def settle(self, runtime: "Runtime") -> None:
        """Take down the marks that input has answered; what fails now the next look does again."""
        answered = self._snapshot.answered
        try:
            for text in stamping.scripts(self.now, [], [], answered) if answered else ():
                runtime.server.feed(text)
        except TmaError:
            return


class Stream:
    """Looks of one process: its files are read again before each, its repository labels are kept for a while."""

    def __init__(self, runtime: "Runtime") -> None:
        """Start without having looked."""
        self._runtime = runtime
        self._reload = Reload(runtime)
        self._labels = Labels()
        self._voice = Voice(runtime)
        self._hints = Hints(runtime)

    def look(self) -> Look | None:
        """One look, None where tmux took too long; what is to be said of it is said (CLI-11).

        Raises:
            TmaError: the server is gone, or a cycle cannot be run.
        """
        trouble = self._reload.refresh()
        if trouble:
            self._voice.say(trouble)
        try:
            snapshot = cycle.run(self._runtime, defer_seen=True)
        except TmuxTimeoutError:
            return None
        if snapshot.facts is not None:
            self._hints.know(snapshot.facts.socket_path)
        rows = attention_order(rows_of(snapshot, labels=True, known=self._labels))
        self._voice.tell()
        return Look(snapshot, rows)

    def looks(self, interval_s: float, reader: int) -> "Iterator[Look]":
        """Looks, until the other end of a descriptor is closed; each is settled after it was used (SUB-6, SUB-7)."""
        cause = Cause.WAKE
        while cause is not Cause.LEFT:
            due = time.monotonic() + interval_s
            look = self.look()
            if look is not None:
                look.routine = cause is Cause.FALLBACK
                yield look
                look.settle(self._runtime)
            cause = self._hints.pause(due - time.monotonic(), reader=reader)

    def pause(self, interval_s: float, most_s: float) -> None:
        """Wait until it is time to look again, at most ``most_s`` (WAI-3, WAI-11)."""
        self._hints.pause(interval_s, most_s=most_s)

    def note(self, line: str) -> None:
        """Say a line, once."""
        self._runtime.note(line)
        self._voice.tell()
