"""People for tests: terminals attached to a server, where they look, and agents that report by hooks."""

import os
import pty
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from harness import TmuxServer, until
from standin import StandIn, manifests


class Person:
    """A terminal with a program in it; what it shows is kept."""

    def __init__(self, descriptor: int, pid: int) -> None:
        self.descriptor = descriptor
        self.pid = pid
        self.seen = b""

    def type(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self.descriptor, keys)

    def reads(self, text: str) -> bool:
        """Whether the terminal was sent a text so far."""
        while select.select([self.descriptor], [], [], 0)[0]:
            try:
                chunk = os.read(self.descriptor, 65536)
            except OSError:
                break
            if not chunk:
                break
            self.seen += chunk
        return text.encode() in self.seen


@contextmanager
def terminal(argv: list[str], env: dict[str, str]) -> Iterator[Person]:
    """A program on a terminal of its own, killed in the end."""
    pid, descriptor = pty.fork()
    if pid == 0:
        os.execve(argv[0], argv, env)
    try:
        yield Person(descriptor, pid)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.close(descriptor)
        os.waitpid(pid, 0)


@contextmanager
def attached(server: TmuxServer, session: str = "main") -> Iterator[tuple[Person, str]]:
    """A person at a session, and the name of their client."""
    argv = [server.binary, "-u", "-S", str(server.socket), "attach-session", "-t", f"={session}"]
    with terminal(argv, server.environment) as person:

        def name() -> str:
            person.reads("")
            lines = server("list-clients", "-F", "#{client_pid} #{client_name}").splitlines()
            return next((line.split(" ", 1)[1] for line in lines if line.split(" ")[0] == str(person.pid)), "")

        yield person, until(name, what="an attached client")


def where(server: TmuxServer, client: str) -> str:
    """The session and the pane that a client shows."""
    lines = server("list-clients", "-F", "#{client_name}\t#{session_name} #{pane_id}").splitlines()
    return dict(line.split("\t") for line in lines)[client]


def tma(server: TmuxServer, *words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command with the stand-in's manifest alone."""
    return server.tma("--manifest-dir", manifests(server), *words, **options)


def report(robot: StandIn, kind: str) -> None:
    """The robot reports by a hook: Start, Work, Ask, Stop or End."""
    words = ["event", "--agent", "robot", "--kind", kind, "--payload", "-"]
    done = tma(robot.server, *words, stdin="{}", pane=robot.pane, env={"TMA_TRUST_PANE": "1"})
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def blocked(server: TmuxServer) -> StandIn:
    """A robot that asks, on its screen and by its hook."""
    robot = StandIn(server, screen="ALLOW?")
    report(robot, "Ask")
    return robot


def done(server: TmuxServer) -> StandIn:
    """A robot whose turn has ended unseen."""
    robot = StandIn(server)
    report(robot, "Work")
    report(robot, "Stop")
    return robot


@contextmanager
def running(server: TmuxServer, *words: str, env: dict[str, str] | None = None) -> Iterator[subprocess.Popen[str]]:
    """A command that goes on, with its output in pipes; killed if it is still there in the end."""
    argv = [sys.executable, "-m", "tma", "--manifest-dir", manifests(server), *words]
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(argv, text=True, env=server.environment | (env or {}), **streams) as process:
        try:
            yield process
        finally:
            process.kill()
