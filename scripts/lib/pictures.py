"""Draw what a person sees of the demo's fleet; scripts/pictures starts it in an environment of its own.

The agents' stories stand still where the pictures want them, and the ages are whole minutes, so
that two runs show the same.
"""

import json
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import svg

from harness import TmuxServer, tmux_binaries, until
from person import Person, at_desk
from tma.adapters import system
from tma.services.demo import DATA, Demo
from tma.view import ansi

ROOT = Path(__file__).resolve().parent.parent.parent
WIDTH, HEIGHT = 104, 31
_STILL = {
    "claude": ((r"seconds = 30\n", ""), (r"seconds = [35]\n", "seconds = 0.2\n")),
    "codex": ((r"seconds = [24]\n", "seconds = 0.2\n"),),
    "pi": ((r'spin = ".*"', 'spin = "⠹"'), (r"gauge = .*", "gauge = [42, 42]")),
    "plan": (),
}
"""How each story is changed, so that it soon comes to where it stays."""

_SETTLED = {"claude": "blocked(permission)", "plan": "blocked(plan)", "pi": "working", "codex": "done"}
_MINUTES = {"claude": 2, "plan": 14, "pi": 3, "codex": 7}
_SETTLE_S = 5
"""Keeps an age of whole minutes from being one less or more while the pictures are taken."""

_STILL_S = 0.6
_CHANGING = (
    (re.escape(system.env("HOME")), "~"),
    (re.escape(str(ROOT)), "~/tma"),
    (r"[0-9a-f]{16}\.sock", "0123456789abcdef.sock"),
    (r"[0-9.]+s ago", "0.8s ago"),
)
_PATIENCE_S = 60.0
_PROMPT = "$ "

Shot = Callable[[Person], None]


class Studio:
    """The demo with its stories standing still, and a directory for pictures."""

    def __init__(self, demo: Demo, home: Path, directory: Path) -> None:
        """Wait until every agent of a running demo is where it is to stay."""
        self._directory = directory
        self._demo = demo
        self.server = TmuxServer(tmux_binaries()[0], home)
        self.server.socket = Path(demo.socket)
        # tmux gives a new pane the PATH of the client that asks for it, whatever -e says.
        self._path = f"PATH={Path(demo.socket).parent / 'bin'}:$PATH PS1='{_PROMPT}'; export PATH PS1; "
        panes = self.server("list-panes", "-a", "-F", "#{window_name} #{pane_id} #{pane_index}").splitlines()
        self.panes = {name: pane for name, pane, place in map(str.split, panes) if place == "0"}
        self._settle()
        for story, minutes in _MINUTES.items():
            since = (int(time.time()) - 60 * minutes - _SETTLE_S) * 1000
            self.server("set-option", "-p", "-t", self.panes[story], "@agent_since", str(since))

    def take(self, name: str, title: str, shoot: Shot, *, size: tuple[int, int] = (WIDTH, HEIGHT)) -> None:
        """Show the demo on a terminal, do what leads to the picture, and keep it."""
        with self._visitor(size) as someone:
            shoot(someone)
            lines = ansi.styled(_steady(_calm(someone)).split("\n"))
        self.server("kill-window", "-a", "-t", "=shop:0")
        text = svg.picture(lines, size[0], len(lines), title)
        (self._directory / f"{name}.svg").write_text(text, encoding="utf-8")

    def says(self, *commands: str) -> Shot:
        """Type commands in the shell below the first agent."""

        def shoot(someone: Person) -> None:
            self.server("respawn-pane", "-k", "-t", "=shop:0.1", f"{self._path}exec sh")
            self.server("clear-history", "-t", "=shop:0.1")
            until(lambda: self.server.screen("=shop:0.1").startswith(_PROMPT.strip()), what="a prompt")
            for command in commands:
                self.server("send-keys", "-t", "=shop:0.1", "-l", command)
                self.server("send-keys", "-t", "=shop:0.1", "Enter")
                until(lambda: self.server.screen("=shop:0.1").rstrip().endswith(f"\n{_PROMPT.strip()}"), what=command)
            someone.sees(commands[-1])

        return shoot

    def fills(self, command: str, *expected: str) -> Shot:
        """Run a program in a window of its own."""

        def shoot(someone: Person) -> None:
            work = self.server.show(self.panes["claude"], "#{pane_current_path}")
            self.server("new-window", "-t", "=shop:", "-n", "tma", "-c", work, self._path + command)
            someone.sees(*expected)

        return shoot

    def opens(self, command: str, *expected: str) -> Shot:
        """Let the client run a tmux command, and wait for what it shows."""

        def shoot(someone: Person) -> None:
            client = self.server("list-clients", "-F", "#{client_name}")
            self.server("run-shell", "-b", "-C", command.replace("CLIENT", client))
            someone.sees(*expected)

        return shoot

    def _settle(self) -> None:
        """Look until every agent is where its story stays."""
        found: dict[str, str] = {}

        def settled() -> bool:
            rows = {row["pane"]: row for row in json.loads(self.server.tma("ls", "--json").stdout)["agents"]}
            found.update({story: _state(rows.get(pane, {})) for story, pane in self.panes.items()})
            return found == _SETTLED

        try:
            until(settled, seconds=_PATIENCE_S)
        except AssertionError:
            sys.exit(f"The agents did not come to rest; the last was {found}")

    @contextmanager
    def _visitor(self, size: tuple[int, int]) -> Iterator[Person]:
        width, height = size
        with at_desk(self.server, self._demo.attach_words(), width=width, height=height) as someone:
            until(lambda: self.server("list-clients"), what="an attached client")
            yield someone


def _stories(directory: Path) -> Path:
    """The demo's files with stories that stand still."""
    shutil.copytree(DATA, directory)
    for story, changes in _STILL.items():
        file = directory / f"{story}.toml"
        text = file.read_text(encoding="utf-8")
        for pattern, replacement in changes:
            text = re.sub(pattern, replacement, text)
        file.write_text(text, encoding="utf-8")
    return directory


def _state(row: dict[str, object]) -> str:
    if row.get("done"):
        return "done"
    return f"{row['state']}({row['detail']})" if row.get("detail") else str(row.get("state"))


def _calm(someone: Person) -> str:
    """The screen with its styles, once it has stood still for longer than an agent takes to redraw it."""
    seen: list[str] = []

    def still() -> bool:
        time.sleep(_STILL_S)
        seen.append(someone.desk("capture-pane", "-p", "-e", "-N", "-t", someone.pane))
        return seen[-2:-1] == seen[-1:]

    until(still, what="a screen that stands still")
    return seen[-1]


def _steady(screen: str) -> str:
    """The screen without what differs from run to run: where it ran, and for how long."""
    for pattern, replacement in _CHANGING:
        screen = re.sub(pattern, replacement, screen)
    return screen


def _draw(studio: Studio) -> None:
    studio.take(
        "fleet",
        "An agent's permission dialog in tmux; below it tma ls lists four agents, and the status line counts them.",
        studio.says("tma ls | cut -f1-4,6,7"),
    )
    studio.take(
        "picker",
        "The picker in a popup: a list of four agents and the screen of the selected one.",
        studio.opens("display-popup -c CLIENT -E -w 80% -h 60% tma", "agents (4)", "ctrl+g"),
    )
    studio.take(
        "watch",
        "The dashboard: agents by repository and the screen of the selected one.",
        studio.fills("tma watch", "agents (4)", "ready to execute"),
    )
    studio.take(
        "watch-table",
        "The dashboard as a table: agent, state, context, age, place, branch and title of each.",
        studio.fills("tma watch --table", "blocked(permission)", "q=quit"),
        size=(WIDTH, 14),
    )
    studio.take(
        "act-menu",
        "A menu over an agent's permission dialog: approve, deny, interrupt.",
        studio.opens("run-shell -b 'tma act --menu --pane %0 --client CLIENT'", "tma actions"),
    )
    studio.take(
        "jump-menu",
        "A menu of four agents with their states, places and ages.",
        studio.opens("run-shell -b 'tma jump --menu --client CLIENT'", "tma jump"),
    )
    studio.take(
        "doctor",
        "The report of tma doctor: the server, the hooks, and each agent's pane with what is missing.",
        studio.fills("tma doctor; exec cat", "panes (4)"),
        size=(WIDTH, 32),
    )


def main() -> None:
    """Draw every picture."""
    home = Path(system.env("HOME"))
    demo = Demo(system.environment(), data=_stories(home / "stories"))
    demo.start(1.0)
    try:
        _draw(Studio(demo, home, Path(sys.argv[1]).resolve()))
    finally:
        demo.stop()


if __name__ == "__main__":
    main()
