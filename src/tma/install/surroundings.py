"""What an agent's own process was started with: which account, before its hooks or after, which PATH (WTR-2 to WTR-4).

Only processes whose environment can be read tell; of the others nothing is said.
"""

import shlex
from typing import NamedTuple

from tma.core.detect.identity import Identity
from tma.install import places, wiring, wrapper
from tma.install.adapter import Adapter
from tma.install.channel import Channel
from tma.install.dialect import RefusedError
from tma.install.ours import WRAPPER
from tma.install.setup import Setup
from tma.install.target import read

READING_MS = 1000
"""How long after its start an agent may still read its files; one that started within it may have read either."""


class Away(NamedTuple):
    """An agent reads its settings elsewhere than it is wired: the variable that says so, and its value."""

    variable: str
    value: str


class Surroundings:
    """One agent's process of this user."""

    def __init__(self, setup: Setup, adapter: Adapter, identity: Identity) -> None:
        """Read its environment and when it started."""
        self._setup = setup
        self._adapter = adapter
        table = setup.runtime.procs()
        self._own = {name: table.variable(identity.pid, name) for name in ("PATH", *places.DIRECTORIES)}
        self._started = table.started_ms(identity.started)

    def away(self) -> Away | None:
        """Where it reads its settings, if nothing is wired there (WTR-2)."""
        own = self._own
        usual = {name: value for name, value in self._setup.env.items() if not name.startswith("TMA_")}
        moved = [name for name in places.DIRECTORIES if self._paths(usual | {name: own[name]}) != self._paths(usual)]
        if not own["HOME"] or not moved or self._status_there() != wiring.NOT_INSTALLED:
            return None
        return Away(moved[0], own[moved[0]])

    def is_older(self) -> bool:
        """Whether it started before its files were last wired, and so has not read that (WTR-3)."""
        return 0 < self._started < self._wired_at() - READING_MS

    def notes(self, *, wired: bool) -> list[str]:
        """What to say about it; ``wired`` says that the usual files are."""
        away, agent = self.away(), self._adapter.name
        found = []
        if away is not None:
            setting = f"{away.variable}={shlex.quote(away.value)}"
            found.append(f"account: runs with {setting}, no tma hooks there: {setting} tma install-hooks {agent}")
        elif wired and self.is_older():
            found.append("older: started before its hooks were installed: restart the agent to load them")
        if wired and self._lacks_wrapper():
            found.append(f"path: ✗ its PATH has no {WRAPPER}: tma install-hooks --all --wrapper-ref absolute")
        return found

    def _lacks_wrapper(self) -> bool:
        bare = self._setup.reference.word == WRAPPER
        return bare and bool(self._own["PATH"]) and not wrapper.on_path(WRAPPER, self._own["PATH"])

    def _wired_at(self) -> int:
        """When tma last changed one of the agent's files, 0 for never."""
        try:
            reals = [read(channel.path).real for channel in self._setup.channels(self._adapter) if channel.path]
        except RefusedError:
            return 0
        return max((record.at for real in reals for record in self._setup.backups.records(real)), default=0)

    def _status_there(self) -> str:
        return wiring.status(self._channels(self._own), self._setup.reference, self._setup.backups).state

    def _paths(self, env: dict[str, str]) -> list[str]:
        return [channel.path for channel in self._channels(env)]

    def _channels(self, env: dict[str, str]) -> list[Channel]:
        return self._adapter.channels(places.Places(env), self._setup.known_events(self._adapter.name))
