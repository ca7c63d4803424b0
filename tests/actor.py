"""A pretended agent for acting: a raw-mode program of any name that draws what a test says and logs what it reads."""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from harness import TmuxServer, until

PERMISSION = "\n Bash command\n\n   make test\n\n Proceed?\n ❯ 1. Yes\n   2. No\n\n Esc to cancel · Tab to amend\n"
PLAN = "\n Ready to code?\n\n ❯ 1. Yes, and use auto mode\n   2. Yes, manually approve edits\n   3. No, keep planning\n"
QUESTION = "\n ☐ Target\n Where to?\n❯ 1. Staging\n  2. Sandbox\n\nEnter to select · ↑/↓ to navigate · Esc to cancel\n"
TRUST = "\n Do you trust this?\n\n ❯ 1. Yes, I trust this folder\n   2. No, exit\n\n Enter to confirm · Esc to cancel\n"
IDLE = "\n done.\n──────────────\n❯\u00a0\n──────────────\n  ? for shortcuts\n"
DRAFT = "\n done.\n──────────────\n❯\u00a0please rename the\n──────────────\n"
WORKING = "\n✻ Brewing… (8s · ↓ 29 tokens)\n──────────────\n❯\u00a0\n──────────────\n"

PROGRAM = r"""
import os, select, sys, termios, time, tty
screen, log = sys.argv[1:3]
attributes = termios.tcgetattr(0)
tty.setraw(0)
attributes = termios.tcgetattr(0)
attributes[1] |= termios.OPOST | termios.ONLCR
termios.tcsetattr(0, termios.TCSANOW, attributes)
heard = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
shown = None
while True:
    try:
        with open(screen) as file:
            text = file.read()
    except OSError:
        sys.exit(0)
    if text != shown:
        shown = text
        os.write(1, b"\x1b[2J\x1b[H" + text.encode())
    if select.select([0], [], [], 0.01)[0]:
        data = os.read(0, 65536)
        if not data:
            sys.exit(0)
        os.write(heard, b"%d %s\n" % (time.time_ns() // 1000000, data.hex().encode()))
"""


class Actor:
    """One agent in one pane. What it shows is a file, what it hears another."""

    def __init__(
        self, server: TmuxServer, name: str = "claude", *, screen: str = PERMISSION, below_shell: bool = False
    ) -> None:
        """Start it, as the pane's own process or below a shell."""
        self.server = server
        self.name = name
        number = len(list(server.home.glob("actor-*.screen")))
        self.file = server.home / f"actor-{number}.screen"
        self.log = server.home / f"actor-{number}.heard"
        self.file.write_text(screen)
        words = [
            str(named_python(server.home, name)),
            "-I",
            "-S",
            str(_program(server.home)),
            str(self.file),
            str(self.log),
        ]
        if below_shell:
            self.pane = server.pane("bash", "--norc", "--noprofile", "-i")
            server("send-keys", "-t", self.pane, "-l", " ".join(words))
            server("send-keys", "-t", self.pane, "Enter")
        else:
            self.pane = server.pane(*words)
        self._wait(screen)
        until(self.log.exists, what="an agent that listens")

    @property
    def pid(self) -> int:
        """The agent's own process."""
        root = int(self.server.show(self.pane, "#{pane_pid}"))
        children = Path(f"/proc/{root}/task/{root}/children").read_text().split()
        return int(children[0]) if children else root

    @property
    def heard(self) -> bytes:
        """Every byte that reached it."""
        return b"".join(data for _, data in self.reads)

    @property
    def reads(self) -> list[tuple[int, bytes]]:
        """What each read gave, with its instant in epoch ms."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [(int(at), bytes.fromhex(data)) for at, data in (line.split(" ") for line in lines)]

    def show(self, screen: str) -> None:
        """Draw another screen."""
        self.file.write_text(screen)
        self._wait(screen)

    def stamp(self, state: str, detail: str = "", **parts: object) -> int:
        """Store a fresh tuple as a hook would, and give its episode."""
        now = time.time_ns() // 1_000_000
        values = {
            "name": self.name,
            "pid": self.pid,
            "state": state,
            "detail": detail,
            "source": "hook",
            "evidence_at": now,
            "since": now,
            **parts,
            "stamped_at": parts.get("stamped_at", now),
        }
        for key, value in values.items():
            self.server("set-option", "-p", "-t", self.pane, f"@agent_{key}", str(value))
        return int(str(values["since"]))

    def block(self, **parts: object) -> int:
        """Store that a permission is asked for."""
        return self.stamp("blocked", "permission", **parts)

    def hears(self, data: bytes) -> None:
        """Wait until exactly these bytes have reached it."""
        until(lambda: len(self.heard) >= len(data), what=f"{data!r}; heard {self.heard!r}")
        assert self.heard == data

    def heard_nothing(self) -> bool:
        """Whether no byte reached it, after what is on its way had time to: a marker typed now comes alone."""
        before = self.heard
        self.server("send-keys", "-t", self.pane, "-l", "~mark~")
        until(lambda: b"~mark~" in self.heard, what="the marker")
        return self.heard == before + b"~mark~" and not before

    def _wait(self, screen: str) -> None:
        last = screen.rstrip("\n").rpartition("\n")[2].rstrip(" ")
        until(lambda: last in self.server.screen(self.pane), what=f"{last!r} on the screen")


def named_python(home: Path, name: str) -> Path:
    """The interpreter under another name: the kernel and tmux call it by that name."""
    program = home / "bin" / name
    if not program.exists():
        program.parent.mkdir(exist_ok=True)
        program.symlink_to(os.path.realpath(sys.executable))
    return program


def _program(home: Path) -> Path:
    script = home / "actor.py"
    if not script.exists():
        script.write_text(PROGRAM)
    return script


class Fired(NamedTuple):
    """What one ``tma act`` said: its exit code, outcome and reason, and its standard error."""

    code: int
    outcome: str
    reason: str | None
    err: str


def act(server: TmuxServer, *words: str, **options: Any) -> Fired:
    """Run ``tma act … --json`` and read its result."""
    done = server.tma("act", *words, "--json", **options)
    last = done.stdout.splitlines()[-1] if done.stdout else ""
    assert last, done.stderr
    result = json.loads(last)
    assert result["exit_code"] == done.returncode
    return Fired(done.returncode, result["outcome"], result["reason"], done.stderr)


def user_action(server: TmuxServer, name: str, text: str) -> Path:
    """Write an action of the user's."""
    directory = server.home / "config" / "tma" / "actions"
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{name}.toml"
    path.write_text(f'min_engine_version = "0.6"\nname = "{name}"\nlabel = "{name}"\n{text}')
    return path


def configure(server: TmuxServer, text: str) -> None:
    """Write the user's configuration."""
    path = server.home / "config" / "tma" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
