"""A tmux server for the benchmark: panes, some of them agents whose screens change when told, and other processes."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from actor import Actor
from harness import ROOT, TmuxServer, private_server, tmux_binaries, until

AGENT_SHARE = 5
"""One pane in so many is an agent."""

CHANGED = 5
"""Agents whose screens change before a cycle that is to look at them."""

_PANES_A_CALL = 40
_AGENT = r"""
import itertools, signal, sys
rule = "─" * 60
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
for turn in itertools.count():
    busy = "✻ Pondering… (5s · ↑ 1.2k tokens · esc to interrupt)\n" if turn % 2 else ""
    print(f"\033[2J\033[Hturn {turn}\n{busy}{rule}\n❯ \n{rule}\n  ? for shortcuts", flush=True)
    signal.sigwait({signal.SIGUSR1})
"""


class Fleet:
    """A server with panes, a worker in one of them, and the program as it is installed."""

    def __init__(self, server: TmuxServer, panes: int, processes: int) -> None:
        """Fill the server and wait until every agent has drawn its screen."""
        self.server = server
        self.turn = 0
        server.start("sleep", "86400")
        self.bin = self._installed()
        self.agents = self._filled(panes)
        self.ballast = [subprocess.Popen(["/bin/sleep", "86400"]) for _ in range(processes)]
        self.pane = self._worker()

    def _installed(self) -> Path:
        """The two scripts as an installation has them: the interpreter by its path, the package beside them."""
        place = self.server.home / "installed"
        (place / "bin").mkdir(parents=True)
        (place / "src").symlink_to(ROOT / "src")
        for name in ("tma", "tma-hook"):
            text = (ROOT / "bin" / name).read_text(encoding="utf-8")
            text = text.replace("#!/usr/bin/env python3", f"#!{os.path.realpath(sys.executable)}")
            (place / "bin" / name).write_text(text, encoding="utf-8")
            (place / "bin" / name).chmod(0o755)
        return place / "bin"

    def _filled(self, panes: int) -> list[str]:
        program = self.server.home / "claude"
        program.write_text(_AGENT, encoding="utf-8")
        agent, other = [sys.executable, "-I", "-S", str(program)], ["sleep", "86400"]
        kinds = [other if at % AGENT_SHARE else agent for at in range(panes - 2)]
        found: list[str] = []
        for start in range(0, len(kinds), _PANES_A_CALL):
            words: list[str] = []
            for kind in kinds[start : start + _PANES_A_CALL]:
                words += ["new-window", "-d", "-P", "-F", "#{pane_id}", *kind, ";"]
            found += self.server(*words[:-1]).splitlines()
        agents = [pane for pane, kind in zip(found, kinds, strict=True) if kind is agent]
        until(lambda: all("❯" in self.server.screen(pane) for pane in agents), what="the agents' screens")
        return agents

    def _worker(self) -> str:
        home = self.server.home
        requests, answers = home / "requests", home / "answers"
        os.mkfifo(requests)
        os.mkfifo(answers)
        script = Path(__file__).with_name("worker.py")
        environment = [f"-e{name}={value}" for name, value in self.server.environment.items()]
        command = [sys.executable, str(script), str(requests), str(answers), str(self.server.pid)]
        pane = self.server("new-window", "-d", "-P", "-F", "#{pane_id}", *environment, *command)
        self._requests = requests.open("w", buffering=1)
        self._answers = answers.open()
        return pane

    def cost(self, argv: list[str], *, env: dict[str, str] | None = None, text: str = "") -> list[float]:
        """Run a program in the worker's pane: wall, processor and server ms."""
        inside = {"TMUX": f"{self.server.socket},{self.server.pid},0", "TMUX_PANE": self.pane}
        print(json.dumps([argv, self.server.environment | inside if env is None else env, text]), file=self._requests)
        *spent, code = json.loads(self._answers.readline())
        if code:
            message = f"{' '.join(argv)} ended with {code:.0f}"
            raise SystemExit(message)
        return spent

    def change(self) -> None:
        """Let a few agents draw another screen, and wait for it."""
        self.turn += 1
        chosen = self.agents[:CHANGED]
        for pane in chosen:
            os.kill(int(self.server.show(pane, "#{pane_pid}")), signal.SIGUSR1)
        until(lambda: all(f"turn {self.turn}\n" in self.server.screen(pane) for pane in chosen), what="another screen")

    def asking(self) -> Actor:
        """One more agent, which asks for a permission when told to."""
        return Actor(self.server)

    def close(self) -> None:
        """End what stands beside the server."""
        self._requests.close()
        for process in self.ballast:
            process.kill()
            process.wait()


@contextmanager
def fleet(panes: int, processes: int) -> Iterator[Fleet]:
    """A fleet on a server of its own."""
    with private_server(shutil.which("tmux") or tmux_binaries()[0]) as server:
        made = Fleet(server, panes, processes)
        try:
            yield made
        finally:
            made.close()
