"""A detached action: the process that outlives the fire, holds its lock, and tells of its end (ACT-DET-1)."""

import json
import posix
import sys
from typing import NamedTuple

from tma.adapters import child
from tma.adapters.tmux import send
from tma.core.act import lease
from tma.core.act.lease import Lock
from tma.core.act.result import ERROR, EXITED, TIMEOUT
from tma.core.errors import TmaError
from tma.services import completion, program, running
from tma.services.stop import Stop, StoppedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.services.runtime import Runtime

READY = b"ready\n"
START_S = 10.0
MAX_ORDER = 4 << 20
_CHUNK = 65536


class Duty(NamedTuple):
    """What a supervisor is told: the command, its environment, its time, and the lock that it takes on."""

    pane: str
    agent: str
    action: str
    nonce: str
    expiry: int
    command: str
    variables: dict[str, str]
    timeout_ms: int


def start(runtime: "Runtime", duty: Duty) -> bool:
    """Start a supervisor in a session of its own; whether it has the order and the lock."""
    words = [*program.own_words(), *program.own_options(runtime.options), "supervise"]
    try:
        started = child.Child(words, timeout_s=START_S, talk=True, session=True)
    except (OSError, NotImplementedError):
        return False
    started.send(json.dumps(duty._asdict()).encode("utf-8", "surrogateescape"))
    if started.read_until(READY) == READY:
        started.leave()
        return True
    started.kill()
    started.finish()
    return False


def serve(runtime: "Runtime") -> int:
    """Be the supervisor: take the order from standard input and the lock from the fire, run, report."""
    duty = _order()
    now = runtime.now_ms()
    lock = Lock(duty.expiry, duty.nonce, posix.getpid(), duty.action)
    held = lease.parse(runtime.server.run(send.hand_over(duty.pane, lock)).strip("\n"))
    if held != lock:
        return 1
    with Stop() as stop:
        posix.write(1, READY)
        _close_streams()
        outcome, code = _run(runtime, duty, now + duty.timeout_ms, stop)
    released = _release(runtime, duty)
    completion.tell(
        runtime,
        completion.Completion(duty.action, duty.pane, duty.agent, outcome, code, release_failed=not released),
    )
    return 0


def _order() -> Duty:
    whole = b""
    while len(whole) < MAX_ORDER and (piece := posix.read(0, _CHUNK)):
        whole += piece
    return Duty(**json.loads(whole.decode("utf-8", "surrogateescape")))


def _close_streams() -> None:
    """Nothing of the caller's terminal stays open behind it."""
    sys.stdout.flush()
    nothing = posix.open("/dev/null", posix.O_RDWR)
    for descriptor in (0, 1, 2):
        posix.dup2(nothing, descriptor)
    posix.close(nothing)


def _run(runtime: "Runtime", duty: Duty, end_ms: int, stop: Stop) -> tuple[str, int | None]:
    """The command's outcome and exit code; its time is the wall clock's, which goes on in a suspend (ACT-DET-2)."""
    try:
        code = running.run(duty.command, duty.variables, lambda: runtime.now_ms() >= end_ms, stop, quiet=True)
    except (TmaError, StoppedError):
        return ERROR, None
    if code is None:
        return TIMEOUT, None
    return EXITED, code if code >= 0 else 128 - code


def _release(runtime: "Runtime", duty: Duty) -> bool:
    try:
        runtime.server.run(send.release(duty.pane, duty.nonce))
    except TmaError as error:
        return "find pane" in str(error) or "no tmux server" in str(error)
    return True
