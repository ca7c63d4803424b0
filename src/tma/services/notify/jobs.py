"""Programs that notices start: commands, desktop helpers, push services; few at a time, none long (CMD-2, CMD-3)."""

import fcntl
import posix
import time
from typing import NamedTuple

from tma.adapters import files, lasting, owned
from tma.services.notify import results
from tma.services.notify.results import Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SLOTS = 8
"""How many run at a time for one user, whoever starts them (CMD-3)."""

NAP_S = 0.05
GRACE_S = 1.0
"""How long a program has between the two signals that end it (CMD-2)."""

_TERM, _KILL = 15, 9
_FLAGS = posix.O_RDWR | posix.O_CREAT | posix.O_NOFOLLOW | posix.O_CLOEXEC


class Job(NamedTuple):
    """A program to run: for which sink and target, with what; ``ended`` hears why it failed, "" for a clean run."""

    sink: str
    target: str
    argv: list[str]
    stdin: bytes
    env: "dict[str, str]"
    timeout_s: int
    ended: "Callable[[str], None] | None" = None


class _Running:
    """A job on its way, with the slot that it holds."""

    def __init__(self, job: Job, started: lasting.Fed, slot: int) -> None:
        self.job = job
        self.child = started
        self.slot = slot
        self.deadline = time.monotonic() + job.timeout_s
        self.late = False


class Runner:
    """Runs jobs; make one a process, use it from one thread, and call ``poll`` while ``busy``."""

    def __init__(self, env: "Mapping[str, str]") -> None:
        """Find the slots by the environment."""
        self._directory = files.runtime_dir(env)
        self._running: list[_Running] = []

    @property
    def busy(self) -> bool:
        """Whether anything runs."""
        return bool(self._running)

    def start(self, job: Job) -> Outcome | None:
        """Start a job: None if it runs, ``dropped`` where no slot is free, ``failed`` where it cannot start."""
        slot = self._slot()
        if slot is None:
            return Outcome(job.sink, job.target, results.DROPPED, "busy")
        try:
            self._running.append(_Running(job, lasting.Fed(job.argv, env=job.env, stdin=job.stdin), slot))
        except (OSError, ValueError) as error:
            _release(slot)
            reason = f"spawn failed: {getattr(error, 'strerror', None) or error}"
            return _told(job, Outcome(job.sink, job.target, results.FAILED, reason), reason)
        return None

    def poll(self) -> list[Outcome]:
        """What has ended since; ends what is late, first kindly."""
        ended = []
        for running in list(self._running):
            code = running.child.poll()
            if code is None:
                _hurry(running)
                continue
            if running.late:
                # Its leader is gone; what it left behind in its group goes too.
                running.child.signal(_KILL)
            self._running.remove(running)
            _release(running.slot)
            ended.append(_judged(running, code))
        return ended

    def finish(self) -> list[Outcome]:
        """Wait for everything that runs."""
        ended: list[Outcome] = []
        while True:
            ended += self.poll()
            if not self.busy:
                return ended
            time.sleep(NAP_S)

    def kill(self) -> None:
        """End everything at once; none of it counts as a failure (DLV-2, DLC-14)."""
        for running in self._running:
            running.child.signal(_KILL)
            while running.child.poll() is None:
                time.sleep(NAP_S)
            _release(running.slot)
        self._running.clear()

    def _slot(self) -> int | None:
        """A slot's descriptor, None where all are taken; -1 where this user has no place for them."""
        try:
            directory = owned.private_dir(self._directory)
        except OSError:
            return -1
        try:
            return next((slot for slot in (_taken(n, directory) for n in range(SLOTS)) if slot is not None), None)
        finally:
            posix.close(directory)


def _taken(number: int, directory: int) -> int | None:
    try:
        descriptor = posix.open(f"notify-slot-{number}", _FLAGS, 0o600, dir_fd=directory)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        posix.close(descriptor)
        return None
    return descriptor


def _release(slot: int) -> None:
    if slot >= 0:
        posix.close(slot)


def _hurry(running: _Running) -> None:
    now = time.monotonic()
    if now >= running.deadline + GRACE_S:
        running.child.signal(_KILL)
    elif now >= running.deadline and not running.late:
        running.late = True
        running.child.signal(_TERM)


def _judged(running: _Running, code: int) -> Outcome:
    job = running.job
    if running.late:
        reason, result = f"timed out after {job.timeout_s}s", results.TIMEOUT
    elif code:
        reason, result = f"exited {code}" if code > 0 else f"killed by signal {-code}", results.FAILED
    else:
        reason, result = "", results.OK
    return _told(job, Outcome(job.sink, job.target, result, reason), reason)


def _told(job: Job, outcome: Outcome, reason: str) -> Outcome:
    if job.ended is not None:
        job.ended(reason)
    return outcome
