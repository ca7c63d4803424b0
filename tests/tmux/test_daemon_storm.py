"""Control clients that come and go while everything else does, too: no tmux server dies of it."""

import os
import select
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from daemons import daemon, is_gone
from harness import DEADLINE_S, TmuxServer, until
from standin import StandIn
from tma.adapters.tmux.client import Server
from tma.services import tap

ATTACHES = 200
ROUNDS = 2000
STIR = (
    "new-session -d -s extra{0} cat \\; new-window -d -t two: -n extra{0} cat \\; set-buffer -b extra{0} x \\;"
    " rename-session -t extra{0} more{0} \\; kill-window -t two:extra{0} \\; delete-buffer -b extra{0} \\;"
    " kill-session -t more{0}"
)


@contextmanager
def storm(server: TmuxServer, scripts: int = 2) -> Iterator[None]:
    """Scripts that make and end sessions, windows and buffers without a pause."""
    tmux = f"{server.binary} -S {server.socket}"
    rounds = f"for round in $(seq {ROUNDS})"
    loops = [f"{rounds}; do {tmux} {STIR.format(number)}; done" for number in range(scripts)]
    quiet = subprocess.DEVNULL
    running = [
        subprocess.Popen(
            ["/bin/sh", "-c", loop], env=server.environment, stdout=quiet, stderr=quiet, start_new_session=True
        )
        for loop in loops
    ]
    try:
        yield
    finally:
        for each in running:
            os.killpg(each.pid, signal.SIGKILL)
            each.wait()


def heard(client: tap.Client, what: bytes) -> bool:
    """Read until a word comes; False if the end comes first."""
    data = b""
    while what not in data:
        assert select.select(client.watched, [], [], DEADLINE_S)[0], data
        try:
            piece = client.read(65536)
        except BlockingIOError:
            continue
        if not piece:
            return False
        data += piece
    return True


@pytest.fixture
def stormy(any_server: TmuxServer) -> TmuxServer:
    """A server with two sessions."""
    any_server.start()
    any_server("new-session", "-d", "-s", "two", "cat")
    return any_server


def connector(server: TmuxServer) -> tap.Connect:
    """The daemon's way into a session."""
    way = tap.connector(
        Server(("-S", str(server.socket)), server.binary), server.show("main:", "#{version}"), str(server.socket)
    )
    assert way is not None
    return way


def test_clients_that_attach_in_a_storm_do_not_end_the_server(stormy: TmuxServer) -> None:
    """DCC-4: without a wait for a quiet moment; each one attaches, and some leave before they have."""
    way = connector(stormy)
    with storm(stormy):
        for number in range(ATTACHES):
            client = way(f"${number % 2}")
            if number % 4 == 0:
                client.kill()
            else:
                assert heard(client, b"%session-changed")
                client.leave()
                assert not heard(client, b"nothing that is ever said")
            client.close()
            until(client.reaped, what="its end")
        assert not is_gone(stormy.pid)
    assert stormy.show("main:", "#{pid}") == str(stormy.pid)
    until(lambda: stormy("list-clients") == "", what="no client")


def test_a_daemon_in_a_storm_still_sees_a_prompt(stormy: TmuxServer) -> None:
    """DCC-4, DED-1: it attaches in the midst of it and goes on."""
    robot = StandIn(stormy)
    with storm(stormy, scripts=1), daemon(stormy) as running:
        robot.show("ALLOW?")
        until(lambda: stormy.options(robot.pane).get("@agent_state") == "blocked", what="the prompt")
        assert running.process.poll() is None
    assert stormy.show("main:", "#{pid}") == str(stormy.pid)


def test_what_a_session_remembers_of_its_user_stays(any_server: TmuxServer) -> None:
    """DCC-1: ``update-environment`` would put the daemon's own variables in their place, or none."""
    any_server.start()
    any_server("set-environment", "-t", "main", "SSH_AUTH_SOCK", "/the/users")
    before = any_server("show-environment", "-t", "main")
    StandIn(any_server)
    with daemon(any_server, env={"DISPLAY": ":99"}) as running:
        running.watches("main")
        assert any_server("show-environment", "-t", "main") == before


def test_it_looks_like_any_control_client_and_is_gone_with_its_daemon(any_server: TmuxServer) -> None:
    """DCC-8, DLC-15: no terminal, a process that lives; killed, nothing is left of it."""
    any_server.start()
    StandIn(any_server)
    shown = "#{client_control_mode}|#{client_tty}|#{client_name}|#{client_utf8}|#{client_readonly}|#{client_session}"
    with daemon(any_server) as running:
        running.watches("main")
        pid = any_server("list-clients", "-F", "#{client_pid}")
        assert any_server("list-clients", "-F", shown) == f"1||client-{pid}|1|0|main"
        assert not is_gone(int(pid))
        running.end(signal.SIGKILL)
        until(lambda: any_server("list-clients") == "", what="no client")
        any_server("kill-server")
        until(lambda: is_gone(any_server.pid), what="the server's end")
