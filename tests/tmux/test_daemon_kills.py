"""A daemon that is killed again and again: each state rings at most once, and nothing is left behind."""

import signal

from daemons import Daemon, file_of, is_gone
from harness import TmuxServer, until
from ringing import configure, notices, run
from standin import StandIn, manifests

ROUNDS = 20


def test_no_state_rings_twice_under_kills(server: TmuxServer) -> None:
    """DMN-2, section 15 (7): a kill loses one notice at most, and none is doubled; no state is lost."""
    prompts, kills, told = run(server, ROUNDS, seed=7)
    assert prompts - kills <= told <= prompts
    assert kills
    assert not file_of(server, "sock").exists()


def test_a_restart_does_not_ring_again(server: TmuxServer) -> None:
    """Section 15 (7): what stood rings once, whoever is killed."""
    configure(server)
    server.start()
    robot = StandIn(server)
    server.tma("--manifest-dir", manifests(server), "event", "--agent", "robot", "--kind", "Ask", pane=robot.pane)
    for _ in range(3):
        running = Daemon(server, sweep_ms=100).ready()
        until(lambda: running.count("sweeps") >= 2, what="sweeps")  # noqa: B023  # used at once
        until(lambda: len(notices(server)) == 1, what="one notice")
        running.end(signal.SIGKILL)
        assert is_gone(running.pid)
    assert len(notices(server)) == 1
