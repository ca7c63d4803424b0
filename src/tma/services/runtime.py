"""What every command works with, built once and passed on: server, documents, processes, clock."""

import posix
import sys

from tma.adapters import files, system
from tma.adapters.tmux import client

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tma.adapters.linux import Table
    from tma.adapters.tmux.client import Server
    from tma.core.detect.agent import Manifest
    from tma.core.detect.regex import Codes
    from tma.core.errors import TmaError
    from tma.core.pane import ServerFacts
    from tma.core.settings import Settings
    from tma.services.cache import Document, Options
    from tma.services.tails import Tails


LOCK_LIMIT = 4096
"""Bytes of a lock file that are read."""

_PID_DIGITS = 11


class Runtime:
    """One command's world. ``notes`` are lines for standard error, each to be said once.

    ``before_look`` is called before the modules of a closer look are loaded.
    """

    __slots__ = ("_codes", "_manifests", "_tails", "before_look", "document", "notes", "now_ms", "options", "server")

    def __init__(self, options: "Options", document: "Document", server: "Server") -> None:
        """Keep the parts; manifests are made when first needed."""
        self.options = options
        self.document = document
        self.server = server
        self.now_ms = system.now_ms
        self.before_look: Callable[[], object] = bool
        self.notes: list[str] = []
        self._manifests: list[Manifest] | None = None
        self._tails: Tails | None = None
        self._codes: Codes | None = None

    @property
    def settings(self) -> "Settings":
        """The configuration in force."""
        return self.document.settings

    @property
    def manifests(self) -> "list[Manifest]":
        """The loaded agents in the order that decides identity."""
        if self._manifests is None:
            from tma.core.detect.agent import Manifest

            self._manifests = [Manifest(plain, self.codes) for plain in self.document.agents]
        return self._manifests

    @property
    def codes(self) -> "Codes":
        """What is known of the manifests' patterns, for as long as this process runs."""
        if self._codes is None:
            from tma.services import codes

            self._codes = codes.opened()
        return self._codes

    @property
    def process_names(self) -> frozenset[str]:
        """Every process name that an agent is known by."""
        return frozenset(name for plain in self.document.agents for name in plain["process_names"])

    @property
    def tailed(self) -> frozenset[str]:
        """The agents whose context gauge stands in a file of their own (ROL-1)."""
        return frozenset(plain["name"] for plain in self.document.agents if plain["context"][:1] == ["file-tail"])

    @property
    def tails(self) -> "Tails":
        """What is remembered of such files, for as long as this process runs (ROL-3)."""
        if self._tails is None:
            from tma.services.tails import Tails

            self._tails = Tails(system.environment())
        return self._tails

    @property
    def names(self) -> list[str]:
        """The loaded agents' names alone."""
        return [str(plain["name"]) for plain in self.document.agents]

    def adopt(self, document: "Document") -> None:
        """Work on with another document; one that says the same changes nothing (CFG-9)."""
        if document.contents != self.document.contents:
            self.document = document
            self._manifests = None

    def note(self, line: str) -> None:
        """Keep a line for standard error; a line is said once."""
        if line not in self.notes:
            self.notes.append(line)

    def procs(self) -> "Table":
        """The process table as it is now, by the one module that knows this system; one for each cycle or event."""
        if sys.platform == "darwin":
            from tma.adapters.darwin import Table
        else:
            from tma.adapters.linux import Table
        return Table()

    @property
    def server_pid(self) -> int:
        """The server's process as ``TMUX`` tells it, 0 where that names none or another server."""
        path, pid = client.own_server(system.env)
        return pid if client.socket_path(self.server.selector, system.uid(), system.env) == path else 0

    def foreign(self, facts: "ServerFacts") -> bool:
        """Whether this process cannot see the server's processes; where none can be seen the host decides (FWD-7)."""
        if facts.host != system.node_name():
            return True
        procs = self.procs()
        try:
            names = procs.names(facts.pid)
            if not names and not procs.names(posix.getpid()):
                return False
        except _unreadable():
            return False
        base = self.server.binary.rpartition("/")[2]
        return not any(name.startswith("tmux") or name == base for name in names)


def _unreadable() -> "type[TmaError]":
    """Loaded here: the table can nearly always be read."""
    from tma.core.errors import TmaError

    return TmaError


def connect(options: "Options", document: "Document") -> Runtime:
    """A runtime for the server that options, environment and configuration name."""
    server = client.choose(
        system.environment(),
        socket_name=options.socket_name,
        socket_path=options.socket_path,
        configured=document.tmux_bin,
    )
    return Runtime(options, document, server)


def own_server(env: "Mapping[str, str]") -> tuple[str, int]:
    """The socket and the process of the server whose pane this is; "" and 0 for none."""
    return client.own_server(lambda name: env.get(name, ""))


def wants_keeper(runtime: Runtime) -> bool:
    """Whether the daemon may have to be started or replaced; one small file tells that it need not be (DLC-9)."""
    from tma import __version__

    daemon = runtime.settings.daemon
    env = system.environment()
    server = client.socket_path(runtime.server.selector, system.uid(), lambda name: env.get(name, ""))
    try:
        pid, version = lock_record(files.read_own(files.daemon_file(env, server, "lock"), LOCK_LIMIT))
    except OSError:
        pid, version = 0, ""
    if not system.exists(pid):
        return bool(daemon["autostart"])
    if version == __version__ or not daemon["restart_on_upgrade"]:
        return False
    from tma.services import upgrading

    return upgrading.is_older(version)


def lock_record(body: bytes) -> tuple[int, str]:
    """The process and the version that a daemon's lock file names; 0 and "" for an empty or torn one (DID-3)."""
    first, *lines = body.decode("utf-8", "replace").split("\n")
    pid = int(first) if first.isascii() and first.isdecimal() and len(first) < _PID_DIGITS else 0
    version = next((line.partition("=")[2] for line in lines if line.startswith("version=")), "")
    return (pid, version) if pid > 0 and version else (0, "")
