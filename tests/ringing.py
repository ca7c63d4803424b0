"""A daemon killed again and again while an agent asks and works: how many prompts there were, and how many notices."""

import random
import signal

from daemons import Daemon
from harness import TmuxServer
from standin import StandIn, manifests

_SHARE = 0.15
"""How often it is killed before an event, and after one."""


def configure(server: TmuxServer) -> None:
    """Every blocked pane is noted in a file."""
    path = server.home / "config" / "tma" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_text('[notify]\non = ["blocked"]\nlog = "~/notices"\n[daemon]\nquiet_ms = 50\n')


def notices(server: TmuxServer) -> list[str]:
    """The lines of that file."""
    try:
        return (server.home / "notices").read_text().splitlines()
    except FileNotFoundError:
        return []


def run(server: TmuxServer, rounds: int, seed: int) -> tuple[int, int, int]:
    """So many transitions on a server that is not started yet: prompts, kills, notices.

    Each transition must stand when its hook has ended, whatever the daemon does.
    """
    configure(server)
    server.start()
    chance = random.Random(seed)
    robot = StandIn(server)
    words = ("--manifest-dir", manifests(server), "event", "--agent", "robot", "--kind")
    running = Daemon(server).ready()
    prompts = kills = 0
    try:
        for number in range(rounds):
            kind, wanted = (("Work", "working"), ("Ask", "blocked"))[number % 2]
            prompts += kind == "Ask"
            before, after = chance.random() < _SHARE, chance.random() < _SHARE
            if before:
                running.process.send_signal(signal.SIGKILL)
            server.tma(*words, kind, pane=robot.pane)
            if after:
                running.process.send_signal(signal.SIGKILL)
            kills += before or after
            state = server.options(robot.pane)["@agent_state"]
            assert state == wanted, (number, state)
            if running.process.poll() is not None:
                running = Daemon(server).ready()
    finally:
        running.end()
    return prompts, kills, len(notices(server))
