"""A home directory in which agents are wired, without a server or a program: real files, real backups."""

import io
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from tma.install import wiring
from tma.install.adapter import events_of
from tma.install.agents import ADAPTERS
from tma.install.backups import Backups
from tma.install.channel import Channel
from tma.install.console import Console
from tma.install.places import Places
from tma.install.plan import Change
from tma.install.wrapper import Reference

EVENTS = ("SessionStart", "UserPromptSubmit", "Notification", "Stop", "notify")
"""Events as a manifest may name them; ``notify`` is Codex's own."""


class Home:
    """One person's home, with the wrapper in a directory that is on PATH."""

    def __init__(self, directory: Path, variables: Mapping[str, str] | None = None) -> None:
        self.directory = directory
        self.wrapper = directory / "bin" / "tma-hook"
        self.wrapper.parent.mkdir(parents=True, exist_ok=True)
        self.wrapper.write_text("#!/bin/sh\n")
        self.wrapper.chmod(0o755)
        self.env = {"HOME": str(directory), "PATH": str(self.wrapper.parent), **(variables or {})}
        self.reference = Reference(str(self.wrapper), self.env["PATH"])
        self.backups = Backups(self.env)
        self.console = Console(yes=True)

    def channels(self, agent: str) -> list[Channel]:
        """The agent's files."""
        adapter = ADAPTERS[agent]
        return adapter.channels(Places(self.env), events_of(adapter, EVENTS))

    def install(self, agent: str) -> list[Change]:
        """Wire an agent and give the changes that were made."""
        return self.make(wiring.plan_install(self.channels(agent), self.reference))

    def uninstall(self, agent: str) -> list[Change]:
        """Unwire an agent and give the changes that were made."""
        return self.make(wiring.plan_uninstall(self.channels(agent), self.reference, self.backups))

    def make(self, changes: list[Change]) -> list[Change]:
        """Carry changes out in silence."""
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            wiring.make(changes, self.backups, self.console)
        return [change for change in changes if change.needed]

    def status(self, agent: str) -> wiring.Status:
        """How an agent is wired."""
        return wiring.status(self.channels(agent), self.reference, self.backups)

    def write(self, path: str, data: bytes) -> Path:
        """Put a file into the home."""
        file = self.directory / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        return file

    def forget(self) -> None:
        """Lose every record, as another machine with the same dotfiles has none."""
        records = Path(self.backups.directory) / "backups.json"
        records.unlink(missing_ok=True)
