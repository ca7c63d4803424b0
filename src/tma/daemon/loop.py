"""The daemon's one loop: edges, timers and frames become turns in two lanes, and turns become wakes (DEL-1 to DEL-6).

A lane is one thread in which one synchronous step runs at a time. Everything else happens here,
in the loop's own thread, and never waits for tmux.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from tma.core.control import Activity, Notice
from tma.core.pane import ServerFacts
from tma.core.wire import Frame
from tma.daemon import clients
from tma.daemon.agenda import Agenda, Step
from tma.daemon.cadence import Cadence
from tma.daemon.clients import Clients
from tma.daemon.connections import Connections, Handler, Waiting
from tma.daemon.coverage import Coverage
from tma.daemon.desk import Desk
from tma.daemon.inbox import Inbox
from tma.daemon.ledger import Ledger
from tma.daemon.log import Log
from tma.daemon.scans import Listener, Parts, Scans
from tma.daemon.trouble import Trouble
from tma.services import frames, tap
from tma.services.frames import Outcome
from tma.services.runtime import Runtime

_MEMBERS = ("sessions-changed", "session-closed", "client-detached", "client-session-changed")
_LIFE = (
    "window-add", "window-close", "window-renamed", "unlinked-window-add", "unlinked-window-close",
    "unlinked-window-renamed", "layout-change", "window-pane-changed", "pane-mode-changed",
)  # fmt: skip


class Place(NamedTuple):
    """Which server this daemon belongs to, and the hidden settings of tests."""

    facts: ServerFacts
    sweep_s: float
    fixed_cadence: bool


class Loop:
    """Everything that happens between the bind and the stop."""

    def __init__(self, runtime: Runtime, place: Place, log: Log, tell: Callable[[dict[str, str]], None]) -> None:
        """Get ready on the running loop; ``tell`` takes the status keys whenever they may have changed."""
        self._loop = asyncio.get_running_loop()
        self._runtime, self._place, self._tell = runtime, place, tell
        self.finished: asyncio.Future[str] = self._loop.create_future()
        self.desk = Desk(runtime)
        connect = tap.connector(runtime.server, place.facts.version, place.facts.socket_path)
        if connect is None:
            log.say(f"attaches no tmux clients: tmux {place.facts.version or '?'} may not survive that")
        self.clients = Clients(self._loop, connect, clients.Listener(self._notice, self._attached, self._left))
        self._agenda = Agenda(
            Activity(runtime.settings.daemon["quiet_ms"]),
            Cadence(place.sweep_s, self._loop.time(), fixed=place.fixed_cadence),
        )
        self._ledger = Ledger(runtime)
        self._trouble = Trouble(place.facts.pid, log, self.finish)
        self._coverage = Coverage()
        self._inbox = Inbox(self._apply, self._applied)
        self.connections = Connections(self._loop, Handler(self._event, self._ledger.ring.document, self.info))
        self._scans = Scans(
            Parts(
                self.desk,
                self._agenda,
                self._ledger,
                self._trouble,
                self._inbox,
                self.clients,
                self._coverage,
                log,
            ),
            Listener(self.finish, self._report, self.connections.wake),
        )
        self.checks = self._scans.checks
        self._tasks: list[asyncio.Task[None]] = []

    # --- life ---

    def start(self) -> None:
        """Begin to work."""
        self._tasks = [self._loop.create_task(self._guard(work())) for work in (self._inbox.work, self._scans.work)]
        self._scans.stir()

    def reload(self) -> None:
        """Read configuration and manifests again, soon."""
        self._ask(Step.RELOAD)

    def finish(self, why: str) -> None:
        """End the daemon; the first reason counts."""
        if not self.finished.done():
            self.finished.set_result(why)

    def abandon(self) -> None:
        """Stop working; what a lane still waits for is left to end by itself (DLC-12)."""
        for task in self._tasks:
            task.cancel()
        self._inbox.close()
        self._scans.close()

    async def _guard(self, work: Awaitable[None]) -> None:
        try:
            await work
        except Exception as error:  # noqa: BLE001  # logged, and the daemon ends (section 14)
            if not self.finished.done():
                self.finished.set_exception(error)

    def _ask(self, step: Step) -> None:
        self._agenda.want(step)
        self._scans.stir()

    # --- events ---

    def _event(self, waiting: Waiting) -> None:
        self._agenda.cadence.stir()
        self._ledger.demotion.reset(waiting.frame.pane)
        self._agenda.spoke(waiting.frame.pane)
        if self._trouble.breaker.is_open:
            waiting.answer(accepted=False)
        else:
            self._inbox.put(waiting)

    def _apply(self, frame: Frame) -> Outcome:
        return frames.apply(self._runtime, frame, self._place.facts.pid)

    def _applied(self, outcome: Outcome) -> None:
        if outcome.trouble is not None:
            self._trouble.failed(outcome.trouble, self._loop.time())
            if self._trouble.breaker.is_open:
                self._inbox.refuse()
            self._scans.stir()
        if outcome.pane:
            self._ledger.demotion.reset(outcome.pane)
        if outcome.changed:
            self._ask(Step.PASS)
        else:
            self._report()

    # --- what control clients tell ---

    def _notice(self, notice: Notice) -> None:
        self._agenda.cadence.stir()
        if notice.name == "output":
            self._output(notice)
        elif notice.name in _MEMBERS:
            self._ask(Step.MEMBERS)
        elif notice.name in _LIFE:
            self._ask(Step.PASS)

    def _output(self, notice: Notice) -> None:
        activity = self._agenda.activity
        activity.output(notice.pane, notice.size, int(self._loop.time() * 1000))
        if self._coverage.heard(notice.pane):
            self._report()
        self._scans.relay()
        self._scans.stir_after(activity.quiet_ms / 1000)

    def _attached(self, session: str) -> None:
        self._agenda.join(session)
        self._scans.stir()

    def _left(self) -> None:
        self._ask(Step.MEMBERS)

    # --- introspection ---

    def status(self) -> dict[str, str]:
        """The ten keys of the status file (DST-2)."""
        sessions = self.clients.sessions
        return {
            "probe": self._coverage.word,
            "clients": str(len(sessions)),
            "sessions": " ".join(sessions),
            "active": str(self._agenda.activity.busy + len(self._inbox.looking)),
            "sweeps": str(self._ledger.sweeps),
            "captures": str(self._ledger.captures),
            "frames": str(self.connections.frames),
            "naks": str(self.connections.naks),
            "breaker": "open" if self._trouble.breaker.is_open else "closed",
            "notify_fires": str(self._ledger.fires),
        }

    def info(self) -> str:
        """The same as a document (DWP-8)."""
        return json.dumps(self.status(), separators=(",", ":"))

    def _report(self) -> None:
        self._tell(self.status())
