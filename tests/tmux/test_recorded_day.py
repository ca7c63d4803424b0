"""A recorded day, replayed in fast-forward on a real server, and every change that a stream tells of it."""

import json
import os
import select
import signal
import subprocess
import sys
from typing import Any

from captures import read
from harness import DEADLINE_S, ROOT, TmuxServer, until
from standin import Counter, stand_in

DAYS = ROOT / "tests" / "golden" / "days"
SCREENS = ROOT / "tests" / "golden" / "screens"
PLAYER = r"""stty -echo
show() { text=$(cat "$1"; echo .); printf '\033[2J\033[H%s' "${text%.}"; }
if [ "$2" ]; then
    show "$1"
    exec "$2" "$0" "$1"
fi
while IFS= read -r said; do show "$1"; done
"""
"""Shows the first screen before it becomes the agent, so that no look finds an agent without one."""


class Actor:
    """One agent of a recording, in one pane."""

    def __init__(self, server: TmuxServer, name: str, agent: str, process: str) -> None:
        self.server = server
        self.agent = agent
        self.pane = ""
        self._process = process
        self._file = server.home / f"screen-{name}"

    def start(self, screen: str) -> None:
        """Begin to run, with the first screen drawn already."""
        script = self.server.home / "player.sh"
        script.write_text(PLAYER)
        self._draw(screen)
        program = str(stand_in(self.server.home, self._process))
        self.pane = self.server.pane("/bin/sh", str(script), str(self._file), program)
        until(lambda: self.server.show(self.pane, "#{pane_current_command}") == self._process, what="the agent")
        self._titled(screen)

    def show(self, screen: str) -> None:
        """Draw another screen."""
        self._draw(screen)
        before = self.server.screen(self.pane)
        self.server("send-keys", "-t", self.pane, "show", "Enter")
        until(lambda: self.server.screen(self.pane) != before, what=screen)
        self._titled(screen)

    def report(self, kind: str, payload: object) -> None:
        """Run the hook that the agent ran."""
        words = ["event", "--agent", self.agent, "--kind", kind, "--payload", "-"]
        env = {"TMA_TRUST_PANE": "1"}
        done = self.server.tma(*words, stdin=json.dumps(payload), pane=self.pane, env=env)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

    def _draw(self, screen: str) -> None:
        self._file.write_text("\n".join(read(SCREENS / f"{screen}.txt").lines))

    def _titled(self, screen: str) -> None:
        self.server("select-pane", "-t", self.pane, "-T", read(SCREENS / f"{screen}.txt").title)


def play(actor: Actor, step: dict[str, Any]) -> None:
    """Do what one line of a recording says."""
    if "starts" in step:
        actor.start(step["screen"])
    elif "screen" in step:
        actor.show(step["screen"])
    elif "event" in step:
        actor.report(step["event"], step["payload"])
    elif "looks" in step:
        actor.server.tma("clear-attention", actor.pane)
    else:
        os.kill(int(actor.server.show(actor.pane, "#{pane_pid}")), signal.SIGKILL)


def told(process: subprocess.Popen[bytes], names: dict[str, str]) -> list[Any]:
    """The next edge: who, before, after, and the detail; a silent stream fails the test."""
    assert process.stdout is not None
    text = b""
    while not text.endswith(b"\n"):
        assert select.select([process.stdout], [], [], DEADLINE_S)[0], f"no line came behind {text!r}"
        text += os.read(process.stdout.fileno(), 1)
    edge = json.loads(text)
    return [names[edge["pane"]], edge["from"], edge["to"], edge["detail"]]


def test_a_recorded_day_makes_the_edges_that_it_is_to_make(server: TmuxServer) -> None:
    """EDG-1 to EDG-5, SUB-4: hooks, screens and a person, four agents at once; no edge more, none less."""
    server.start("cat", width=100, height=40)
    head, *lines = map(json.loads, (DAYS / "four-agents.jsonl").read_text(encoding="utf-8").splitlines())
    actors = {name: Actor(server, name, agent, head["processes"][name]) for name, agent in head["agents"].items()}
    began = next(at for at, line in enumerate(lines) if "edges" in line)
    for line in lines[:began]:
        play(actors[line["who"]], line)
    argv = [sys.executable, "-m", "tma", "subscribe", "--json", "--events"]
    clients = Counter(server)
    with subprocess.Popen(argv, env=server.environment | clients.env, stdout=subprocess.PIPE) as process:
        try:
            until(
                lambda: clients.log.exists() and clients.log.read_text().count("list-panes") > 1, what="a second look"
            )
            for line in lines[began:]:
                if "edges" not in line:
                    play(actors[line["who"]], line)
                    continue
                names = {actor.pane: name for name, actor in actors.items()}
                found = [told(process, names) for _ in line["edges"]]
                assert sorted(found, key=str) == sorted(line["edges"], key=str), line["at"]
            server("kill-server")
            assert process.stdout is not None
            assert (process.wait(timeout=DEADLINE_S), process.stdout.read()) == (1, b"")
        finally:
            process.kill()
