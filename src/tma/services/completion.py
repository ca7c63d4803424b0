"""The one notice that a detached action has ended: to the notify log and the notify command (ACT-DET-3, ACT-DET-4)."""

from typing import NamedTuple

from tma.adapters import audit, child, system
from tma.core.errors import TmaError
from tma.services.glance import look
from tma.services.running import SHELL
from tma.view import jsonline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.services.runtime import Runtime

_VARIABLES = frozenset(("TMA_ACTION", "TMA_PANE", "TMA_AGENT", "TMA_OUTCOME", "TMA_EXIT_CODE", "TMA_LOCATOR"))
COMMAND_S = 10.0
"""How long a notify command may take (CMD-2)."""


class Completion(NamedTuple):
    """How a detached action ended; ``exit_code`` is None unless its command ended by itself."""

    action: str
    pane: str
    agent: str
    outcome: str
    exit_code: int | None
    release_failed: bool


def tell(runtime: "Runtime", ended: Completion) -> None:
    """Log the completion and run the notify command, whatever either of them makes of it."""
    locator = _locator(runtime, ended.pane)
    pairs = payload(ended, locator)
    settings = runtime.settings.notify
    if settings["log"]:
        audit.append(settings["log"], jsonline.document([("at", runtime.now_ms()), *pairs]))
    if settings["command"]:
        env = {name: text for name, text in system.environment().items() if name not in _VARIABLES}
        try:
            child.run(
                [SHELL, "-c", settings["command"]],
                stdin=jsonline.document(pairs).encode("utf-8", "replace"),
                env=env | variables(ended, locator),
                timeout_s=COMMAND_S,
            )
        except OSError:
            return


def payload(ended: Completion, locator: str | None) -> list[tuple[str, object]]:
    """What the notice says, in the order of its keys."""
    pairs: list[tuple[str, object]] = [
        ("action", ended.action),
        ("pane", ended.pane),
        ("agent", ended.agent),
        ("outcome", ended.outcome),
        ("exit_code", ended.exit_code),
        ("locator", locator),
    ]
    return [*pairs, ("lock_release_failed", True)] if ended.release_failed else pairs


def variables(ended: Completion, locator: str | None) -> dict[str, str]:
    """The notify command's environment; what has no value is not set."""
    values = {
        "TMA_ACTION": ended.action,
        "TMA_PANE": ended.pane,
        "TMA_AGENT": ended.agent,
        "TMA_OUTCOME": ended.outcome,
        "TMA_EXIT_CODE": "" if ended.exit_code is None else str(ended.exit_code),
        "TMA_LOCATOR": "".join(char for char in locator or "" if char.isprintable()),
    }
    return {name: text for name, text in values.items() if text}


def _locator(runtime: "Runtime", pane: str) -> str | None:
    try:
        seen = look(runtime, pane)
    except TmaError:
        return None
    return None if seen is None else seen.locator
