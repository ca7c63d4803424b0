"""One hook event or gauge reading: taken in, its pane decided, and stamped, in one tmux client.

The instant of the event and the processes above it are taken before anything that may wait
(CLK-1, OWN-3). Whatever fails leaves no trace, and the caller says nothing (HOOK-1).
"""

import posix
import sys
import time

from tma.adapters import files, system
from tma.adapters.tmux import read
from tma.adapters.tmux.client import choose, own_server, selector_of, socket_path
from tma.core.pane import proven
from tma.core.state import is_id, is_pane_id
from tma.services import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tma.adapters.tmux.client import Server
    from tma.core.events import hooks
    from tma.core.ops import Op
    from tma.core.pane import Client, PaneRecord, ServerFacts
    from tma.services.cache import Document, Options
    from tma.services.notify.hook import Ring

    Owner = Callable[[list[PaneRecord], ServerFacts], PaneRecord | None]

CONTEXT = "context"
"""The kind that carries a gauge reading and no event (CTX-1)."""

PAYLOAD_S = 0.5
"""Seconds from the start until what was read of a payload is all of it (DEV-1)."""

TOTAL_S = 1.1
"""Seconds from the start that an event may take; the interpreter's own come on top (DEV-5)."""

MAX_PAYLOAD = 16 << 20
"""Bytes of a payload that are read (SEC-R-1)."""

before_rules: "Callable[[], object]" = bool
"""Called before the modules are imported that make something of an event, by whoever has a shorter way to load them."""

_READ_FLAGS = posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC


class Call:
    """What one hook process was started with: at the instant ``at``, ``began`` in monotonic seconds.

    ``payload`` is ``-`` for standard input, a path, or empty for none. ``server_pid`` is the server that
    ``TMUX`` means, where nothing else chose one, else 0 (DEV-4). ``early`` is the question for the claimed pane,
    where it was asked before anything else was read.
    """

    __slots__ = ("agent", "at", "began", "early", "kind", "options", "pane", "payload", "server_pid")

    def __init__(self, options: "Options", *, at: int, began: float) -> None:
        """Take the claimed pane from the environment; the rest is the caller's to fill."""
        self.options = options
        self.at = at
        self.began = began
        self.agent = ""
        self.kind = ""
        self.payload = ""
        self.pane = system.env("TMUX_PANE")
        self.server_pid = _named_server(options)
        self.early: Question | None = None

    @property
    def left_s(self) -> float:
        """Seconds left for tmux, at least a little (DEV-5)."""
        return max(0.05, self.began + TOTAL_S - time.monotonic())

    def means_other(self, facts: "ServerFacts") -> bool:
        """Whether ``TMUX`` named the server and means one that is gone (DEV-4)."""
        return self.server_pid not in {0, facts.pid}


class Question:
    """A read that tmux works at, and whose answer it waits for (WR-1)."""

    __slots__ = ("drop", "end", "mark")

    def __init__(
        self, server: "Server", call: Call, wanted: str, *, clients: bool = False, leaves: bool = False
    ) -> None:
        """Ask for the panes of a filter, and for the clients where they matter. Errors are those of ``Server.run``.

        A process that ``leaves`` ends with the event. ``drop`` gives the question up.
        """
        self.drop = server.abandon
        command, self.mark = read.list_panes()
        more = [";", *read.list_clients(self.mark)] if clients else []
        self.end = server.converse([*command, "-f", wanted, *more], timeout_s=call.left_s, leaves=leaves)


class Origin:
    """Where a hook process stands: its session, its parents, and what its environment says of its pane (OWN-3).

    ``known`` are the parents, None where reading them would cost a process; whoever needs them then
    reads those of ``pid``. ``own`` is the program that a plugin runs in, ``trusted`` a caller that vouches.
    """

    __slots__ = ("known", "own", "pid", "session", "trusted")

    def __init__(self, *, session: int, known: "list[tuple[int, str]] | None", pid: int) -> None:
        """Keep the parts."""
        self.session = session
        self.known = known
        self.pid = pid
        self.own = ""
        self.trusted = False

    @property
    def stands_alone(self) -> bool:
        """Whether the parents are known, and nothing else can vouch for a pane or rule it out."""
        return bool(self.known) and not self.own and not self.trusted

    def proven(self, panes: "list[PaneRecord]", pane_id: str) -> "PaneRecord | None":
        """The named pane, where this process provably runs in it (OWN-2)."""
        for pane in panes:
            if pane.pane_id == pane_id and proven(pane.pid, self.session, self.known or ()):
                return pane
        return None


def own_origin() -> Origin:
    """Where this process stands; reads what costs no process, since parents may exit (OWN-3)."""
    known = system.parents(posix.getpid()) if sys.platform == "linux" else None
    origin = Origin(session=system.session_of(0), known=known, pid=posix.getpid())
    origin.own = system.env("TMA_HOOK_PID")
    origin.trusted = system.env("TMA_TRUST_PANE") == "1"
    return origin


class Delivery:
    """What became of an event: the pane that it was for, None for none, and what was to be written there.

    ``judged`` says that the agent and the kind are known here, ``asked`` that the server was asked, and
    ``seen`` that the claimed pane was there.
    """

    __slots__ = ("asked", "judged", "ops", "pane", "seen")

    def __init__(self) -> None:
        """Start with nothing found."""
        self.asked = False
        self.judged = False
        self.seen = False
        self.pane: PaneRecord | None = None
        self.ops: list[Op] = []


def take(options: "Options", *, agent: str, kind: str, pane: str, payload: str) -> None:
    """Take one event or gauge reading; its instant is read first of all (CLK-1, HEV-1).

    Raises:
        TmaError: there is no server or no document; nothing was written.
    """
    call = Call(options, at=system.now_ms(), began=time.monotonic())
    call.agent, call.kind, call.payload = agent, kind, payload
    if kind != CONTEXT:
        report(call)
        return
    call.pane = pane or call.pane
    report_gauge(call)


def report(call: Call) -> None:
    """Take one event to its pane: by the daemon, else by itself (HOOK-1, DEV-2, DEV-3).

    Raises:
        TmaError: there is no server or no document; nothing was written.
    """
    if is_background():
        return
    try:
        _report(call, own_origin())
    finally:
        if call.early is not None:
            call.early.drop()


def _report(call: Call, origin: Origin) -> None:
    path = daemon_file(call.options, "sock")
    if files.exists(path):
        raw, cut = read_payload(call)
        from tma.services import offer

        if not cut and offer.accepted(path, call, origin, raw):
            return
        document = load(call)
    else:
        call.early = _asked_at_once(call, origin)
        document = load(call)
        call.early = call.early or _asked_early(call, origin, document)
        raw, cut = read_payload(call)
    before_rules()
    from tma.core.events import hooks

    event = hooks.Event(call.kind, call.at, raw, cut=cut)
    try:
        deliver(call, origin, event, document, server_of(call, document), ring=ring_of(call, document))
    except Exception as error:
        if type(error).__name__ == "TmuxTimeoutError":
            from tma.services import spool

            spool.keep(daemon_file(call.options, "spool"), call, origin, raw)
        raise


def _asked_at_once(call: Call, origin: Origin) -> "Question | None":
    """The question for the claimed pane, asked before the defaults are loaded; None where a file may change them.

    A kind that says nothing is asked for as well, and then dropped.
    """
    env, options = system.environment(), call.options
    if cache.rings_from_event(env, configured=False):
        return None
    if not files.is_unconfigured(env, options.config, options.manifest_dir):
        return None
    return _question(call, origin, choose_server(options))


def _asked_early(call: Call, origin: Origin, document: "Document") -> "Question | None":
    """That question, asked of the configured tmux before the payload is read; none for a kind that says nothing."""
    manifest = manifest_of(call, document)
    if manifest is None or document.rings_from_event:
        return None
    if all(entry.get("ignore") for entry in manifest["map"] if entry["event"] == call.kind):
        return None
    return _question(call, origin, server_of(call, document))


def _question(call: Call, origin: Origin, server: "Server") -> "Question | None":
    if not origin.stands_alone or not is_pane_id(call.pane):
        return None
    return Question(server, call, read.named(call.pane), leaves=True)


class Case:
    """One event of a loaded agent, with all that decides its pane and what is written there."""

    __slots__ = ("call", "document", "entry", "event", "manifest", "origin", "ring", "server")

    def __init__(self, call: Call, origin: Origin, event: "hooks.Event", manifest: "dict[str, Any]") -> None:
        """Find what the agent's manifest makes of the event; the rest is the caller's to fill."""
        from tma.core.events import hooks

        self.call, self.origin, self.event, self.manifest = call, origin, event, manifest
        self.entry = hooks.find(manifest["map"], event, manifest["costs"])
        self.document: Document
        self.server: Server
        self.ring: Ring | None = None

    def pane(self, panes: "list[PaneRecord]", facts: "ServerFacts") -> "PaneRecord | None":
        """The pane that the event belongs to (OWN-1, HOOK-5)."""
        pane = self.origin.proven(panes, self.call.pane)
        if pane is not None:
            return pane
        from tma.services.claim import Claim
        from tma.services.runtime import Runtime

        runtime = Runtime(self.call.options, self.document, self.server)
        claim = Claim(self.call, self.origin, runtime, panes=panes, facts=facts)
        return claim.standing(self.manifest) or claim.found(self.manifest, self.event, self.entry)

    def ops(self, pane: "PaneRecord", clients: "list[Client]") -> "list[Op]":
        """What is to be written to the pane; a hook that rings claims its notice with it (NMK-1)."""
        from tma.core.events import chains

        target = chains.Target(self.call.agent, pane.options, [session for session, _ in pane.sessions])
        target.status = self.document.status_line
        if self.ring is None:
            return chains.plan(self.event, self.entry, target)
        target.claim = self.ring.claim(self.event, self.entry, pane, clients)
        planned = chains.plan(self.event, self.entry, target)
        return planned + self.ring.after(pane, planned)


def deliver(  # who, from where, what, by which rules, to whom
    call: Call,
    origin: Origin,
    event: "hooks.Event",
    document: "Document",
    server: "Server",
    *,
    ring: "Ring | None" = None,
) -> Delivery:
    """Decide an event's pane and stamp it, in one tmux client.

    ``ring`` is the wish of a hook to tell of it, where no daemon does (HOOK-12).

    Raises:
        TmaError: there is no server; nothing was written.
    """
    from tma.core.events import hooks

    done = Delivery()
    manifest = manifest_of(call, document)
    if manifest is None:
        return done
    case = Case(call, origin, event, manifest)
    case.document, case.server, case.ring = document, server, ring
    done.asked = hooks.matters(event, case.entry)
    done.judged = done.asked or case.entry is not None
    if done.asked:
        printed = _ask(case, done)
        if ring:
            ring.answer(printed)
    return done


def _ask(case: Case, done: Delivery) -> str:
    """Let the server tell the panes and write the answer; what the writes printed.

    A second question follows an early one whose pane is not proven to be the event's.
    """
    call = case.call
    if call.early is not None:
        printed = _answered(case, done, call.early, lambda panes, _: case.origin.proven(panes, call.pane))
        if done.pane is not None:
            return printed
    from tma.core.events import hooks

    wanted = "1" if hooks.is_start(case.entry) else filter_of(call, case.origin, case.event.session)
    clients = case.ring is not None and case.ring.wants_clients
    return _answered(case, done, Question(case.server, call, wanted, clients=clients), case.pane)


def _answered(case: Case, done: Delivery, question: Question, owner: "Owner") -> str:
    """Write what an event says to the pane that ``owner`` finds; what the writes printed."""
    # Loaded while tmux reads.
    from tma.adapters.tmux import write
    from tma.core.events import chains  # noqa: F401

    def reply(text: str) -> str:
        panes, facts = read.parse(text, question.mark)
        if facts is None or case.call.means_other(facts):
            return ""
        done.seen = any(pane.pane_id == case.call.pane for pane in panes)
        done.pane = owner(panes, facts)
        if done.pane is None:
            return ""
        done.ops = case.ops(done.pane, read.parse_clients(text, question.mark) if case.ring else [])
        return write.script(done.pane.pane_id, done.ops)

    return question.end(reply)


def report_gauge(call: Call) -> None:
    """Take one reading to the pane that it names; always without the daemon (CTX-1).

    Raises:
        TmaError: there is no server or no document; nothing was written.
    """
    if is_background():
        return
    origin = own_origin()
    raw, cut = read_payload(call)
    document = load(call)
    manifest = manifest_of(call, document)
    if manifest is None or not manifest["context"] or cut:
        return
    from tma.services import gauge

    reading = gauge.Reading(call, origin, raw, manifest)
    reading.store(document, server_of(call, document), filter_of(call, origin), ring_of(call, document))


def is_background() -> bool:
    """Whether a session without a pane runs this: its parents may still lead to somebody's pane (OWN-6)."""
    return bool(system.env("CLAUDE_JOB_DIR"))


def daemon_file(options: "Options", ending: str) -> str:
    """The path of one of the daemon's files, by what options and environment say of the server (DID-1)."""
    env = system.environment()
    selector = selector_of(env, socket_name=options.socket_name, socket_path=options.socket_path)
    return files.daemon_file(env, socket_path(selector, posix.geteuid(), lambda name: env.get(name, "")), ending)


def load(call: Call) -> "Document":
    """The document of a hook; a broken configuration means the defaults (CFG-5)."""
    options = call.options
    env = system.environment()
    return cache.load(config_path=options.config, manifest_dir=options.manifest_dir, hook=True, env=env)


def ring_of(call: Call, document: "Document") -> "Ring | None":
    """The wish of a hook to tell of its event itself, None where that is off (HOOK-12)."""
    if not document.rings_from_event:
        return None
    from tma.services.notify.hook import Ring

    return Ring(call.options, document)


def manifest_of(call: Call, document: "Document") -> "dict[str, Any] | None":
    """The plain manifest of an event's agent, None for one that is not loaded."""
    return next((plain for plain in document.agents if plain["name"] == call.agent), None)


def server_of(call: Call, document: "Document") -> "Server":
    """The server that options, environment and configuration name."""
    return choose_server(call.options, document.tmux_bin)


def choose_server(options: "Options", configured: str = "") -> "Server":
    """The server that options and environment name, by its own client where one is ``configured``."""
    env = system.environment()
    return choose(env, socket_name=options.socket_name, socket_path=options.socket_path, configured=configured)


def read_payload(call: Call) -> tuple[str, bool]:
    """The payload's text, and whether it was cut at its limit (DEV-1, SEC-R-1)."""
    if not call.payload:
        return "", False
    try:
        descriptor = 0 if call.payload == "-" else posix.open(call.payload, _READ_FLAGS)
        whole = system.read_until(descriptor, MAX_PAYLOAD + 1, call.began + PAYLOAD_S)
    except (OSError, ValueError):
        return "", False
    return whole[:MAX_PAYLOAD].decode("utf-8", "replace"), len(whole) > MAX_PAYLOAD


def _named_server(options: "Options") -> int:
    chosen = options.socket_name or options.socket_path or system.env("TMA_SOCKET_PATH")
    return 0 if chosen else own_server(system.env)[1]


def filter_of(call: Call, origin: Origin, session: str = "") -> str:
    """A filter for the panes that can be the event's; all, where that cannot be told beforehand.

    Only ids enter it; a session outside their characters is looked for among all panes.
    """
    if origin.known is None or (session and not is_id(session)):
        return "1"
    pids = {origin.session, *(pid for pid, _ in origin.known)}
    return read.owned_by(call.pane if is_pane_id(call.pane) else "", pids, session)
