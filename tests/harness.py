"""Real tmux servers for tests: private sockets, a clean environment, waits with a deadline."""

import os
import pty
import secrets
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

ROOT = Path(__file__).resolve().parent.parent
DEADLINE_S = 20.0
_PAUSE_S = 0.02
_KEPT = ("PATH", "LANG", "TMPDIR")


def tmux_binaries() -> list[str]:
    """Every tmux to test on: the system's, then those that TMA_TEST_TMUX lists."""
    listed = [path for path in os.environ.get("TMA_TEST_TMUX", "").split(os.pathsep) if path]
    return [path for path in [shutil.which("tmux"), *listed] if path]


def version_of(binary: str) -> str:
    """The version that a tmux prints of itself, such as ``3.3a``."""
    printed = subprocess.run([binary, "-V"], check=True, capture_output=True, text=True).stdout
    return printed.split()[-1]


def until(condition: Callable[[], T], *, seconds: float = DEADLINE_S, what: str = "the condition") -> T:
    """The first true answer of ``condition``; fails with what was seen last when time runs out."""
    end = time.monotonic() + seconds
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() >= end:
            message = f"{what} did not come within {seconds:g} s; last seen: {answer!r}"
            raise AssertionError(message)
        select.select([], [], [], _PAUSE_S)


class TmuxServer:
    """One tmux server on a socket that nobody can guess, with a home of its own."""

    def __init__(self, binary: str, home: Path) -> None:
        """Choose the socket; nothing runs yet."""
        self.binary = binary
        self.home = home
        self.socket = home / f"tma-{secrets.token_hex(8)}"
        self.pid = 0

    @property
    def environment(self) -> dict[str, str]:
        """What a program of this test may know: no other server, no user configuration."""
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        return kept | {
            "HOME": str(self.home),
            "LC_ALL": "C.UTF-8",
            "PYTHONPATH": str(ROOT / "src"),
            "SHELL": "/bin/sh",
            "TERM": "xterm-256color",
            "TMA_SOCKET_PATH": str(self.socket),
            "TMA_TMUX_BIN": self.binary,
            "XDG_CACHE_HOME": str(self.home / "cache"),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "XDG_RUNTIME_DIR": str(self.home),
            "XDG_STATE_HOME": str(self.home / "state"),
        }

    def start(self, *command: str, width: int = 100, height: int = 40) -> str:
        """Start the server with one pane and give the pane's id; without a command it holds a shell."""
        size = ("-x", str(width), "-y", str(height))
        pane = self("-f", "/dev/null", "new-session", "-d", "-P", "-F", "#{pane_id}", "-s", "main", *size, *command)
        self.pid = int(self("display-message", "-p", "#{pid}"))
        return pane

    def __call__(self, *words: str, stdin: str | None = None) -> str:
        """Run one tmux client and give what it printed, without the last newline."""
        argv = [self.binary, "-u", "-S", str(self.socket), *words]
        done = subprocess.run(
            argv, check=False, capture_output=True, text=True, input=stdin, env=self.environment, timeout=DEADLINE_S
        )
        if done.returncode != 0:
            message = f"tmux {' '.join(words)}: {done.stderr.strip()}"
            raise AssertionError(message)
        return done.stdout.removesuffix("\n")

    def pane(self, *command: str) -> str:
        """Open a window with a command, an argument list without a shell, and give its pane id."""
        return self("new-window", "-d", "-P", "-F", "#{pane_id}", *command)

    def show(self, target: str, text: str) -> str:
        """What a format says of a target."""
        return self("display-message", "-p", "-t", target, text)

    def options(self, target: str) -> dict[str, str]:
        """The user options of a pane, by name."""
        lines = self("show-options", "-p", "-t", target).splitlines()
        names = [line.split(" ", 1)[0] for line in lines if line.startswith("@")]
        return {name: self("show-options", "-pqv", "-t", target, name) for name in names}

    def screen(self, target: str) -> str:
        """The visible text of a pane."""
        return self("capture-pane", "-p", "-t", target)

    def tma(
        self, *words: str, stdin: str = "", pane: str = "", env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run ``tma`` against this server, from inside a pane when one is named."""
        inside = {"TMUX": f"{self.socket},{self.pid},0", "TMUX_PANE": pane} if pane else {}
        return subprocess.run(
            [sys.executable, "-m", "tma", *words],
            check=False,
            capture_output=True,
            text=True,
            input=stdin,
            env=self.environment | inside | (env or {}),
            timeout=DEADLINE_S,
        )

    @contextmanager
    def client(self, *, session: str = "main") -> Iterator[int]:
        """A person's terminal attached to a session: the file descriptor to type into."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.execve(
                self.binary,
                [self.binary, "-u", "-S", str(self.socket), "attach-session", "-t", f"={session}"],
                self.environment,
            )
        try:
            until(lambda: _drained(terminal) and self("list-clients", "-F", "#{client_pid}"), what="an attached client")
            yield terminal
        finally:
            os.kill(pid, signal.SIGKILL)
            os.close(terminal)
            os.waitpid(pid, 0)

    def stop(self) -> None:
        """End the server by its own socket; kill the process only if it will not go."""
        argv = [self.binary, "-S", str(self.socket), "kill-server"]
        subprocess.run(argv, check=False, capture_output=True, env=self.environment, timeout=DEADLINE_S)
        try:
            until(lambda: not _alive(self.pid), seconds=5, what="the server's end")
        except AssertionError:
            os.kill(self.pid, signal.SIGKILL)


@contextmanager
def private_home() -> Iterator[Path]:
    """A short-named directory of one test: a socket path may hold about a hundred bytes."""
    home = Path(tempfile.mkdtemp(prefix="tma-"))
    try:
        yield home
    finally:
        shutil.rmtree(home, ignore_errors=True)


@contextmanager
def private_server(binary: str) -> Iterator[TmuxServer]:
    """A server that is ended with the test; the test starts it."""
    with private_home() as home:
        server = TmuxServer(binary, home)
        try:
            yield server
        finally:
            server.stop()


def _alive(pid: int) -> bool:
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _drained(terminal: int) -> bool:
    """Read what waits on a terminal, so that its writer never blocks; always true."""
    while select.select([terminal], [], [], 0)[0]:
        try:
            if not os.read(terminal, 65536):
                break
        except OSError:
            break
    return True
