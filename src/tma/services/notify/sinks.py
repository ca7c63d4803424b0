"""The sinks of a process that lives on: two threads, so that nothing that hangs delays whoever offers (NOT-4)."""

import threading
from collections import deque

from tma.adapters import system
from tma.core.errors import TmaError
from tma.core.events import routes
from tma.services.notify import deliver, jobs, results, telling
from tma.services.notify.jobs import Job
from tma.services.notify.results import Outcome, Records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tma.core.events.alerts import Notice
    from tma.services.runtime import Runtime

MOST_WAITING = 64
"""Programs that wait their turn; beyond it the oldest goes (CMD-3)."""

MOST_NOTICES = 1024
"""Notices that wait to be told; of a whole server's panes that ask at the same moment none goes."""

_LAST_S = 2.0
"""How long the end waits for a sink that is at work."""


class Sinks:
    """Takes notices from any thread and never waits; ``close`` ends what runs."""

    def __init__(self, runtime: "Runtime") -> None:
        """Start without threads: they come with the first notice."""
        env = system.environment()
        self._runtime = runtime
        self._records = Records(env, runtime.now_ms)
        self._runner = jobs.Runner(env)
        self._change = threading.Condition()
        self._errands: deque[Callable[[], None]] = deque()
        self._jobs: deque[Job] = deque()
        self._threads: list[threading.Thread] = []
        self._closed = False

    def adopt(self, runtime: "Runtime") -> None:
        """Use another runtime from the next notice on; what runs goes on (DRL-1)."""
        self._runtime = runtime

    def offer(self, notice: "Notice") -> None:
        """Take a notice; the oldest of too many is dropped."""
        self.later(lambda: self._one(notice))

    def later(self, errand: "Callable[[], None]") -> None:
        """Have something done by the thread of the quick sinks."""
        with self._change:
            if self._closed:
                return
            if not self._threads:
                self._threads = [threading.Thread(target=run, daemon=True) for run in (self._tell, self._run)]
                for thread in self._threads:
                    thread.start()
            self._errands.append(errand)
            while len(self._errands) > MOST_NOTICES:
                self._errands.popleft()
            self._change.notify_all()

    def close(self) -> None:
        """Take no more, and end the programs that run, with their groups (DLC-14)."""
        with self._change:
            self._closed = True
            self._change.notify_all()
        for thread in self._threads:
            thread.join(_LAST_S)

    def _tell(self) -> None:
        """The first thread: one errand after another."""
        while True:
            with self._change:
                self._change.wait_for(lambda: self._closed or self._errands)
                if self._closed:
                    return
                errand = self._errands.popleft()
            try:
                errand()
            except Exception as error:  # noqa: BLE001  # one notice must not silence those behind it (NOT-4)
                self._records.note([Outcome("message", "", results.FAILED, str(error))])

    def _one(self, notice: "Notice") -> None:
        runtime = self._runtime
        route = routes.route(runtime.settings.notify, notice.trigger)
        told = telling.of_notice(notice, title=route.title)
        try:
            outcomes = deliver.quick(runtime, told, route)
        except (TmaError, OSError) as error:
            outcomes = [Outcome("message", "", results.FAILED, str(error))]
        found = deliver.slow(runtime, told, route, self._records)
        outcomes += [each for each in found if isinstance(each, Outcome)]
        outcomes += self._queue([each for each in found if isinstance(each, Job)])
        self._records.note(outcomes)

    def _queue(self, found: list[Job]) -> list[Outcome]:
        with self._change:
            self._jobs.extend(found)
            dropped = [self._jobs.popleft() for _ in range(len(self._jobs) - MOST_WAITING)]
            self._change.notify_all()
        return [Outcome(job.sink, job.target, results.DROPPED, "too many wait") for job in dropped]

    def _run(self) -> None:
        """The second thread: programs, as many at a time as there are slots; it sleeps while none runs or waits."""
        while True:
            with self._change:
                if self._runner.busy or self._jobs:
                    self._change.wait(jobs.NAP_S)
                else:
                    self._change.wait_for(lambda: self._closed or self._jobs)
                if self._closed:
                    break
            self._step()
        self._runner.kill()

    def _step(self) -> None:
        ended = self._runner.poll()
        while job := self._next():
            outcome = self._runner.start(job)
            if outcome is None:
                continue
            if outcome.result == results.DROPPED:
                with self._change:
                    self._jobs.appendleft(job)
                break
            ended.append(outcome)
        self._records.note(deliver.kept(ended))

    def _next(self) -> Job | None:
        with self._change:
            return self._jobs.popleft() if self._jobs else None
