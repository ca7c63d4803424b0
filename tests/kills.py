"""An agent that is killed while it is fired at, and a shell below it that logs every byte it gets from then on."""

import os
import random
import signal
import threading
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from actor import IDLE, PERMISSION, PROGRAM, named_python
from harness import TmuxServer, until
from race import keep_stamps_fresh, world_of
from tma.core.act.gate import Binders
from tma.services import actions
from tma.services.acting import Request
from tma.services.broker import Broker
from tma.services.stop import Stop

MARK = "~"
FIRES = {
    "approve": (PERMISSION, "blocked", "permission", 0.06),
    "deny": (PERMISSION, "blocked", "permission", 0.06),
    "steer": (IDLE, "idle", "", 0.3),
}
"""Each action with the screen and state it wants, and about how long a fire takes at most, in seconds."""

_SHELL = r"""
import os, signal, sys, termios, tty
agent, program, home = sys.argv[1:4]
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
log = open(home + "/shell.log", "w", buffering=1)
number = 0
while True:
    number += 1
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execv(agent, [agent, "-I", "-S", program, home + "/screen", home + f"/heard-{number}"])
    os.waitpid(pid, 0)
    os.tcsetpgrp(0, os.getpgrp())
    tty.setraw(0, termios.TCSANOW)
    got = b""
    while b"~" not in got:
        got += os.read(0, 4096)
    log.write(got.hex() + "\n")
"""


class Report(NamedTuple):
    """Outcomes by name, and the rounds in which the shell got a byte.

    ``wrong`` are those in which keys left the server after the agent was dead. ``unread`` are those
    in which they left it before, and the agent was killed without having read them: what the
    terminal holds then goes to whoever reads it next, and nobody can take it back.
    """

    outcomes: Counter[str]
    wrong: list[str]
    unread: list[str]


def kill_while_firing(server: TmuxServer, rounds: int, *, seed: int = 1) -> Report:
    """Fire approve, deny and steer in turn at a fresh agent, and kill it at a random moment of each fire."""
    home = server.home / "kills"
    home.mkdir()
    (home / "agent.py").write_text(PROGRAM)
    (home / "shell.py").write_text(_SHELL)
    (home / "screen").write_text(PERMISSION)
    keep_stamps_fresh(server)
    shell = named_python(server.home, "bash")
    words = [
        str(shell),
        "-I",
        "-S",
        str(home / "shell.py"),
        str(named_python(server.home, "claude")),
        str(home / "agent.py"),
        str(home),
    ]
    pane = server.pane(*words)
    chance = random.Random(seed)
    outcomes: Counter[str] = Counter()
    wrong, unread = [], []
    server("set-hook", "-g", "after-send-keys", "set-option -gaF @sends '#{?@killed,late,early} '")
    with world_of(server.environment) as world:
        known = actions.load(server.environment)
        for number in range(1, rounds + 1):
            name = chance.choice(list(FIRES))
            screen, state, detail, longest = FIRES[name]
            (home / "screen").write_text(screen)
            pid = _ready_agent(server, pane, home, number, screen)
            _stamp(server, pane, pid, state, detail)
            action = known.named(name)
            assert action is not None
            request = Request(action, binders=Binders(), source="cli")
            request.text = "make it so" if name == "steer" else None
            server("set-option", "-gqu", "@sends", ";", "set-option", "-gqu", "@killed")
            killer = threading.Timer(chance.uniform(0, longest), _kill, [server, pid])
            killer.start()
            with Stop() as stop:
                result = Broker(world, request.order(pane), stop).fire()
            killer.join()
            outcomes[f"{name} {result.reason or result.outcome}"] += 1
            sends = server("display-message", "-p", "#{@sends}")
            server("send-keys", "-t", pane, "-l", MARK)
            got = until(lambda number=number: _line(home / "shell.log", number), what="the shell's log")
            heard = f"shell {bytes.fromhex(got)!r}, agent {_heard(home, number)!r}"
            story = f"{name} {result.reason or result.outcome}: sends {sends}, {heard}"
            if "late" in sends:
                wrong.append(story)
            elif got != MARK.encode().hex():
                (unread if sends else wrong).append(story)
    return Report(outcomes, wrong, unread)


def _ready_agent(server: TmuxServer, pane: str, home: Path, number: int, screen: str) -> int:
    last = screen.rstrip("\n").rpartition("\n")[2].strip()
    until((home / f"heard-{number}").exists, what="an agent that listens")
    until(lambda: last in server.screen(pane), what="its screen")
    root = int(server.show(pane, "#{pane_pid}"))
    return int(Path(f"/proc/{root}/task/{root}/children").read_text().split()[0])


def _stamp(server: TmuxServer, pane: str, pid: int, state: str, detail: str) -> None:
    now = time.time_ns() // 1_000_000
    values = {
        "name": "claude",
        "pid": pid,
        "state": state,
        "detail": detail,
        "source": "hook",
        "evidence_at": now,
        "since": now,
        "stamped_at": now,
    }
    words = [
        word
        for key, value in values.items()
        for word in ("set-option", "-p", "-t", pane, f"@agent_{key}", str(value), ";")
    ]
    server(*words[:-1])


def _kill(server: TmuxServer, pid: int) -> None:
    """Kill the agent, and tell the server once it is dead: a signal takes its time on a busy machine."""
    os.kill(pid, signal.SIGKILL)
    until(lambda: _is_dead(pid), what="the agent's end")
    server("set-option", "-g", "@killed", "1")


def _is_dead(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in {"Z", "X"}
    except OSError:
        return True


def _line(log: Path, number: int) -> str:
    lines = log.read_text().split("\n") if log.exists() else []
    return lines[number - 1] if len(lines) > number else ""


def _heard(home: Path, number: int) -> bytes:
    lines = (home / f"heard-{number}").read_text().splitlines()
    return b"".join(bytes.fromhex(line.split(" ")[1]) for line in lines)
