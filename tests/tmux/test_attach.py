"""``tma attach`` from terminals outside tmux, and inside."""

import shlex
import sys

import pytest

from harness import TmuxServer, until
from people import attached, terminal, tma, where
from standin import StandIn

NAMES = ["=a", "-x", "it's", "x;", "#(touch x)", "a b"]


def two_sessions(server: TmuxServer, name: str) -> StandIn:
    """A robot that no session shows, in a session of that name."""
    server.start()
    robot = StandIn(server)
    server(
        "rename-session", "-t", "=main", "--", (f"{name[:-1]}\\;" if name.endswith(";") else name).replace("#", "##")
    )
    server("new-session", "-d", "-s", "plain", "cat")
    return robot


def client_of(server: TmuxServer) -> str:
    """What the only client shows, "" without one."""
    return server("list-clients", "-F", "#{session_name} #{pane_id}")


@pytest.mark.parametrize("name", NAMES)
def test_a_terminal_becomes_the_client_of_exactly_that_session(server: TmuxServer, name: str) -> None:
    """ATC-2, FC-31: window and pane are selected, whatever the session is called."""
    robot = two_sessions(server, name)
    argv = [sys.executable, "-m", "tma", "attach", "--pane", robot.pane]

    with terminal(argv, server.environment) as person:
        until(lambda: person.reads("READY") and client_of(server) == f"{name} {robot.pane}", what="the client")

    assert not (server.home / "x").exists()


@pytest.mark.parametrize("name", NAMES)
def test_the_printed_line_does_the_same_in_a_shell(server: TmuxServer, name: str) -> None:
    """ATC-4: the selects are done, the line attaches."""
    robot = two_sessions(server, name)

    printed = tma(server, "attach", "--pane", robot.pane, "--print")

    assert (printed.returncode, printed.stderr) == (0, "")
    assert shlex.split(printed.stdout)[:-2] == [server.binary, "-u", "-S", str(server.socket), "attach-session"]
    assert server.show(robot.pane, "#{window_active}") == "1"
    with terminal(["/bin/sh", "-c", printed.stdout], server.environment) as person:
        until(lambda: person.reads("READY") and client_of(server) == f"{name} {robot.pane}", what="the client")


def test_without_a_terminal_nothing_moves(server: TmuxServer) -> None:
    """ATC-3: exit 2, before any select."""
    robot = two_sessions(server, "main")

    refused = tma(server, "attach", "--pane", robot.pane)

    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.startswith("tma: attaching needs a terminal\n")
    assert server.show(robot.pane, "#{window_active}") == "0"


def test_a_pane_that_is_not_there_has_vanished(server: TmuxServer) -> None:
    """ATC-5: exit 3; without a server 1."""
    assert tma(server, "attach", "--pane", "%77", "--print").returncode == 1
    server.start()

    gone = tma(server, "attach", "--pane", "%77", "--print")

    assert (gone.returncode, gone.stdout) == (3, "")
    assert "vanished" in gone.stderr


def test_inside_tmux_it_is_a_jump(server: TmuxServer) -> None:
    """ATC-1: codes and notes of jump; there is nothing to print."""
    shell = server.start()
    robot = StandIn(server)
    assert tma(server, "attach", "--pane", robot.pane, pane=shell).returncode == 1
    with attached(server) as (_, client):
        none = tma(server, "attach", "--pane", shell, pane=shell)
        went = tma(server, "attach", "--pane", robot.pane, "--print", pane=shell)

        assert (none.returncode, none.stdout, none.stderr) == (0, "", f"tma: no agent in pane {shell}\n")
        assert (went.returncode, went.stdout) == (0, "")
        assert went.stderr == "tma: inside tmux there is no attach command to print\n"
        assert where(server, client) == f"main {robot.pane}"


@pytest.mark.parametrize("words", [[], ["--pane", "5"], ["--pane", "#{pane_id}"], ["--pane", "%1", "--pane", "%2"]])
def test_a_wrong_line_is_a_usage_error(server: TmuxServer, words: list[str]) -> None:
    """CLI-3, CLI-5: exit 2 before tmux is asked, which is not there."""
    refused = tma(server, "attach", *words)

    assert (refused.returncode, refused.stdout) == (2, "")
