"""Every agent for a surface that stays open: at first from the stamps alone, then by looks at all panes (TUI-1)."""

import threading
from typing import TYPE_CHECKING, NamedTuple

from tma.adapters import system
from tma.adapters.tmux import focus, read, write
from tma.core import ops
from tma.core.errors import TmaError
from tma.core.row import attention_order
from tma.core.stamp import WATCH_PID
from tma.core.triage import Context, triage
from tma.services import cycle
from tma.services.cycle import Snapshot
from tma.services.reload import Reload
from tma.services.repos import Labels
from tma.services.rows import rows_of

if TYPE_CHECKING:
    from tma.core.row import AgentRow
    from tma.core.selector import Selection
    from tma.services.runtime import Runtime

LABELS_S = 0.25
"""How long the first frame waits for repositories (TUI-1)."""

_GOODBYE_S = 1.0


class Opening(NamedTuple):
    """What a surface starts from.

    ``client`` is the acting client's name, ``origin`` the pane that it shows and ``session`` its
    session's name; ``own`` is the pane that this terminal is. Each is "" where there is none.
    """

    rows: "list[AgentRow]"
    now: int
    client: str
    origin: str
    session: str
    own: str


class Fleet:
    """The agents of one server that a selection chooses, for as long as a surface is open."""

    def __init__(self, runtime: "Runtime", selection: "Selection") -> None:
        """Start without having looked."""
        self._runtime = runtime
        self._selection = selection
        self._reload = Reload(runtime)
        self._labels = Labels()

    @property
    def config_broken(self) -> bool:
        """Whether configuration or manifests could not be used when they were last read (CFG-11)."""
        return self._reload.is_broken

    def open(self, terminal: str) -> Opening:
        """What stands in the stamps, and where the person is; nothing is looked at and nothing written.

        Raises:
            TmaError: there is no server, or it took too long.
        """
        command, mark = read.list_panes()
        other = system.nonce(8)
        own = [
            "list-panes",
            "-a",
            "-f",
            f"#{{==:#{{pane_tty}},{terminal}}}",
            "-F",
            f"|{other}.|own|{other}|#{{pane_id}}",
        ]
        text = self._runtime.server.run([*command, ";", *focus.question(other), ";", *own])
        panes, facts = read.parse(text, mark)
        snapshot = Snapshot(self._runtime.now_ms(), facts)
        context = Context(now=snapshot.now, settings=self._runtime.settings, names=self._runtime.names)
        context.foreign = True
        snapshot.plans = [triage(pane, context) for pane in panes[: read.MAX_PANES]]
        client, origin, session = self._person(focus.parse(text, other))
        mine = text.rpartition(f"|{other}.|own|{other}|")
        return Opening(
            self._chosen(snapshot, labels=self._labelled(snapshot)),
            snapshot.now,
            client,
            origin,
            session,
            mine[2].strip() if mine[1] else "",
        )

    def look(self) -> "tuple[list[AgentRow], int]":
        """The selected rows in attention order after one cycle, and its instant.

        Raises:
            TmaError: the server is gone, or a cycle cannot be run.
        """
        trouble = self._reload.refresh()
        if trouble:
            self._runtime.note(trouble)
        snapshot = cycle.run(self._runtime)
        return self._chosen(snapshot, labels=True), snapshot.now

    def capture(self, pane_id: str) -> list[str]:
        """The visible screen of a pane with its colors; nothing where it cannot be had (PRV-1)."""
        try:
            return self._runtime.server.run(["capture-pane", "-p", "-e", "-t", pane_id]).split("\n")
        except TmaError:
            return []

    def publish(self, own: str, pid: int) -> None:
        """Make this process one that is nudged (NDG-1)."""
        self._write(own, ops.put(WATCH_PID, str(pid)))

    def withdraw(self, own: str) -> None:
        """Be nudged no more."""
        self._write(own, ops.unset(WATCH_PID))

    def is_seen(self, own: str) -> bool:
        """Whether a client shows the session of a pane; so too where it cannot be told."""
        try:
            return self._runtime.server.run(["display-message", "-p", "-t", own, "#{session_attached}"]).strip() != "0"
        except TmaError:
            return True

    def _write(self, own: str, op: "ops.Op") -> None:
        """Change our own pane, if there is one and it still stands."""
        try:
            if own:
                self._runtime.server.feed(write.script(own, [op]), timeout_s=_GOODBYE_S)
        except TmaError:
            return

    def _person(self, sight: "focus.Sight") -> tuple[str, str, str]:
        """The acting client, its pane and its session; outside tmux only a named client acts (TUI-10)."""
        name = self._runtime.options.client
        client = sight.client(name) if name or system.env("TMUX") else None
        if client is None:
            return "", "", ""
        session = next((shown.session_name for shown in sight.shown if shown.session_id == client.session_id), "")
        return client.name, client.pane_id, session

    def _chosen(self, snapshot: Snapshot, *, labels: bool) -> "list[AgentRow]":
        rows = rows_of(snapshot, labels=labels, known=self._labels)
        return self._selection.choose(attention_order(rows))

    def _labelled(self, snapshot: Snapshot) -> bool:
        """Whether the repositories were read in time; a slow file system goes on being read meanwhile."""
        paths = [plan.pane.path for plan in snapshot.rows() if plan.pane.path]
        reading = threading.Thread(target=self._labels.of, args=(paths,), daemon=True)
        reading.start()
        reading.join(LABELS_S)
        return not reading.is_alive()
