"""The one notice that a detached action has ended: through the sinks of every notice (ACT-DET-3, ACT-DET-4)."""

from typing import NamedTuple

from tma.adapters import system
from tma.core.errors import TmaError
from tma.core.events.alerts import uncontrolled
from tma.services.glance import look
from tma.services.notify import deliver, telling
from tma.services.notify.jobs import Runner
from tma.services.notify.results import Records
from tma.services.notify.telling import Telling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.act.facts import Facts
    from tma.services.runtime import Runtime


class Completion(NamedTuple):
    """How a detached action ended; ``exit_code`` is None unless its command ended by itself."""

    action: str
    pane: str
    agent: str
    outcome: str
    exit_code: int | None
    release_failed: bool


def tell(runtime: "Runtime", ended: Completion) -> None:
    """Tell of the end through every sink; no mute and no policy keeps it back, since somebody asked for it (TRG-8)."""
    seen = _seen(runtime, ended.pane)
    locator = None if seen is None else seen.locator
    told = Telling(
        telling.COMPLETION,
        ended.agent,
        f"{ended.action} {ended.outcome}",
        ended.pane,
        "",
        locator or "",
        runtime.now_ms(),
        payload(ended, locator),
        variables(ended, locator),
        telling.COMPLETION_VARIABLES,
    )
    env = system.environment()
    deliver.everything(runtime, told, Runner(env), Records(env, runtime.now_ms))


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
        "TMA_LOCATOR": locator or "",
    }
    plain = {name: uncontrolled(text) for name, text in values.items()}
    return {name: text for name, text in plain.items() if text}


def _seen(runtime: "Runtime", pane: str) -> "Facts | None":
    try:
        return look(runtime, pane)
    except TmaError:
        return None
