"""Runs a shell command for an action: its words as they stand, the context as environment (SEC-X-1)."""

import time

from tma.adapters import lasting, system
from tma.core.errors import TmaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tma.services.stop import Stop

SHELL = "/bin/sh"
POLL_S = 0.02
"""How long a deadline or a signal may be overlooked (ACT-EXEC-5, ACT-DET-2)."""

_ARGUMENTS = "TMA_ARG"


def run(
    command: str, variables: dict[str, str], is_late: "Callable[[], bool]", stop: "Stop", *, quiet: bool = False
) -> int | None:
    """Run a command to its end; its exit code, negative for a signal, or None when it was killed for being late.

    Raises:
        StoppedError: a signal came; the command's group is dead.
        TmaError: it could not be started.
    """
    inherited = {name: text for name, text in system.environment().items() if not name.startswith(_ARGUMENTS)}
    try:
        started = lasting.Attached([SHELL, "-c", command], env=inherited | variables, quiet=quiet)
    except (OSError, ValueError) as error:
        message = f"cannot start the command: {getattr(error, 'strerror', None) or error}"
        raise TmaError(message) from None
    while True:
        code = started.poll()
        if code is not None:
            return code
        try:
            stop.check()
        except BaseException:
            started.kill()
            raise
        if is_late():
            started.kill()
            return None
        time.sleep(POLL_S)
