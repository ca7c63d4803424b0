"""When each event of each agent was last seen by a server: what is wired and yet never comes (WTR-1)."""

from tma.core import stamp
from tma.core.state import BLOCKED, CAPTURE, number
from tma.install.adapter import Adapter
from tma.services.runtime import Runtime


def options(events: dict[str, list[str]]) -> list[str]:
    """The server options of the events of each agent, by their names (RM-3)."""
    return [stamp.event_seen(agent, event) for agent, known in events.items() for event in known]


def read(runtime: Runtime) -> dict[str, int]:
    """Every note of the server, by its option.

    Raises:
        TmaError: the server does not answer.
    """
    lines = (line.partition(" ") for line in runtime.server.run(["show-options", "-s"]).splitlines())
    return {name: number(value) or 0 for name, _, value in lines if name.startswith(stamp.EVENT_SEEN)}


def seen(notes: dict[str, int], agent: str, events: list[str]) -> dict[str, int | None]:
    """When each event of an agent last came, in epoch ms; None for never."""
    return {event: notes.get(stamp.event_seen(agent, event)) or None for event in events}


def missed(adapter: Adapter, came: dict[str, int | None], prior: stamp.Stamp | None) -> list[str]:
    """The events that should have come by now: a turn's, and a dialog's where the screen alone told of one."""
    asked = prior is not None and (prior.state, prior.source) == (BLOCKED, CAPTURE)
    wanted = (*adapter.turn, *((adapter.asks,) if asked and adapter.asks else ()))
    return [event for event in wanted if event in came and came[event] is None]
