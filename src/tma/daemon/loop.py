"""The daemon's one loop: edges, timers and frames become turns in two lanes, and turns become wakes (DEL-1 to DEL-6).

A lane is one thread in which one synchronous step runs at a time. Everything else happens here,
in the loop's own thread, and never waits for tmux.
"""

import asyncio
import json
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple, TypeVar

from tma.adapters import system
from tma.core import ring as history
from tma.core.control import Activity, Notice
from tma.core.demotion import Demotion
from tma.core.errors import TmaError, TmuxGoneError, TmuxTimeoutError
from tma.core.membership import Membership
from tma.core.state import UNKNOWN
from tma.daemon.breaker import Breaker
from tma.daemon.cadence import Cadence
from tma.daemon.clients import Clients, Listener
from tma.daemon.connections import Connections, Handler, Waiting
from tma.daemon.coverage import Coverage
from tma.daemon.desk import Desk, Turn
from tma.daemon.log import Log
from tma.services import frames, looks
from tma.services.cycle import Snapshot
from tma.services.runtime import Runtime

T = TypeVar("T")

MAX_FRAMES = 256
"""Events that wait for their lane."""

CAPPED_LOOKS = 3
POST_ATTACH_S = 0.25
_MEMBERS = ("sessions-changed", "session-closed", "client-detached", "client-session-changed")
_LIFE = (
    "window-add", "window-close", "window-renamed", "unlinked-window-add", "unlinked-window-close",
    "unlinked-window-renamed", "layout-change", "window-pane-changed", "pane-mode-changed",
)  # fmt: skip


class Place(NamedTuple):
    """Which server this daemon belongs to, and the hidden settings of tests."""

    server_pid: int
    sweep_s: float
    fixed_cadence: bool


class Loop:
    """Everything that happens between the bind and the stop."""

    def __init__(self, runtime: Runtime, place: Place, log: Log, tell: Callable[[dict[str, str]], None]) -> None:
        """Get ready on the running loop; ``tell`` takes the status keys whenever they may have changed."""
        self._loop = asyncio.get_running_loop()
        self._runtime, self._place, self._log, self._tell = runtime, place, log, tell
        self.desk = Desk(runtime)
        self.clients = Clients(self._loop, self._control, Listener(self._notice, self._attached, self._left))
        self.finished: asyncio.Future[str] = self._loop.create_future()
        daemon = runtime.settings.daemon
        self._activity = Activity(daemon["quiet_ms"])
        self._demotion = Demotion(daemon["demote_edges"])
        self._cadence = Cadence(place.sweep_s, self._loop.time(), fixed=place.fixed_cadence)
        self._breaker = Breaker()
        self._coverage = Coverage()
        self._membership = Membership()
        self._ring = history.Ring()
        self.connections = Connections(self._loop, Handler(self._event, self._ring.document, self.info))
        self._frames: deque[Waiting] = deque()
        self._stirred = asyncio.Event()
        self._framed = asyncio.Event()
        self._idle = asyncio.Event()
        self._looking: frozenset[str] = frozenset()
        self._applying = ""
        self._wants = {"members": True, "pass": True, "reload": False}
        self._joined: set[str] = set()
        self._again: dict[str, float] = {}
        self._capped: dict[str, int] = {}
        self._deadline: float | None = None
        self._snapshot: Snapshot | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._lanes = [ThreadPoolExecutor(1, name) for name in ("events", "scans")]
        self._tasks: list[asyncio.Task[None]] = []
        self._counts = {"sweeps": 0, "captures": 0, "fires": 0}
        self.checks: list[Callable[[], str]] = []

    # --- life ---

    def start(self) -> None:
        """Begin to work."""
        self._tasks = [self._loop.create_task(self._guard(work())) for work in (self._events, self._scans)]
        self._stir()

    def reload(self) -> None:
        """Read configuration and manifests again, soon."""
        self._wants["reload"] = True
        self._stir()

    def finish(self, why: str) -> None:
        """End the daemon; the first reason counts."""
        if not self.finished.done():
            self.finished.set_result(why)

    def abandon(self) -> None:
        """Stop working; what a lane still waits for is left to end by itself (DLC-12)."""
        for task in self._tasks:
            task.cancel()
        for waiting in self._frames:
            waiting.answer(accepted=False)
        self._frames.clear()
        if self._timer is not None:
            self._timer.cancel()
        for lane in self._lanes:
            lane.shutdown(wait=False, cancel_futures=True)

    async def _guard(self, work: Awaitable[None]) -> None:
        try:
            await work
        except Exception as error:  # noqa: BLE001  # logged, and the daemon ends (section 14)
            if not self.finished.done():
                self.finished.set_exception(error)

    async def _run(self, lane: int, step: Callable[[], T]) -> T:
        return await self._loop.run_in_executor(self._lanes[lane], step)

    # --- events ---

    def _event(self, waiting: Waiting) -> None:
        self._cadence.stir()
        self._demotion.reset(waiting.frame.pane)
        self._capped.pop(waiting.frame.pane, None)
        if self._breaker.is_open or len(self._frames) >= MAX_FRAMES:
            waiting.answer(accepted=False)
            return
        self._frames.append(waiting)
        self._framed.set()

    async def _events(self) -> None:
        while True:
            while not self._frames:
                self._framed.clear()
                await self._framed.wait()
            waiting = self._frames.popleft()
            frame = waiting.frame
            while frame.pane in self._looking:
                self._idle.clear()
                await self._idle.wait()
            self._applying = frame.pane
            try:
                outcome = await self._run(0, partial(frames.apply, self._runtime, frame, self._place.server_pid))
            finally:
                self._applying = ""
            waiting.answer(accepted=outcome.accepted)
            if outcome.trouble is not None:
                self._failed(outcome.trouble)
            if outcome.pane:
                self._demotion.reset(outcome.pane)
            if outcome.changed:
                self._wants["pass"] = True
                self._stir()
            else:
                self._report()

    # --- what control clients tell ---

    def _notice(self, notice: Notice) -> None:
        self._cadence.stir()
        if notice.name == "output":
            self._output(notice)
        elif notice.name in _MEMBERS:
            self._wants["members"] = True
            self._stir()
        elif notice.name in _LIFE:
            self._wants["pass"] = True
            self._stir()

    def _output(self, notice: Notice) -> None:
        self._activity.output(notice.pane, notice.size, self._now_ms())
        if self._coverage.heard(notice.pane):
            self._report()
        self._relay()
        if self._timer is None or self._timer.when() > self._loop.time() + self._activity.quiet_ms / 1000:
            self._arm()

    def _relay(self) -> None:
        """Hand on what floods ask for; a client that lacks the pane answers with an error that nobody reads."""
        for pane, verb in self._activity.orders:
            self.clients.send(f"refresh-client -A '{pane}:{verb}'")
        self._activity.orders.clear()

    def _attached(self, session: str) -> None:
        self._joined.add(session)
        self._stir()

    def _left(self) -> None:
        self._wants["members"] = True
        self._stir()

    def _control(self, session: str) -> list[str]:
        return self._runtime.server.argv(["-C", "attach-session", "-f", "ignore-size", "-t", session])

    # --- time ---

    def _now_ms(self) -> int:
        return int(self._loop.time() * 1000)

    def _stir(self) -> None:
        self._stirred.set()

    def _arm(self) -> None:
        """One timer, for whatever falls due first; with nothing going on that is the sweep (DBU-1)."""
        if self._breaker.is_open:
            due = self._breaker.probe_at
        else:
            edge = self._activity.due()
            times = [self._cadence.due, *self._again.values()]
            times += [edge / 1000] if edge is not None else []
            times += [self._deadline] if self._deadline is not None else []
            times += [self._loop.time() + POST_ATTACH_S] if self._joined else []
            due = min(times)
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(due, self._tick)

    def _tick(self) -> None:
        self._timer = None
        self._stir()

    # --- scans ---

    async def _scans(self) -> None:
        while True:
            await self._stirred.wait()
            self._stirred.clear()
            while not self._breaker.is_open and (step := self._next_step()):
                await self._attempt(step)
            if self._breaker.is_open and self._loop.time() >= self._breaker.probe_at:
                await self._attempt(self._probe)
                self._stir()
            self._arm()

    async def _attempt(self, step: Callable[[], Awaitable[None]]) -> None:
        try:
            await step()
        except TmaError as error:
            self._failed(error)
        else:
            self._recovered()
        self._looking = frozenset()
        self._idle.set()
        for note in self.desk.notes():
            self._log.say(note)
        self._report()
        # A step that found nothing to do must not keep connections and clients from being read.
        await asyncio.sleep(0)

    def _next_step(self) -> Callable[[], Awaitable[None]] | None:
        now = self._loop.time()
        for pane in [pane for pane, at in self._again.items() if at <= now]:
            del self._again[pane]
            self._activity.edges[pane] = None
        if self._cadence.is_late(now):
            self._activity.collapse(self._now_ms())
        else:
            self._activity.advance(self._now_ms())
        self._relay()
        if self._wants["reload"]:
            return self._reload
        if self._activity.edges:
            return self._look
        if self._wants["members"] or self._joined:
            return self._members
        if now >= self._cadence.due:
            return self._sweep
        if self._wants["pass"] or (self._deadline is not None and now >= self._deadline):
            return self._pass
        return None

    async def _look(self) -> None:
        panes = self._activity.take()
        if self._applying in panes:
            panes.remove(self._applying)
            self._activity.again([self._applying], self._now_ms())
        if not panes:
            return
        self._looking = frozenset(panes)
        demoted = self._demotion.panes
        turn = await self._run(1, lambda: self.desk.look(panes, demoted))
        self._count_edges(turn.snapshot, self._looking)
        self._follow_up(turn.snapshot)
        self._took(turn)

    async def _pass(self) -> None:
        self._wants["pass"] = False
        self._took(await self._run(1, self.desk.pass_over))

    async def _sweep(self) -> None:
        for check in self.checks:
            if why := check():
                self.finish(why)
        await self._members()
        self._cadence.started(self._loop.time())
        demoted = self._demotion.panes
        turn = await self._run(1, lambda: self.desk.sweep(demoted))
        self._counts["sweeps"] += 1
        snapshot = turn.snapshot
        agents = frozenset(plan.pane.pane_id for plan in snapshot.rows())
        panes = frozenset(plan.pane.pane_id for plan in snapshot.plans)
        self._demotion.keep(agents)
        self._activity.keep(panes)
        self._coverage.swept(snapshot, frozenset(self.clients.sessions))
        wrote = bool(snapshot.answered) or any(plan.ops for plan in snapshot.plans)
        self._cadence.ended(wrote=wrote or turn.fires > 0)
        self._took(turn)
        self._log.trim()

    async def _members(self) -> None:
        """Attach to and leave sessions; a session just attached to counts as active all over (DED-3)."""
        self._wants["members"] = False
        joined = set(self._joined)
        found = await self._run(1, self.desk.membership)
        self._meet(found.listing.pid)
        self._membership.observe(found.listing.sessions, self.clients.touched)
        self._joined -= joined
        names = self._runtime.names
        now = self._now_ms()
        wanted: set[str] = set()
        for plan in found.snapshot.plans:
            pane = plan.pane
            within = {session for session, _ in pane.sessions}
            if joined & within:
                self._activity.output(pane.pane_id, 0, now)
            hookless = pane.pane_id in found.unstamped or looks.hookless(plan, names)
            if hookless or (plan.has_row and pane.pane_id in self._demotion.panes):
                wanted |= within
        chosen = self._membership.choose(found.listing.sessions, wanted)
        self.clients.want(chosen.sessions, self._membership.last_used)
        self._cadence.is_blind = not chosen.whole or not self.clients.is_whole or self._coverage.is_unavailable

    async def _reload(self) -> None:
        self._wants["reload"] = False
        trouble = await self._run(1, self.desk.reload)
        self._log.say(trouble or "configuration and manifests read again")
        daemon = self._runtime.settings.daemon
        self._activity.quiet_ms = daemon["quiet_ms"]
        self._demotion.adopt(daemon["demote_edges"])
        self._cadence.adopt(float(daemon["sweep_secs"]))
        self._wants["pass"] = self._wants["members"] = True

    async def _probe(self) -> None:
        self._meet(await self._run(1, self.desk.probe))

    # --- what a turn leaves ---

    def _took(self, turn: Turn) -> None:
        snapshot = turn.snapshot
        if snapshot.facts is None:
            return
        self._meet(snapshot.facts.pid)
        self._counts["captures"] += snapshot.captures
        self._counts["fires"] += turn.fires
        self._deadline = None
        if turn.deadline_ms is not None:
            self._deadline = self._loop.time() + max(0, turn.deadline_ms - snapshot.now) / 1000
        self._ring.observe(
            history.Sight(plan.pane.pane_id, stamp.state, stamp.since, stamp.source)
            for plan in snapshot.rows()
            if (stamp := plan.stamp_after) is not None
        )
        self._compare(snapshot)
        self.connections.wake()

    def _compare(self, snapshot: Snapshot) -> None:
        """Ask for another look at who is where, if an agent came, went, or changed how it is known."""
        names = self._runtime.names
        kinds = {plan.pane.pane_id for plan in snapshot.rows() if looks.hookless(plan, names)} | self._demotion.panes
        former, self._snapshot = self._snapshot, snapshot
        if former is None:
            return
        before = {plan.pane.pane_id for plan in former.rows() if looks.hookless(plan, names)}
        if kinds - self._demotion.panes != before or kinds - before:
            self._wants["members"] = True
            self._stir()

    def _count_edges(self, snapshot: Snapshot, panes: frozenset[str]) -> None:
        """CYC-12: output that a pane's hooks did not announce."""
        for plan in snapshot.rows():
            stamp = plan.prior
            if plan.pane.pane_id in panes and stamp is not None and not looks.hookless(plan, self._runtime.names):
                self._demotion.edge(plan.pane.pane_id, stamp, self._runtime.settings, snapshot.now)

    def _follow_up(self, snapshot: Snapshot) -> None:
        """Further looks: when a hook's window ends, and while something else has the terminal (CYC-11, DED-6)."""
        now = self._loop.time()
        for plan in snapshot.rows():
            pane = plan.pane.pane_id
            if pane not in self._looking:
                continue
            later = looks.again_ms(plan, self._runtime, self._runtime.settings)
            if later > snapshot.now:
                self._again[pane] = now + (later - snapshot.now) / 1000
            if looks.is_capped(plan) and self._capped.get(pane, 0) < CAPPED_LOOKS:
                self._capped[pane] = self._capped.get(pane, 0) + 1
                self._again[pane] = now + self._activity.quiet_ms / 1000
            elif plan.stamp_after is None or plan.stamp_after.state != UNKNOWN:
                self._capped.pop(pane, None)

    # --- trouble ---

    def _meet(self, pid: int) -> None:
        if pid not in {0, self._place.server_pid}:
            self.finish("another tmux server has the socket")

    def _failed(self, error: TmaError) -> None:
        now = self._loop.time()
        if isinstance(error, TmuxGoneError):
            if not system.exists(self._place.server_pid):
                self.finish("the tmux server is gone")
            elif self._breaker.trip(now):
                pid = self._place.server_pid
                self._log.say(f"the tmux server runs but its socket is gone: kill -USR1 {pid} makes it again")
        elif isinstance(error, TmuxTimeoutError):
            if self._breaker.timed_out(now):
                self._log.say("tmux does not answer; looks rest until it does")
        else:
            self._log.say(str(error))
        self._stir()

    def _recovered(self) -> None:
        if self._breaker.succeeded():
            self._log.say("tmux answers again")
            self._activity.collapse(self._now_ms())
            self._wants["pass"] = True

    # --- introspection ---

    def status(self) -> dict[str, str]:
        """The ten keys of the status file (DST-2)."""
        sessions = self.clients.sessions
        return {
            "probe": self._coverage.word,
            "clients": str(len(sessions)),
            "sessions": " ".join(sessions),
            "active": str(self._activity.busy + len(self._looking)),
            "sweeps": str(self._counts["sweeps"]),
            "captures": str(self._counts["captures"]),
            "frames": str(self.connections.frames),
            "naks": str(self.connections.naks),
            "breaker": "open" if self._breaker.is_open else "closed",
            "notify_fires": str(self._counts["fires"]),
        }

    def info(self) -> str:
        """The same as a document (DWP-8)."""
        return json.dumps(self.status(), separators=(",", ":"))

    def _report(self) -> None:
        self._tell(self.status())
