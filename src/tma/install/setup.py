"""What one run of a setup command works with: files, wrapper, backups, the person, and the server if there is one."""

from collections.abc import Mapping
from functools import cached_property

from tma.core.errors import TmaError, TmuxError, TmuxGoneError, UsageError
from tma.core.pane import ServerFacts
from tma.core.state import number
from tma.install import wiring, wrapper
from tma.install.adapter import Adapter, events_of
from tma.install.agents import ADAPTERS
from tma.install.backups import Backups
from tma.install.channel import Channel
from tma.install.console import Console
from tma.install.ours import WRAPPER
from tma.install.places import Places
from tma.services.runtime import Runtime

_NOBODY = Adapter("", lambda _files, _events: [])
_FACTS = "#{version}|#{host}|#{pid}|#{socket_path}"


class Setup:
    """One run; ``wrapper_ref`` is ``bare``, ``absolute`` or "" for the configuration's choice."""

    def __init__(self, runtime: Runtime, console: Console, env: Mapping[str, str], given: Mapping[str, str]) -> None:
        """Keep the parts; ``given`` are options by name."""
        self.runtime = runtime
        self.console = console
        self.env = env
        self.places = Places(env, given)
        self.backups = Backups(env)
        self._wanted = given.get("wrapper_ref") or runtime.settings.wrapper_ref

    @cached_property
    def wrapper_path(self) -> str:
        """Where the wrapper is or will be."""
        return self.places.wrapper(wrapper.shipped())

    @cached_property
    def choice(self) -> wrapper.Choice:
        """How configurations name the wrapper.

        Raises:
            TmaError: bare is wanted and cannot be had.
        """
        if not self.wrapper_path:
            message = "the wrapper tma-hook did not come with this tma"
            raise TmaError(message, "name one by --wrapper-path")
        return wrapper.choose(self.wrapper_path, self._wanted, self.env.get("PATH", ""))

    @property
    def reference(self) -> wrapper.Reference:
        """What entries are judged by: the chosen reference, or the bare name where none can be had."""
        try:
            return self.choice.reference
        except TmaError:
            return wrapper.Reference(WRAPPER, self.env.get("PATH", ""))

    @cached_property
    def facts(self) -> ServerFacts | None:
        """The server, None where none answers.

        Raises:
            TmaError: tmux is missing, or the server does not answer properly.
        """
        try:
            text = self.runtime.server.run(["display-message", "-p", _FACTS])
        except TmuxGoneError:
            return None
        version, host, pid, socket_path, *_ = [*text.rstrip("\n").split("|", 3), "", "", ""]
        process = number(pid)
        if process is None:
            message = f"{self.runtime.server.binary} does not answer like tmux"
            raise TmuxError(message, "let [tmux] bin or TMA_TMUX_BIN name another program")
        return ServerFacts(socket_path, version, host, process, 0)

    def adapter(self, agent: str) -> Adapter:
        """The adapter of a named agent.

        Raises:
            UsageError: no agent of that name is known.
            TmaError: it has no hooks, or nothing here can wire it.
        """
        if agent not in self.runtime.names:
            message = f"unknown agent: {agent}"
            raise UsageError(message, f"known are {', '.join(self.runtime.names)}")
        if not self.events(agent):
            message = f"{agent} has no hooks"
            raise TmaError(message)
        if agent not in ADAPTERS:
            message = f"{agent} cannot be wired by tma"
            raise TmaError(message, "its hooks can be wired by hand: tma-hook AGENT EVENT")
        return ADAPTERS[agent]

    def adapters(self) -> list[Adapter]:
        """Every agent that can be wired."""
        return [adapter for name, adapter in ADAPTERS.items() if name in self.runtime.names and self.events(name)]

    def events(self, agent: str) -> list[str]:
        """The events that the agent's manifest maps, in order."""
        plain = next((each for each in self.runtime.document.agents if each["name"] == agent), None)
        return list(dict.fromkeys(str(entry["event"]) for entry in plain["map"])) if plain else []

    def known_events(self, agent: str) -> list[str]:
        """The events of an agent that its manifest or its adapter knows."""
        return events_of(ADAPTERS.get(agent, _NOBODY), self.events(agent))

    def channels(self, adapter: Adapter) -> list[Channel]:
        """The agent's files."""
        return adapter.channels(self.places, self.known_events(adapter.name))

    def status(self, adapter: Adapter) -> wiring.Status:
        """How an agent is wired."""
        return wiring.status(self.channels(adapter), self.reference, self.backups)
