"""Notices for tests: a server with settings, agents that report, and what each sink got."""

import json
from typing import Any

from harness import TmuxServer, until
from people import Person
from standin import manifests
from tma.adapters import system
from tma.adapters.tmux import client
from tma.services import cache, cycle
from tma.services.notify.dispatch import Notifier
from tma.services.notify.sinks import Sinks
from tma.services.runtime import Runtime


class Desk:
    """One server whose notices are logged; ``toml`` are more lines of its ``[notify]`` table."""

    def __init__(self, server: TmuxServer, toml: str = "") -> None:
        self.server = server
        self.log = server.home / "notify.log"
        self.configure(toml)

    def configure(self, toml: str) -> None:
        """Write the settings anew; a stamp stays young, since a slow machine must not look for itself."""
        path = self.server.home / "config" / "tma"
        path.mkdir(parents=True, exist_ok=True)
        (path / "config.toml").write_text(f"[fold]\nfreshness_secs = 3600\n[notify]\nlog = '{self.log}'\n{toml}\n")

    def runtime(self) -> Runtime:
        """A runtime of this server with its settings and the stand-in's manifest."""
        env = self.server.environment
        document = cache.load(manifest_dir=manifests(self.server), env=env)
        return Runtime(cache.Options(), document, client.Server(("-S", str(self.server.socket)), self.server.binary))

    def notifier(self) -> Notifier:
        """What a daemon dispatches with; close it."""
        runtime = self.runtime()
        return Notifier(runtime, Sinks(runtime))

    def dispatch(self, notifier: Notifier) -> int:
        """One pass of a daemon: read, and tell."""
        return notifier.dispatch(cycle.run(self.runtime(), defer_seen=True))

    def lines(self) -> list[dict[str, Any]]:
        """What the log holds."""
        return [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []

    def logged(self, count: int) -> list[dict[str, Any]]:
        """The log, once it has so many lines."""
        until(lambda: len(self.lines()) >= count, what=f"{count} notices")
        return self.lines()

    def results(self) -> dict[tuple[str, str | None], dict[str, Any]]:
        """The records by sink and target."""
        path = self.server.home / "tma" / "notify-results.json"
        kept = json.loads(path.read_text())["sinks"] if path.exists() else []
        return {(each["sink"], each["target"]): each for each in kept}


def put(server: TmuxServer, pane: str, state: str, *, since: int = 0, **options: str) -> int:
    """Stamp a pane as a hook would have, and give the instant."""
    at = since or system.now_ms()
    values = {"name": "robot", "session": "s", "state": state, "source": "hook"}
    times = dict.fromkeys(("since", "evidence_at"), str(at)) | {"stamped_at": str(max(at, system.now_ms()))}
    for name, value in (values | times | options).items():
        server("set-option", "-p", "-t", pane, f"@agent_{name}", value)
    return at


def banners(person: Person) -> int:
    """How many banners a terminal was sent so far."""
    person.reads("\x1b]9;")
    return person.seen.count(b"\x1b]9;")
