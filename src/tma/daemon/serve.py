"""A daemon's life from its start to its end, in the order that leaves nothing behind (DLC-1, DLC-14)."""

import asyncio
import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from tma import __version__
from tma.adapters import files, owned, system
from tma.core.errors import FAILURE, OK, TmaError
from tma.core.pane import ServerFacts
from tma.daemon import claim
from tma.daemon.claim import Endpoint, Lock
from tma.daemon.log import Log
from tma.daemon.loop import Loop, Place
from tma.daemon.vigil import Vigil
from tma.services import keeper
from tma.services.runtime import Runtime

CLEAR_S = 1.0
_PRELOADED = (
    "tma.services.look", "tma.services.claim", "tma.services.tails", "tma.core.detect.rules",
    "tma.core.detect.published",
    "tma.services.loading", "tma.core.row", "tma.services.repos", "tma.adapters.working",
)  # fmt: skip


class Trial(NamedTuple):
    """What the hidden options of tests set."""

    status_file: str = ""
    sweep_ms: int = 0
    version: str = ""
    shutdown_delay_ms: int = 0


class Serving:
    """What one daemon holds while it runs."""

    def __init__(self, runtime: Runtime, facts: ServerFacts, trial: Trial, restore: Callable[[], object]) -> None:
        """Keep the parts; nothing is claimed yet."""
        self.runtime, self.facts, self.trial, self.restore = runtime, facts, trial, restore
        self.log = Log(2, dated=not os.isatty(2))
        self.lock: Lock | None = None
        self._told: dict[str, str] = {}

    def path(self, ending: str) -> str:
        """One of this server's files."""
        return files.daemon_file(system.environment(), self.facts.socket_path, ending)

    async def run(self) -> int:
        """Serve until told otherwise; the exit code."""
        loop = asyncio.get_running_loop()
        stop: asyncio.Future[str] = loop.create_future()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, _resolve, stop)
        work = Loop(self.runtime, self._place(), self.log, self.tell)
        loop.add_signal_handler(signal.SIGHUP, work.reload)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGHUP})
        loop.add_signal_handler(signal.SIGCHLD, work.clients.reap)
        work.desk.restore = self.restore
        endpoint = Endpoint(self.path("sock"))
        vigil = Vigil(
            self.facts.pid,
            self.runtime.settings.daemon["zero_member_recheck_secs"],
            lambda: work.finish("the tmux server is gone"),
        )
        work.connections.listen(endpoint.listener)
        work.checks += [self._check_lock, lambda: self._check_socket(work)]
        self._endpoint = endpoint
        work.start()
        try:
            await asyncio.wait([stop, work.finished], return_when=asyncio.FIRST_COMPLETED)
        finally:
            vigil.close()
            await self._end(work)
        return self._verdict(stop, work)

    def _place(self) -> Place:
        configured = float(self.runtime.settings.daemon["sweep_secs"])
        trial = self.trial.sweep_ms
        return Place(self.facts, trial / 1000 if trial else configured, fixed_cadence=bool(trial))

    def _verdict(self, stop: "asyncio.Future[str]", work: Loop) -> int:
        error = None if stop.done() or not work.finished.done() else work.finished.exception()
        if error is not None:
            self.log.trace(error)
            return FAILURE
        self.log.say(f"ends: {stop.result() if stop.done() else work.finished.result()}")
        return OK

    async def _end(self, work: Loop) -> None:
        if self.trial.shutdown_delay_ms:
            await asyncio.sleep(self.trial.shutdown_delay_ms / 1000)
        work.connections.close()
        work.abandon()
        self.runtime.server.abandon()
        await _within(CLEAR_S, work.desk.clear)
        await work.clients.close()
        work.desk.close()
        self._endpoint.close()

    def _check_lock(self) -> str:
        return "" if self.lock is None or self.lock.is_ours() else "the lock file was replaced"

    def _check_socket(self, work: Loop) -> str:
        """A socket that was taken away is bound anew (section 14)."""
        if self._endpoint.is_ours():
            return ""
        former = self._endpoint.listener
        try:
            self._endpoint = Endpoint(self.path("sock"))
        except TmaError as error:
            self.log.say(str(error))
            return ""
        work.connections.listen(self._endpoint.listener)
        former.close()
        return ""

    def tell(self, keys: dict[str, str]) -> None:
        """Write the status file if a value changed (DST-1)."""
        if not self.trial.status_file or keys == self._told:
            return
        self._told = dict(keys)
        text = "".join(f"{name}={value}\n" for name, value in keys.items())
        try:
            owned.replace(self.trial.status_file, text.encode())
        except OSError:
            return


def run(runtime: Runtime, trial: Trial, restore: Callable[[], object]) -> int:
    """Be the daemon of the runtime's server, if none is (CDM-1); the exit code.

    ``restore`` brings back tma's hooks of the tmux server, at the start and after each reload (TMH-7).

    Raises:
        TmaError: the server is foreign, or the runtime directory, lock or socket cannot be used.
    """
    facts = keeper.facts_of(runtime)
    if facts is None:
        return OK
    if runtime.foreign(facts):
        message = "foreign tmux server: its processes cannot be seen from here"
        raise TmaError(message, "run the daemon where the tmux server runs")
    for name in _PRELOADED:
        __import__(name)
    serving = Serving(runtime, facts, trial, restore)
    path = serving.path("lock")
    directory, _, name = path.rpartition("/")
    serving.lock = claim.take(claim.runtime_directory(directory), name)
    if serving.lock is None:
        runtime.note("already running")
        return OK
    # From its lock's body on everybody may ask it to reload, which before its handlers would end it.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    serving.lock.write(trial.version or __version__)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    restore()
    return asyncio.run(serving.run())


async def _within(seconds: float, step: Callable[[], None]) -> None:
    """Run a step beside the loop, and wait no longer than this; a thread that hangs is left behind."""
    aside = ThreadPoolExecutor(1)
    await asyncio.wait([asyncio.get_running_loop().run_in_executor(aside, step)], timeout=seconds)
    aside.shutdown(wait=False)


def _resolve(stop: "asyncio.Future[str]") -> None:
    if not stop.done():
        stop.set_result("told to stop")
