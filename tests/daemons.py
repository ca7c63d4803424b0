"""A daemon under test: started in the foreground, its status file read, and always ended."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness import DEADLINE_S, TmuxServer, until
from standin import manifests
from tma.adapters import files

SLOW_SWEEP = 3_600_000
"""Milliseconds: nothing that a test sees came from a sweep."""


class Daemon:
    """One process of ``tma daemon`` and the ten keys that it tells."""

    def __init__(
        self,
        server: TmuxServer,
        *words: str,
        sweep_ms: int = SLOW_SWEEP,
        env: dict[str, str] | None = None,
        bundled: bool = False,
    ) -> None:
        """Start it on a server, for the stand-in or the bundled agents; ``ready`` waits until it listens."""
        self.server = server
        self.status = server.home / "daemon-status"
        self.status.unlink(missing_ok=True)
        self.log = server.home / "daemon-log"
        chosen = [] if bundled else ["--manifest-dir", manifests(server)]
        argv = [sys.executable, "-m", "tma", *chosen, "daemon"]
        argv += ["--status-file", str(self.status), "--sweep-ms", str(sweep_ms), *words]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=server.environment | (env or {})
            )

    @property
    def pid(self) -> int:
        """Its process."""
        return self.process.pid

    @property
    def said(self) -> str:
        """What it wrote to its log."""
        return self.log.read_text(errors="replace")

    def key(self, name: str) -> str:
        """One value of the status file, "" before it is there."""
        try:
            lines = self.status.read_text().splitlines()
        except FileNotFoundError:
            return ""
        return next((line.partition("=")[2] for line in lines if line.startswith(f"{name}=")), "")

    def count(self, name: str) -> int:
        """One value as a number."""
        return int(self.key(name) or 0)

    def ready(self) -> "Daemon":
        """Wait until it listens and has read who is where."""
        until(lambda: self.process.poll() is not None or self.key("probe"), what="the daemon's status")
        assert self.process.poll() is None, self.said
        return self

    def watches(self, *sessions: str) -> None:
        """Wait until exactly these sessions have a client."""
        wanted = sorted(self.server.show(f"={name}:", "#{session_id}") for name in sessions)
        until(lambda: sorted(self.key("sessions").split()) == wanted, what=f"clients in {wanted}; {self.said}")

    def settled(self) -> None:
        """Wait until no look is owed."""
        until(lambda: self.key("active") == "0", what="no look owed")

    def end(self, number: int = signal.SIGTERM) -> int:
        """Signal it and wait for its end; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(DEADLINE_S)


@contextmanager
def daemon(server: TmuxServer, *words: str, **more: Any) -> Iterator[Daemon]:
    """A daemon that listens, ended with the block."""
    started = Daemon(server, *words, **more)
    try:
        yield started.ready()
    finally:
        if started.process.poll() is None:
            os.kill(started.pid, signal.SIGCONT)
            started.process.terminate()
            try:
                started.process.wait(DEADLINE_S)
            except subprocess.TimeoutExpired:
                started.process.kill()
                started.process.wait()


def file_of(server: TmuxServer, ending: str) -> Path:
    """One of the daemon's files."""
    return Path(files.daemon_file(server.environment, str(server.socket), ending))


def is_gone(pid: int) -> bool:
    """Whether a process has ended; one that nobody has reaped counts as ended."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state in {"Z", "X"}
