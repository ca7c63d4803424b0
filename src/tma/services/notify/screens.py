"""The sinks inside tmux: the line on each client, the bell, and the sequences for the terminals (SNK-1, OSC-1)."""

import re

from tma.adapters import files, system, terminal
from tma.adapters.tmux import audience, menu
from tma.core.errors import TmaError
from tma.core.pane import ServerFacts
from tma.services.notify import results
from tma.services.notify.results import Outcome
from tma.view import banner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.adapters.tmux.audience import Audience, Viewer
    from tma.core.events.routes import Route
    from tma.services.notify.telling import Telling
    from tma.services.runtime import Runtime

CONTROL_MODE = "control-mode"
_LITERAL_SINCE = (3, 4)
_CHOSEN_SINCE = (3, 3)
_VERSION = re.compile(r"(?:next-)?(\d+)\.(\d+)")


def show(runtime: "Runtime", telling: "Telling", route: "Route") -> list[Outcome]:
    """Tell everybody who looks at this server; a sink that fails stops none of the others (NOT-4)."""
    if not (route.message or route.bell or route.forms):
        return []
    try:
        seen = look(runtime, telling.pane)
    except TmaError as error:
        sinks = {"message": route.message, "bell": route.bell, "osc": route.forms}
        return [Outcome(sink, "", results.FAILED, str(error)) for sink, on in sinks.items() if on]
    return [
        *(_message(runtime, telling, seen) if route.message else []),
        *(_bell(seen, route.bell) if route.bell else []),
        *(_banners(telling, seen, route.forms) if route.forms else []),
    ]


def look(runtime: "Runtime", pane_id: str = "") -> "Audience":
    """Who is attached; with a pane, what its terminal is. A foreign process knows of no terminals (FWD-8).

    Raises:
        TmaError: tmux failed.
    """
    mark = system.nonce(8)
    seen = audience.parse(runtime.server.run(audience.question(mark, pane_id)), mark)
    facts = ServerFacts(seen.socket_path, seen.version, seen.host, seen.pid, 0)
    return seen.unseen() if runtime.foreign(facts) else seen


def people(seen: "Audience") -> "list[Viewer]":
    """The clients with a terminal that shows them."""
    return [viewer for viewer in seen.viewers if not (viewer.control or viewer.suspended)]


def takes_literal(version: str) -> bool:
    """Whether a tmux shows a message without expanding it (TCP-1)."""
    return _version(version) >= _LITERAL_SINCE


def write(viewer: "Viewer", data: bytes) -> str:
    """Send a sequence to a client's terminal; the word of the result (OSC-2, OSC-3, OSC-6)."""
    nested = banner.is_multiplexer(viewer.termtype, viewer.termname)
    result = terminal.send(viewer.tty, banner.wrapped(data) if nested else data, end=banner.TERMINATOR)
    return results.NESTED if nested and result == terminal.OK else result


def _message(runtime: "Runtime", telling: "Telling", seen: "Audience") -> list[Outcome]:
    line = banner.line(telling.agent, telling.state, title=telling.title, pane=telling.pane)
    chosen = _version(seen.version) >= _CHOSEN_SINCE
    told = people(seen)
    if not told:
        return [Outcome("message", "", results.NO_CLIENT)]
    names = [viewer.name for viewer in told] if chosen else [""]
    return [_shown(runtime, name, line, literal=takes_literal(seen.version)) for name in names]


def _shown(runtime: "Runtime", name: str, line: str, *, literal: bool) -> Outcome:
    try:
        runtime.server.run(menu.message(name, line, literal=literal))
    except TmaError as error:
        return Outcome("message", name, results.FAILED, str(error))
    return Outcome("message", name, results.OK)


def _bell(seen: "Audience", where: str) -> list[Outcome]:
    """BEL on the pane's terminal, which tmux then treats as the user configured, or on the clients' (MSG-2)."""
    found = []
    if where in {"pane", "both"}:
        found.append(Outcome("bell", "pane", terminal.send(seen.pane_tty, banner.BEL, wait_s=0)))
    if where in {"client", "both"}:
        found += _to_each(seen, lambda viewer: terminal.send(viewer.tty, banner.BEL), "bell")
    return found


def _banners(telling: "Telling", seen: "Audience", enabled: tuple[str, ...]) -> list[Outcome]:
    key = files.short_hash(seen.socket_path)

    def send(viewer: "Viewer") -> str:
        forms = banner.forms_for(viewer.termtype, viewer.termname, enabled)
        result = "no-form"
        for form in forms:
            data = banner.sequence(form, telling.agent, telling.state, key=key, pane=telling.pane)
            result = write(viewer, data)
            if result not in results.FINE:
                # The next form would wait as long, for the same terminal (OSC-3).
                break
        return result

    return _to_each(seen, send, "osc")


def _to_each(seen: "Audience", send: "object", sink: str) -> list[Outcome]:
    """One try for each terminal, once for one that two clients share (OSC-2)."""
    found = [Outcome(sink, viewer.name, CONTROL_MODE) for viewer in seen.viewers if viewer.control]
    terminals = {viewer.tty: viewer for viewer in reversed(people(seen))}
    found += [Outcome(sink, viewer.name, send(viewer)) for viewer in terminals.values()]  # type: ignore[operator]
    return found or [Outcome(sink, "", results.NO_CLIENT)]


def _version(text: str) -> tuple[int, int]:
    """A server's version; one that cannot be read counts as newest (TCP-1)."""
    found = _VERSION.match(text.strip())
    return (int(found[1]), int(found[2])) if found else (99, 0)
