"""What every command works with, built once and passed on: server, documents, processes, clock."""

from tma.adapters import system
from tma.adapters.procs import Table
from tma.adapters.tmux import client

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.adapters.tmux.client import Server
    from tma.core.detect.agent import Manifest
    from tma.core.pane import ServerFacts
    from tma.core.settings import Settings
    from tma.services.cache import Document, Options
    from tma.services.tails import Tails


class Runtime:
    """One command's world. ``notes`` are lines for standard error, each to be said once."""

    __slots__ = ("_manifests", "_tails", "document", "notes", "now_ms", "options", "server")

    def __init__(self, options: "Options", document: "Document", server: "Server") -> None:
        """Keep the parts; manifests are made when first needed."""
        self.options = options
        self.document = document
        self.server = server
        self.now_ms = system.now_ms
        self.notes: list[str] = []
        self._manifests: list[Manifest] | None = None
        self._tails: Tails | None = None

    @property
    def settings(self) -> "Settings":
        """The configuration in force."""
        return self.document.settings

    @property
    def manifests(self) -> "list[Manifest]":
        """The loaded agents in the order that decides identity."""
        if self._manifests is None:
            from tma.core.detect.agent import Manifest

            self._manifests = [Manifest(plain) for plain in self.document.agents]
        return self._manifests

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

    def procs(self) -> Table:
        """The process table as it is now; one for each cycle or event."""
        return Table()

    def foreign(self, facts: "ServerFacts") -> bool:
        """Whether this process cannot see the server's processes (FWD-7)."""
        if facts.host != system.node_name():
            return True
        names = self.procs().names(facts.pid)
        base = self.server.binary.rpartition("/")[2]
        return not any(name.startswith("tmux") or name == base for name in names)


def connect(options: "Options", document: "Document") -> Runtime:
    """A runtime for the server that options, environment and configuration name."""
    server = client.choose(
        system.environment(),
        socket_name=options.socket_name,
        socket_path=options.socket_path,
        configured=document.tmux_bin,
    )
    return Runtime(options, document, server)
