"""An agent in a pane of its own: a home, a directory, a shell, and the program started from it."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from agents import KEY, Agent, filled
from harness import TmuxServer, until
from install import extra, programs
from observe import now_ms, pid_of

START_S = 60
_USABLE_S = 3
_OPEN = re.compile(r"[Ee]sc to (cancel|close)|esc back|enter select")
_KEY_PAUSE_S = 0.15
_LINE_PAUSE_S = 0.5
MARK = "TMA_AGENTS_BENCH_HOME"
"""In the environment of everything that an agent starts, so that what it leaves behind is found again."""

_CLEAN = 'exec env -i TMUX="$TMUX" TMUX_PANE="$TMUX_PANE" "$@"'


@dataclass
class Account:
    """A home and a directory to work in, with what keeps an agent from asking things and from the network."""

    agent: Agent
    home: Path
    work: Path
    port: int

    def settle(self) -> None:
        """Write the agent's files, and make the directory a repository."""
        self.work.mkdir(parents=True)
        name = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"]
        for words in (["init", "-q"], [*name, "commit", "-q", "--allow-empty", "-m", "start"]):
            subprocess.run(["git", *words], cwd=self.work, check=False, capture_output=True)
        for file_name, text in self.agent.files.items():
            file = self.home / file_name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(filled(text, self.values), encoding="utf-8")
        if self.agent.extra:
            shutil.copytree(extra(self.agent), self.home / self.agent.extra_place, dirs_exist_ok=True, symlinks=True)

    @property
    def values(self) -> dict[str, str]:
        """What the places of the definitions mean here."""
        here = {"HOME": str(self.home), "WORK": str(self.work), "PORT": str(self.port)}
        return here | {"KEY": KEY, "KEYEND": KEY[-20:], "VERSION": self.agent.version} | self.agent.defines

    @property
    def environment(self) -> dict[str, str]:
        """Everything that the agent's environment holds; a proxy that leads nowhere guards the network."""
        nowhere = dict.fromkeys(("HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"), "http://127.0.0.1:9")
        direct = dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost")
        path = [*map(str, programs(self.agent)), str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin"]
        plain = {
            "HOME": str(self.home),
            "PATH": ":".join(path),
            "LANG": "C.UTF-8",
            "TERM": "tmux-256color",
            "PS1": "$ ",
        }
        own = {name: filled(value, self.values) for name, value in self.agent.env.items()}
        return plain | nowhere | direct | own

    def end_daemons(self) -> None:
        """End what agents of this account started and left running."""
        mark = f"{MARK}={self.home}".encode()
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and mark in (entry / "environ").read_bytes().split(b"\0"):
                    os.kill(int(entry.name), signal.SIGKILL)
            except OSError:
                continue

    @property
    def for_tma(self) -> dict[str, str]:
        """What a tma command needs to see the same files as the agent's hooks."""
        return {"HOME": str(self.home), "XDG_CONFIG_HOME": str(self.home / ".config"), "PATH": self.environment["PATH"]}


class AgentPane:
    """One running agent."""

    def __init__(self, server: TmuxServer, account: Account, size: tuple[int, int]) -> None:
        """Open a window with a shell, start the agent in it, and wait until a line can be typed."""
        self.server, self.account = server, account
        given = [f"{name}={value}" for name, value in account.environment.items()]
        shell = ["sh", "-c", _CLEAN, "sh", *given, "bash", "--norc"]
        self.id = server("new-window", "-d", "-P", "-F", "#{pane_id}", "-c", str(account.work), *shell)
        self.resize(*size)
        until(lambda: "$" in self.screen(), what="a shell")
        places = {**account.values, "FREE": str(_free_port())}
        self.line(filled(" ".join(account.agent.command), places))
        self._pass_first_dialogs()
        self.ready_ms = now_ms()

    def _pass_first_dialogs(self) -> None:
        """Answer what a first start asks, until the composer stands."""
        end = time.monotonic() + START_S
        while not self.is_ready():
            screen = self.screen()
            for pattern, key in self.account.agent.first:
                if re.search(pattern, screen):
                    self.keys(key)
                    time.sleep(1)
            if time.monotonic() > end:
                message = f"{self.account.agent.title} did not start within {START_S} s; its screen:\n{screen}"
                raise AssertionError(message)
            time.sleep(0.1)
        time.sleep(self.account.agent.settle_s)

    def screen(self) -> str:
        """The visible text."""
        return self.server.screen(self.id)

    def is_ready(self) -> bool:
        """Whether the composer stands, as far as the definitions can tell."""
        return re.search(self.account.agent.ready, self.screen()) is not None

    def is_usable(self) -> bool:
        """Whether the next scenario may go on here: soon an empty composer and nothing else."""
        end = time.monotonic() + _USABLE_S
        while time.monotonic() < end:
            if self.is_ready() and not _OPEN.search(self.screen()):
                return True
            time.sleep(0.2)
        return False

    def keys(self, *names: str) -> None:
        """Press keys, one after another as a person does."""
        for name in names:
            self.server("send-keys", "-t", self.id, name)
            time.sleep(_KEY_PAUSE_S)

    def text(self, text: str) -> None:
        """Type a text."""
        self.server("send-keys", "-l", "-t", self.id, text)

    def line(self, text: str) -> None:
        """Type a line; agents take text and Enter at once for a paste."""
        self.text(text)
        time.sleep(_LINE_PAUSE_S)
        self.keys("Enter")

    def resize(self, columns: int, rows: int) -> None:
        """Give the window another size."""
        self.server("resize-window", "-t", self.id, "-x", str(columns), "-y", str(rows))

    @property
    def processes(self) -> list[int]:
        """The agent's processes: all below the pane's shell."""
        return pid_of(int(self.server.show(self.id, "#{pane_pid}")))[1:]

    def kill(self) -> None:
        """End the agent as a crash does."""
        for pid in reversed(self.processes):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue

    def close(self) -> None:
        """End the agent and its window."""
        self.kill()
        self.server("kill-window", "-t", self.id)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
