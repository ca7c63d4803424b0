"""The lane of looks, with a desk that fails or finds nothing."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

from gone import world
from tma.core.control import Activity
from tma.core.errors import TmuxError
from tma.daemon.agenda import Agenda, Step
from tma.daemon.cadence import Cadence
from tma.daemon.clients import Clients
from tma.daemon.clients import Listener as ClientListener
from tma.daemon.coverage import Coverage
from tma.daemon.desk import Desk, Membership, Turn
from tma.daemon.inbox import Inbox
from tma.daemon.ledger import Ledger
from tma.daemon.log import Log
from tma.daemon.scans import Listener, Parts, Scans
from tma.daemon.trouble import Trouble
from tma.services.cycle import Snapshot
from tma.services.frames import Outcome
from tma.services.sessions import Listing

SWEEP_S = 3600.0


class FakeDesk(Desk):
    """Notes what it is asked for; fails where it is told to."""

    def __init__(self) -> None:
        """Find nothing and fail nowhere."""
        super().__init__(world())
        self.asked: list[str] = []
        self.failing: set[str] = set()

    def _note(self, what: str) -> Turn:
        self.asked.append(what)
        if what in self.failing:
            message = "protocol version mismatch"
            raise TmuxError(message)
        return Turn(Snapshot(0, None))

    def look(self, panes: object, demoted: object) -> Turn:  # noqa: ARG002  # the desk's own signature
        """See nothing."""
        return self._note(f"look {panes}")

    def pass_over(self) -> Turn:
        """See nothing."""
        return self._note("pass")

    def sweep(self, demoted: object) -> Turn:  # noqa: ARG002  # the desk's own signature
        """See nothing."""
        return self._note("sweep")

    def membership(self) -> Membership:
        """No session."""
        self._note("members")
        return Membership(Listing(0, []), Snapshot(0, None), [])

    def reload(self) -> str:
        """Nothing to read."""
        self._note("reload")
        return ""


class Stage:
    """A lane with its parts."""

    def __init__(self, path: Path) -> None:
        """Inside a running loop."""
        loop = asyncio.get_running_loop()
        self.path = path
        self.desk = FakeDesk()
        self.ends: list[str] = []
        log = Log(os.open(path, os.O_RDWR | os.O_CREAT), dated=False)
        clients = Clients(loop, None, ClientListener(bool, bool, bool))
        self.agenda = Agenda(Activity(10), Cadence(SWEEP_S, loop.time()))
        self.parts = Parts(
            self.desk,
            self.agenda,
            Ledger(self.desk.runtime),
            Trouble(os.getpid(), log, self.ends.append),
            Inbox(lambda _frame: Outcome(accepted=True), bool),
            clients,
            Coverage(),
            log,
        )
        self.scans = Scans(self.parts, Listener(self.ends.append, bool, bool))

    async def until(self, *asked: str) -> None:
        """Wait until the desk was asked for exactly this."""

        async def wait() -> None:
            while len(self.desk.asked) < len(asked):  # noqa: ASYNC110  # a list says nothing by itself
                await asyncio.sleep(0.001)

        await asyncio.wait_for(wait(), 20)
        await asyncio.sleep(0.02)
        assert self.desk.asked == list(asked)


def play(path: Path, story: Callable[[Stage], Awaitable[None]]) -> Stage:
    """A story with a working lane."""

    async def run() -> Stage:
        stage = Stage(path / "log")
        task = asyncio.get_running_loop().create_task(stage.scans.work())
        await story(stage)
        task.cancel()
        stage.scans.close()
        stage.parts.inbox.close()
        stage.desk.close()
        return stage

    return asyncio.run(run())


def test_nothing_happens_until_it_is_stirred(tmp_path: Path) -> None:
    """DBU-1: then what a start owes, and no more."""

    async def story(stage: Stage) -> None:
        await asyncio.sleep(0)
        assert stage.desk.asked == []
        stage.scans.stir()
        await stage.until("members", "pass")

    play(tmp_path, story)


def test_silence_is_looked_at_by_the_timer(tmp_path: Path) -> None:
    """DED-1, DED-2: once."""

    async def story(stage: Stage) -> None:
        stage.scans.stir()
        await stage.until("members", "pass")
        stage.agenda.activity.output("%1", 1, int(asyncio.get_running_loop().time() * 1000))
        stage.scans.stir_after(0.01)
        await stage.until("members", "pass", "look ['%1']")
        assert stage.parts.inbox.looking == frozenset()

    play(tmp_path, story)


def test_a_sweep_that_fails_is_dropped(tmp_path: Path) -> None:
    """DEL-6, DSW-1: it is not tried again at once, however tmux fails."""

    async def story(stage: Stage) -> None:
        stage.desk.failing = {"members"}
        stage.agenda.begun(Step.PASS)
        stage.agenda.begun(Step.MEMBERS)
        stage.agenda.cadence.started(asyncio.get_running_loop().time() - SWEEP_S)
        stage.scans.stir()
        await stage.until("members")

    stage = play(tmp_path, story)
    assert stage.path.read_text() == "tma: protocol version mismatch\n"


def test_a_session_just_attached_to_does_not_make_a_failing_list_spin(tmp_path: Path) -> None:
    """DED-3: the next wake is a moment away."""

    async def story(stage: Stage) -> None:
        stage.desk.failing = {"members"}
        stage.agenda.begun(Step.PASS)
        stage.agenda.begun(Step.MEMBERS)
        stage.agenda.join("$1")
        stage.scans.stir()
        await stage.until("members")
        assert stage.agenda.joined == {"$1"}

    play(tmp_path, story)


def test_the_first_success_after_a_rest_runs_one_sweep(tmp_path: Path) -> None:
    """DSW-5."""

    async def story(stage: Stage) -> None:
        breaker = stage.parts.trouble.breaker
        breaker.trip(asyncio.get_running_loop().time() - 10)
        stage.agenda.begun(Step.PASS)
        stage.agenda.begun(Step.MEMBERS)
        stage.desk.probe = os.getpid  # type: ignore[method-assign]
        stage.scans.stir()
        await stage.until("members", "sweep")
        assert not breaker.is_open

    play(tmp_path, story)


def test_a_check_ends_the_daemon_at_a_sweep(tmp_path: Path) -> None:
    """DLC-13: the lock file was replaced."""

    async def story(stage: Stage) -> None:
        stage.scans.checks.append(lambda: "gone")
        stage.agenda.want(Step.SWEEP)
        stage.scans.stir()
        await stage.until("members", "members", "sweep", "pass")
        assert stage.ends == ["gone"]

    play(tmp_path, story)


def test_a_reload_takes_new_settings_and_looks_at_who_is_where(tmp_path: Path) -> None:
    """DRL-1."""

    async def story(stage: Stage) -> None:
        stage.agenda.begun(Step.PASS)
        stage.agenda.begun(Step.MEMBERS)
        stage.agenda.want(Step.RELOAD)
        stage.scans.stir()
        await stage.until("reload", "members", "pass")
        assert stage.agenda.activity.quiet_ms == stage.desk.runtime.settings.daemon["quiet_ms"]

    stage = play(tmp_path, story)
    assert "read again" in stage.path.read_text()
