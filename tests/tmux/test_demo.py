"""The demo on a real tmux server: started, watched, answered, ended."""

import json
import os
import select
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import TmuxServer, private_home, tmux_binaries, until
from person import at_desk
from tma.services.demo import IDLE_MINUTES, Demo

PERMISSION, PLAN = ("blocked", "permission"), ("blocked", "plan")


@pytest.fixture
def outside() -> Iterator[TmuxServer]:
    """A home whose demo is ended with the test; its own server is never started."""
    with private_home() as home:
        server = TmuxServer(tmux_binaries()[0], home)
        yield server
        server.tma("demo", "--stop")


def demo_server(outside: TmuxServer) -> TmuxServer:
    """The demo's own server, seen through its socket."""
    server = TmuxServer(outside.binary, outside.home)
    server.socket = outside.home / "tma" / "demo" / "tmux.sock"
    return server


def rows(server: TmuxServer) -> dict[str, dict[str, object]]:
    """What `tma ls` says, by pane id; the demo needs no flag, only its own environment."""
    listed = server.tma("ls", "--json").stdout
    return {row["pane"]: row for row in json.loads(listed)["agents"]} if listed else {}


def states(server: TmuxServer) -> dict[str, tuple[object, object]]:
    """State and detail of every agent."""
    return {pane: (row["state"], row["detail"]) for pane, row in rows(server).items()}


def test_a_fleet_of_four_shows_every_state(outside: TmuxServer) -> None:
    """Four agents in three sessions; permission, plan, working and done are all to be seen (DEM-1, DEM-2)."""
    started = outside.tma("demo", "--no-attach", "--speed", "4")
    server = demo_server(outside)

    until(lambda: {PERMISSION, PLAN} <= set(states(server).values()), what="both dialogs")
    until(lambda: any(row["state"] == "idle" and row["attention"] for row in rows(server).values()), what="done")

    fleet = rows(server)
    assert started.returncode == 0
    assert len(fleet) == 4
    assert {str(row["agent"]) for row in fleet.values()} == {"claude", "pi", "codex"}
    assert len(server("list-sessions").splitlines()) == 3


def test_an_answer_from_the_pane_lets_the_agent_go_on(outside: TmuxServer) -> None:
    """Typing 1 at the dialog approves; the agent works and is done (DEM-2)."""
    outside.tma("demo", "--no-attach", "--speed", "2")
    server = demo_server(outside)
    asking = until(
        lambda: [pane for pane, state in states(server).items() if state == PERMISSION], what="a permission dialog"
    )[0]

    server("send-keys", "-t", asking, "1")

    until(lambda: states(server)[asking][0] == "working", what="work after the answer")


def test_a_no_from_the_pane_ends_the_prompt_without_an_event(outside: TmuxServer) -> None:
    """Escape denies; no hook tells, and the screen ends the claim (DEM-2, FOLD-17)."""
    outside.tma("demo", "--no-attach")
    server = demo_server(outside)
    asking = until(
        lambda: [pane for pane, state in states(server).items() if state == PERMISSION], what="a permission dialog"
    )[0]

    server("send-keys", "-t", asking, "Escape")

    until(lambda: states(server)[asking][0] == "idle", what="idle after the denial")


def test_a_shell_in_the_demo_needs_no_flags(outside: TmuxServer) -> None:
    """In a pane of the demo `tma` is on the PATH and lists the demo's agents (DEM-3)."""
    outside.tma("demo", "--no-attach", "--speed", "4")
    server = demo_server(outside)
    shell = server("list-panes", "-s", "-t", "=shop", "-F", "#{pane_id}").splitlines()[-1]
    until(lambda: "tma ls" in server.screen(shell), what="the guide")

    server("send-keys", "-t", shell, "clear; tma ls", "Enter")

    until(lambda: server.screen(shell).count("claude") >= 2, what="the fleet in the shell")


def test_the_keys_of_the_demo_reach_its_own_agents(outside: TmuxServer) -> None:
    """DEM-1 to DEM-3: the list in a popup, the dashboard, the menu that answers; also where no Python knows tma."""
    outside.tma("demo", "--no-attach")
    server = demo_server(outside)
    server("set-environment", "-gu", "PYTHONPATH")
    until(lambda: {PERMISSION, PLAN} <= set(states(server).values()), what="both dialogs")
    with at_desk(server, Demo(outside.environment).attach_words(), width=100, height=30) as someone:
        someone.sees("tma demo --stop")
        someone.type("C-b", "a")
        someone.sees("agents (4)", "enter=jump")
        someone.type("Escape")
        someone.sees_no("agents (4)")
        someone.type("C-b", "G")
        someone.sees("blocked(plan)", "q=quit")
        someone.type("q")
        someone.sees("tma demo --stop")
        until(lambda: PERMISSION in states(server).values(), what="the dialog")
        someone.type("C-b", "Up")
        someone.type("C-b", "A")
        someone.sees("tma actions", "Approve (1)")
        asking = someone.shown
        someone.type("1")
        until(lambda: states(server)[asking][0] == "working", what="work after the answer")


def test_the_demo_is_started_once_and_ended_by_its_socket(outside: TmuxServer) -> None:
    """A second start finds the first; the end removes the directory, and ending again is fine (DEM-4, DEM-5)."""
    first = outside.tma("demo", "--no-attach")
    pid = demo_server(outside)("display-message", "-p", "#{pid}")
    second = outside.tma("demo", "--no-attach")

    assert demo_server(outside)("display-message", "-p", "#{pid}") == pid
    assert first.stdout == second.stdout
    assert "env -u TMUX" in second.stdout

    ended = outside.tma("demo", "--stop")

    assert (ended.returncode, outside.tma("demo", "--stop").returncode) == (0, 0)
    assert not (outside.home / "tma" / "demo").exists()
    until(lambda: not Path(f"/proc/{pid}").exists() or os.uname().sysname != "Linux", what="the server's end")


def test_inside_tmux_the_attach_command_is_printed(outside: TmuxServer) -> None:
    """A client inside another tmux is not nested (DEM-4)."""
    printed = outside.tma("demo", env={"TMUX": "/elsewhere,1,0"})

    assert printed.returncode == 0
    assert shlex.join(Demo(outside.environment).attach_words()) in printed.stdout


def test_the_demo_keeps_the_users_settings_out(outside: TmuxServer) -> None:
    """A broken user configuration does not reach the demo's programs (DEM-1)."""
    (outside.home / "config" / "tma").mkdir(parents=True)
    (outside.home / "config" / "tma" / "config.toml").write_text("[nonsense]\n")
    outside.tma("demo", "--no-attach", "--speed", "4", env={"TMA_CONFIG": "/nowhere/at/all"})
    server = demo_server(outside)

    shown = server("show-environment", "-g")

    assert f"XDG_CONFIG_HOME={outside.home}/tma/demo/config" in shown.splitlines()
    assert "TMA_CONFIG=" not in shown

    def counts() -> str:
        server("run-shell", f"tma status --format plain > {outside.home}/counts")
        return (outside.home / "counts").read_text()

    until(lambda: "●" in counts(), what="counts in the demo")


def test_a_demo_that_nobody_looks_at_ends_itself(outside: TmuxServer) -> None:
    """Without a client for the whole time the server ends; a minute lasts a second here (DEM-5)."""
    demo = Demo(outside.environment, minute_s=1)
    demo.start(1.0)
    server = demo_server(outside)
    until(lambda: int(server("show-options", "-gqv", "@demo_unseen") or 0) >= 2, what="unseen minutes")

    server("set-option", "-g", "@demo_unseen", str(IDLE_MINUTES - 1))

    until(lambda: not demo.running(), what="the demo's own end")


def test_a_client_starts_the_count_anew(outside: TmuxServer) -> None:
    """While somebody is attached the demo stays (DEM-5)."""
    demo = Demo(outside.environment, minute_s=1)
    demo.start(1.0)
    server = demo_server(outside)
    server("set-option", "-g", "@demo_unseen", "7")

    with server.client(session="shop") as terminal:

        def unseen() -> bool:
            while select.select([terminal], [], [], 0)[0]:
                os.read(terminal, 65536)
            return server("show-options", "-gqv", "@demo_unseen") == "0"

        until(unseen, what="a count of zero")
