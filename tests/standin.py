"""A stand-in agent: a program of any name that shows the screens a test writes, and hears what is typed."""

import shutil
from pathlib import Path

from harness import TmuxServer, until

MANIFEST = """
min_engine_version = "0.6"
[identity]
process_names = ["robot"]
[hooks]
covers = ["working", "idle", "blocked", "lifecycle"]
[[hooks.map]]
event = "Start"
claim = { lifecycle = "start" }
[[hooks.map]]
event = "End"
claim = { lifecycle = "end" }
[[hooks.map]]
event = "Work"
claim = { state = "working" }
[[hooks.map]]
event = "Ask"
claim = { state = "blocked", detail = "permission" }
[[hooks.map]]
event = "Stop"
claim = { state = "idle" }
turn_end = true
[capture]
visible = ["working", "idle", "blocked"]
exclusive = true
[[rules]]
state = "blocked"
detail = "permission"
priority = 100
region = "bottom_non_empty_lines(1)"
match = { contains = "ALLOW?" }
[[rules]]
state = "unknown"
priority = 90
region = "bottom_non_empty_lines(1)"
skip_state_update = true
match = { contains = "MENU" }
[[rules]]
state = "working"
priority = 60
region = "bottom_non_empty_lines(1)"
match = { contains = "BUSY" }
[[rules]]
state = "idle"
priority = 40
region = "bottom_non_empty_lines(1)"
match = { contains = "READY" }
"""

SCRIPT = r"""stty -echo
show() { printf '\033[2J\033[H'; while IFS= read -r line || [ -n "$line" ]; do printf '%s\n' "$line"; done < "$1"; }
while :; do
  [ -f "$1" ] && show "$1"
  IFS= read -r said || exit 0
  case $said in quit) exit 0 ;; show) ;; *) printf 'heard %s\n' "$said" ;; esac
done
"""


class StandIn:
    """One agent in one pane; its screen is a file."""

    def __init__(self, server: TmuxServer, name: str = "robot", *, screen: str = "READY") -> None:
        """Start it in a window of its own."""
        self.server = server
        program = stand_in(server.home, name)
        script = server.home / "standin.sh"
        script.write_text(SCRIPT)
        self.file = server.home / f"screen-{len(list(server.home.glob('screen-*')))}"
        self.file.write_text(screen)
        self.pane = server.pane(str(program), str(script), str(self.file))
        self._wait(screen)

    @property
    def pid(self) -> int:
        """Its process, which is the pane's own."""
        return int(self.server.show(self.pane, "#{pane_pid}"))

    def show(self, screen: str) -> None:
        """Draw another screen."""
        self.file.write_text(screen)
        self.server("send-keys", "-t", self.pane, "show", "Enter")
        self._wait(screen)

    def _wait(self, screen: str) -> None:
        last = screen.rstrip("\n").rpartition("\n")[2]
        until(lambda: last in self.server.screen(self.pane), what=f"{last!r} on the screen")


def stand_in(home: Path, name: str) -> Path:
    """A shell under another name: the kernel and tmux call it by that name."""
    program = home / "bin" / name
    if not program.exists():
        program.parent.mkdir(exist_ok=True)
        shutil.copy("/bin/sh", program)
    return program


def manifests(server: TmuxServer) -> str:
    """A directory that holds the stand-in's manifest alone."""
    directory = server.home / "manifests"
    file = directory / "robot.toml"
    if not file.exists():
        directory.mkdir()
        file.write_text(MANIFEST)
    return str(directory)


class Counter:
    """A tmux that notes every client that is started, to count them."""

    def __init__(self, server: TmuxServer) -> None:
        """Put the noting program in the server's home."""
        self.log = server.home / "clients.log"
        self.program = server.home / "counted-tmux"
        self.program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$*" >> "{self.log}"\nexec "{server.binary}" "$@"\n')
        self.program.chmod(0o755)

    @property
    def env(self) -> dict[str, str]:
        """What makes a command use it."""
        return {"TMA_TMUX_BIN": str(self.program)}

    def taken(self) -> int:
        """How many clients were started since the last question."""
        count = len(self.log.read_text().splitlines()) if self.log.exists() else 0
        self.log.unlink(missing_ok=True)
        return count
