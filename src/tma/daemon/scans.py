"""The lane of looks: one step at a time, the most urgent first, and none while tmux does not answer (DEL-2, DSW-5)."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

from tma.core.errors import TmaError
from tma.core.membership import Choice, Membership
from tma.daemon.agenda import Agenda, Step
from tma.daemon.clients import Clients
from tma.daemon.coverage import Coverage
from tma.daemon.desk import Desk, Turn
from tma.daemon.inbox import Inbox
from tma.daemon.ledger import Ledger
from tma.daemon.log import Log
from tma.daemon.trouble import Trouble
from tma.services import looks

T = TypeVar("T")


class Parts(NamedTuple):
    """What the lane works with; all of it belongs to the loop's own thread, except for the desk."""

    desk: Desk
    agenda: Agenda
    ledger: Ledger
    trouble: Trouble
    inbox: Inbox
    clients: Clients
    coverage: Coverage
    log: Log


class Listener(NamedTuple):
    """What the owner of the lane is told: a reason to end, that the status may differ, that a turn saw every pane."""

    finish: Callable[[str], None]
    report: Callable[[], None]
    turned: Callable[[], None]


class Scans:
    """Does what the agenda says, when it is stirred or its timer ends."""

    def __init__(self, parts: Parts, listener: Listener) -> None:
        """Get ready on the running loop."""
        self._parts, self._listener = parts, listener
        self._loop = asyncio.get_running_loop()
        self._membership = Membership()
        self._stirred = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._lane = ThreadPoolExecutor(1, "scans")
        self._steps: dict[Step, Callable[[], Awaitable[None]]] = {
            Step.RELOAD: self._reload,
            Step.LOOK: self._look,
            Step.MEMBERS: self._members,
            Step.SWEEP: self._sweep,
            Step.PASS: self._pass,
        }
        self.checks: list[Callable[[], str]] = []

    async def work(self) -> None:
        """Do step after step, for ever."""
        breaker = self._parts.trouble.breaker
        while True:
            await self._stirred.wait()
            self._stirred.clear()
            while not breaker.is_open and (step := self._next()):
                await self._attempt(self._steps[step])
            if breaker.is_open and self._loop.time() >= breaker.probe_at:
                await self._attempt(self._probe)
                self.stir()
            self._arm()

    def stir(self) -> None:
        """Ask the agenda, soon."""
        self._stirred.set()

    def stir_after(self, seconds: float) -> None:
        """Ask it in so many seconds at the latest."""
        if self._timer is None or self._timer.when() > self._loop.time() + seconds:
            self._arm()

    def relay(self) -> None:
        """Hand on what floods ask for; a client that lacks the pane answers with an error that nobody reads."""
        orders = self._parts.agenda.activity.orders
        for pane, verb in orders:
            self._parts.clients.send(f"refresh-client -A '{pane}:{verb}'")
        orders.clear()

    def close(self) -> None:
        """Stop; what the lane is at is left to end by itself (DLC-12)."""
        if self._timer is not None:
            self._timer.cancel()
        self._lane.shutdown(wait=False, cancel_futures=True)

    def _arm(self) -> None:
        """One timer, for whatever falls due first (DBU-1)."""
        breaker = self._parts.trouble.breaker
        due = breaker.probe_at if breaker.is_open else self._parts.agenda.due()
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(due, self._tick)

    def _tick(self) -> None:
        self._timer = None
        self.stir()

    def _next(self) -> Step | None:
        step = self._parts.agenda.next(self._loop.time())
        self.relay()
        return step

    async def _run(self, step: Callable[[], T]) -> T:
        return await self._loop.run_in_executor(self._lane, step)

    async def _attempt(self, step: Callable[[], Awaitable[None]]) -> None:
        parts = self._parts
        try:
            await step()
        except TmaError as error:
            parts.trouble.failed(error, self._loop.time())
            self.stir()
        else:
            if parts.trouble.recovered():
                parts.agenda.collapse(self._loop.time())
                parts.agenda.want(Step.SWEEP)
        parts.inbox.release()
        for note in parts.desk.notes():
            parts.log.say(note)
        self._listener.report()
        # A step that found nothing to do must not keep connections and clients from being read.
        await asyncio.sleep(0)

    async def _look(self) -> None:
        parts = self._parts
        panes = parts.agenda.take(parts.inbox.applying, self._loop.time())
        if not panes:
            return
        parts.inbox.looking = looking = frozenset(panes)
        demoted = parts.ledger.demotion.panes
        turn = await self._run(lambda: parts.desk.look(panes, demoted))
        parts.ledger.count_edges(turn.snapshot, looking)
        parts.agenda.follow_up(turn.snapshot, looking, parts.desk.runtime, self._loop.time())
        self._took(turn)

    async def _pass(self) -> None:
        self._parts.agenda.begun(Step.PASS)
        self._took(await self._run(self._parts.desk.pass_over))

    async def _sweep(self) -> None:
        parts = self._parts
        for check in self.checks:
            if why := check():
                self._listener.finish(why)
        # One that fails is dropped, not tried again at once (DEL-6).
        parts.agenda.begun(Step.SWEEP)
        parts.agenda.cadence.started(self._loop.time())
        await self._members()
        demoted = parts.ledger.demotion.panes
        turn = await self._run(lambda: parts.desk.sweep(demoted))
        parts.ledger.sweeps += 1
        snapshot = turn.snapshot
        parts.ledger.demotion.keep(frozenset(plan.pane.pane_id for plan in snapshot.rows()))
        parts.agenda.activity.keep(frozenset(plan.pane.pane_id for plan in snapshot.plans))
        parts.coverage.swept(snapshot, frozenset(parts.clients.sessions))
        wrote = bool(snapshot.answered) or any(plan.ops for plan in snapshot.plans)
        parts.agenda.cadence.ended(wrote=wrote or turn.fires > 0)
        parts.log.trim()
        self._took(turn)

    async def _members(self) -> None:
        """Attach to and leave sessions; a session just attached to counts as active all over (DED-3)."""
        parts, agenda = self._parts, self._parts.agenda
        agenda.begun(Step.MEMBERS)
        joined = agenda.joining(self._loop.time())
        found = await self._run(parts.desk.membership)
        parts.trouble.met(found.listing.pid)
        self._membership.observe(found.listing.sessions, parts.clients.touched)
        agenda.joined -= joined
        names, demoted = parts.desk.runtime.names, parts.ledger.demotion.panes
        now = int(self._loop.time() * 1000)
        wanted: set[str] = set()
        for plan in found.snapshot.plans:
            pane = plan.pane
            within = {session for session, _ in pane.sessions}
            if joined & within:
                agenda.activity.output(pane.pane_id, 0, now)
            hookless = pane.pane_id in found.unstamped or looks.hookless(plan, names)
            if hookless or (plan.has_row and pane.pane_id in demoted):
                wanted |= within
        chosen = self._membership.choose(found.listing.sessions, wanted)
        if not parts.desk.runtime.settings.daemon["control_mode"]:
            chosen = Choice([], whole=not chosen.sessions)
        parts.clients.want(chosen.sessions, self._membership.last_used)
        agenda.cadence.is_blind = not chosen.whole or not parts.clients.is_whole or parts.coverage.is_unavailable

    async def _reload(self) -> None:
        parts, agenda = self._parts, self._parts.agenda
        agenda.begun(Step.RELOAD)
        trouble = await self._run(parts.desk.reload)
        parts.log.say(trouble or "configuration and manifests read again")
        daemon = parts.desk.runtime.settings.daemon
        agenda.activity.quiet_ms = daemon["quiet_ms"]
        agenda.cadence.adopt(float(daemon["sweep_secs"]))
        parts.ledger.demotion.adopt(daemon["demote_edges"])
        agenda.want(Step.PASS, Step.MEMBERS)

    async def _probe(self) -> None:
        self._parts.trouble.met(await self._run(self._parts.desk.probe))

    def _took(self, turn: Turn) -> None:
        parts, facts = self._parts, turn.snapshot.facts
        if facts is None:
            return
        parts.trouble.met(facts.pid)
        parts.agenda.expect(turn, self._loop.time())
        if parts.ledger.took(turn):
            parts.agenda.want(Step.MEMBERS)
            self.stir()
        self._listener.turned()
        if turn.trouble is not None:
            raise turn.trouble
