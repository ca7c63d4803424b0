"""One hook event or gauge reading: taken in, its pane decided, and stamped, in one tmux client.

The instant of the event and the processes above it are taken before anything that may wait
(CLK-1, OWN-3). Whatever fails leaves no trace, and the caller says nothing (HOOK-1).
"""

import posix
import select
import sys
import time

from tma.adapters import system
from tma.adapters.tmux import read, write
from tma.adapters.tmux.client import choose
from tma.core.events import chains, hooks
from tma.core.pane import proven
from tma.core.state import is_id, is_pane_id
from tma.services import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tma.adapters.tmux.client import Server
    from tma.core.pane import PaneRecord, ServerFacts
    from tma.services.cache import Document, Options

CONTEXT = "context"
"""The kind that carries a gauge reading and no event (CTX-1)."""

PAYLOAD_S = 0.5
"""Seconds from the start until what was read of a payload is all of it (DEV-1)."""

TOTAL_S = 1.1
"""Seconds from the start that an event may take; the interpreter's own come on top (DEV-5)."""

MAX_PAYLOAD = 16 << 20
_CHUNK = 1 << 18
_READ_FLAGS = posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC


class Call:
    """What one hook process was started with: at the instant ``at``, ``began`` in monotonic seconds.

    ``payload`` is ``-`` for standard input, a path, or empty for none.
    """

    __slots__ = ("agent", "at", "began", "kind", "options", "pane", "payload")

    def __init__(self, options: "Options", *, at: int, began: float) -> None:
        """Take the claimed pane from the environment; the rest is the caller's to fill."""
        self.options = options
        self.at = at
        self.began = began
        self.agent = ""
        self.kind = ""
        self.payload = ""
        self.pane = system.env("TMUX_PANE")

    @property
    def left_s(self) -> float:
        """Seconds left for tmux, at least a little (DEV-5)."""
        return max(0.05, self.began + TOTAL_S - time.monotonic())


class Origin:
    """Where this process stands: its session and, on Linux, its parents, who may exit (OWN-3).

    ``known`` is None where reading them would cost a process.
    """

    __slots__ = ("known", "session")

    def __init__(self) -> None:
        """Read what costs no process."""
        self.session = system.session_of(0)
        self.known = system.parents(posix.getpid()) if sys.platform == "linux" else None


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
    """Take one event to its pane (HOOK-1, OWN-1).

    Raises:
        TmaError: there is no server or no document; nothing was written.
    """
    if is_background():
        return
    origin = Origin()
    raw, cut = read_payload(call)
    document, manifest = world(call)
    if manifest is None:
        return
    event = hooks.Event(call.kind, call.at, raw, cut=cut)
    entry = hooks.find(manifest["map"], event, manifest["costs"])
    if not chains.matters(event, entry):
        return
    command, mark = read.list_panes()

    def reply(text: str) -> str:
        panes, facts = read.parse(text, mark)
        if facts is None or is_other_server(server, facts):
            return ""
        pane = proven_pane(call, origin, panes)
        if pane is None:
            from tma.services.claim import Claim
            from tma.services.runtime import Runtime

            claim = Claim(call, origin, Runtime(call.options, document, server), panes=panes, facts=facts)
            pane = claim.standing(manifest) or claim.found(manifest, event, entry)
        if pane is None:
            return ""
        target = chains.Target(call.agent, pane.options, [session for session, _ in pane.sessions])
        return write.script(pane.pane_id, chains.plan(event, entry, target))

    wanted = "1" if hooks.is_start(entry) else filter_of(call, origin, event.session)
    server = server_of(call, document)
    server.exchange([*command, "-f", wanted], reply, timeout_s=call.left_s)


def report_gauge(call: Call) -> None:
    """Take one reading to the pane that it names; a pane that is disproved drops it (OWN-8).

    Raises:
        TmaError: there is no server or no document; nothing was written.
    """
    if is_background():
        return
    from tma.core.detect import telemetry
    from tma.core.events import gauges
    from tma.services.claim import Claim
    from tma.services.runtime import Runtime

    origin = Origin()
    raw, cut = read_payload(call)
    document, manifest = world(call)
    if manifest is None or not manifest["context"] or cut:
        return
    gauge = telemetry.parse_payload(manifest["context"][1], raw)
    if gauge is None:
        return
    command, mark = read.list_panes()

    def reply(text: str) -> str:
        panes, facts = read.parse(text, mark)
        if facts is None or is_other_server(server, facts):
            return ""
        claim = Claim(call, origin, Runtime(call.options, document, server), panes=panes, facts=facts)
        pane = claim.standing(manifest)
        return write.script(pane.pane_id, gauges.observed(gauge, call.at, pane.options)) if pane else ""

    server = server_of(call, document)
    server.exchange([*command, "-f", filter_of(call, origin)], reply, timeout_s=call.left_s)


def proven_pane(call: Call, origin: Origin, panes: "list[PaneRecord]") -> "PaneRecord | None":
    """The named pane, where this process provably runs in it (OWN-2)."""
    for pane in panes:
        if pane.pane_id == call.pane and proven(pane.pid, origin.session, origin.known or ()):
            return pane
    return None


def is_background() -> bool:
    """Whether a session without a pane runs this: its parents may still lead to somebody's pane (OWN-6)."""
    return bool(system.env("CLAUDE_JOB_DIR"))


def world(call: Call) -> "tuple[Document, dict[str, Any] | None]":
    """The document of a hook, and the plain manifest of its agent, None for one that is not loaded.

    A broken configuration means the defaults (CFG-5).
    """
    options = call.options
    env = system.environment()
    document = cache.load(config_path=options.config, manifest_dir=options.manifest_dir, hook=True, env=env)
    manifest = next((plain for plain in document.agents if plain["name"] == call.agent), None)
    return document, manifest


def server_of(call: Call, document: "Document") -> "Server":
    """The server that options, environment and configuration name."""
    options = call.options
    return choose(
        system.environment(),
        socket_name=options.socket_name,
        socket_path=options.socket_path,
        configured=document.tmux_bin,
    )


def read_payload(call: Call) -> tuple[str, bool]:
    """The payload's text, and whether it was cut at its limit (DEV-1, SEC-R-1)."""
    if not call.payload:
        return "", False
    try:
        descriptor = 0 if call.payload == "-" else posix.open(call.payload, _READ_FLAGS)
        whole = _read_until(descriptor, call.began + PAYLOAD_S)
    except (OSError, ValueError):
        return "", False
    return whole[:MAX_PAYLOAD].decode("utf-8", "replace"), len(whole) > MAX_PAYLOAD


def _read_until(descriptor: int, deadline: float) -> bytes:
    whole = bytearray()
    while len(whole) <= MAX_PAYLOAD:
        if not select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))[0]:
            break
        data = posix.read(descriptor, _CHUNK)
        if not data:
            break
        whole += data
    return bytes(whole)


def is_other_server(server: "Server", facts: "ServerFacts") -> bool:
    """Whether ``TMUX`` named the server and means one that is gone (DEV-4)."""
    words = system.env("TMUX").rsplit(",", 2)
    named = not server.selector and len(words) == 3 and words[1].isdigit()  # noqa: PLR2004
    return named and int(words[1]) != facts.pid


def filter_of(call: Call, origin: Origin, session: str = "") -> str:
    """A filter for the panes that can be the event's; all, where that cannot be told beforehand.

    Only ids enter it; a session outside their characters is looked for among all panes.
    """
    if origin.known is None or (session and not is_id(session)):
        return "1"
    pids = " ".join(str(pid) for pid in {origin.session, *(pid for pid, _ in origin.known)})
    above = f"#{{m:* #{{pane_pid}} *, {pids} }}"
    named = f"#{{==:#{{pane_id}},{call.pane if is_pane_id(call.pane) else ''}}}"
    same = f"#{{==:#{{@agent_session}},{session}}}" if session else "0"
    return f"#{{||:{named},#{{||:{above},{same}}}}}"
