"""The watcher, driven by real keys inside a real tmux client."""

import os
import signal

import pytest

from harness import TmuxServer, until
from person import TMA, at_desk, person
from standin import StandIn, manifests

WATCH = "tma-watch-"


class Fleet:
    """A server with two agents and a shell in front."""

    def __init__(self, server: TmuxServer) -> None:
        self.server = server
        self.start = server.start("cat", width=120, height=30)
        for name, value in server.environment.items():
            server("set-environment", "-g", name, value)
        self.options = f"--manifest-dir {manifests(server)}"
        self.idle = StandIn(server, screen="READY")
        self.blocked = StandIn(server, screen="please\nALLOW?")
        for agent, title in ((self.idle, "task a"), (self.blocked, "task b")):
            server("select-pane", "-t", agent.pane, "-T", title)
        server.tma(*self.options.split(), "ls")

    def watch(self, *words: str) -> str:
        """Open the watcher in a window of its own; the window's pane."""
        command = f"{TMA} {self.options} watch {' '.join(words)}; echo ended $?; exec cat"
        return self.server("new-window", "-P", "-F", "#{pane_id}", command)

    def temporary(self) -> None:
        """Open a temporary session as the key binding does."""
        client = self.server("list-clients", "-F", "#{client_name}")
        done = self.server.tma(*self.options.split(), "watch", "--temporary-session", "--table", "--client", client)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def fleet(server: TmuxServer) -> Fleet:
    """A fleet on the system's tmux."""
    return Fleet(server)


@pytest.fixture
def any_fleet(any_server: TmuxServer) -> Fleet:
    """A fleet on each tmux in turn."""
    return Fleet(any_server)


def sessions(server: TmuxServer) -> list[str]:
    """The sessions' names."""
    return server("list-sessions", "-F", "#{session_name}").splitlines()


def test_enter_jumps_and_the_watcher_stays(any_fleet: Fleet) -> None:
    """WAT-4, TRL-3: the way back leads to the watcher."""
    with person(any_fleet.server) as someone:
        pane = any_fleet.watch()
        someone.sees("agents (2)", "▸", "q=quit", "ALLOW?")
        someone.type("Enter")
        until(lambda: someone.shown == any_fleet.blocked.pane, what="the jump")
        client = any_fleet.server("list-clients", "-F", "#{client_name}")
        any_fleet.server.tma("jump", "--back", "--client", client)
        until(lambda: someone.shown == pane, what="the way back")
        someone.sees("agents (2)")
        someone.type("q")
        someone.sees("ended 0")


def test_the_table_and_the_groups_toggle(any_fleet: Fleet) -> None:
    """WAT-1 to WAT-3, WAT-5."""
    with person(any_fleet.server) as someone:
        any_fleet.watch("--table")
        someone.sees("state", "blocked(permission)", "idle", "▸", "p=preview g=flat")
        someone.type("g")
        someone.sees("g=group")
        someone.sees_no("▸")
        someone.type("p")
        someone.sees("agents (2)", "ALLOW?", "p=table")
        someone.resize(70, 20)
        someone.sees_no("p=table")
        someone.sees_no("ALLOW?")
        someone.resize(120, 30)
        someone.sees("ALLOW?")


def test_an_endless_hostile_title_stays_in_its_column(fleet: Fleet) -> None:
    """SAN-1 to SAN-3, COL-1, COL-2: in 10,000 characters; at every width, in lists and menus; nothing runs."""
    wild = "b#(touch x)#[fg=red]%H\u202e\u0301\u0301\u0301\u0301日👩\u200d💻\"'$(touch x)#{pane_id}"
    fleet.blocked.show(f"\x1b]0;{(wild * 400)[:10_000]}\x07please\nALLOW?")
    with person(fleet.server, width=200) as someone:
        fleet.watch("--table")
        someone.sees("#(touch x)#[fg=red]%H", "…")
        for width in (40, 80, 200):
            someone.resize(width, 30)
            someone.sees("q=quit" if width > 40 else "agents (2)")
            until(lambda: someone.screen.count(" robot    ") == 2, what="one line a row")
            assert "\u202e" not in someone.screen
            assert max(map(len, someone.screen.splitlines())) <= width
        client = fleet.server("list-clients", "-F", "#{client_name}")
        command = f"{TMA} {fleet.options} jump --menu --client {client} 2>/dev/null"
        fleet.server("run-shell", "-b", command)
        someone.sees("tma jump", "(2)")
        someone.type("q")
    listed = fleet.server.tma(*fleet.options.split(), "ls").stdout.splitlines()
    assert [line.count("\t") for line in listed] == [11, 11]
    assert not list(fleet.server.home.glob("**/x"))


def test_news_come_by_themselves(fleet: Fleet) -> None:
    """TUI-1: within a second, without any key."""
    with person(fleet.server) as someone:
        fleet.watch("--table")
        someone.sees("idle")
        fleet.idle.show("BUSY")
        someone.sees("working")


def test_a_selection_narrows_what_is_listed_alone(fleet: Fleet) -> None:
    """WAT-6, TUI-9."""
    with person(fleet.server) as someone:
        fleet.watch("--state", "blocked")
        someone.sees("agents (1)", "ALLOW?")
        fleet.blocked.show("READY")
        someone.sees("no agents in scope", "tma doctor")
        assert fleet.server.options(fleet.blocked.pane)["@agent_state"] == "idle"


def test_a_broken_configuration_is_told_and_kept_for_the_end(fleet: Fleet) -> None:
    """CFG-10, CFG-11, TUI-3: said once, when the terminal is back."""
    config = fleet.server.home / "config" / "tma" / "config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text("")
    with person(fleet.server) as someone:
        fleet.watch()
        someone.sees("agents (2)")
        config.write_text("[fold\n")
        someone.sees("config error", "agents (2)")
        config.write_text("")
        someone.sees_no("config error")
        someone.type("q")
        assert someone.sees("ended 0", "keeping the last good pair").count("reload failed") == 1


def test_an_unchanged_watcher_writes_no_byte(fleet: Fleet) -> None:
    """A11Y-7: while it looks again, with an age that does not change."""
    with person(fleet.server) as someone:
        pane = fleet.watch("--state", "working")
        someone.sees("agents (0)")
        log = fleet.server.home / "bytes"
        fleet.server("pipe-pane", "-t", pane, f"cat >> {log}")
        for screen, state in (("ALLOW?", "blocked"), ("READY", "idle"), ("ALLOW?", "blocked")):
            fleet.idle.show(screen)
            until(
                lambda state=state: fleet.server.options(fleet.idle.pane)["@agent_state"] == state,
                what=f"a look that finds it {state}",
            )
        assert log.read_text() == ""


def test_quitting_a_temporary_session_goes_back(any_fleet: Fleet) -> None:
    """TMP-1, TMP-2: a second call opens no second one; the end of the watcher is the end of the session."""
    with person(any_fleet.server) as someone:
        any_fleet.temporary()
        someone.sees("blocked(permission)", "q=quit")
        (name,) = [name for name in sessions(any_fleet.server) if name.startswith(WATCH)]
        assert name == WATCH + any_fleet.server("list-clients", "-F", "#{client_pid}")
        any_fleet.temporary()
        assert sessions(any_fleet.server).count(name) == 1
        someone.sees("q=quit")
        someone.type("q")
        until(lambda: someone.shown == any_fleet.start, what="the way back")
        until(lambda: name not in sessions(any_fleet.server), what="the session's end")


def test_a_jump_out_of_a_temporary_session_remembers_the_origin(fleet: Fleet) -> None:
    """TMP-2, TMP-3: the way back leads to where the person was before."""
    with person(fleet.server) as someone:
        fleet.temporary()
        someone.sees("blocked(permission)")
        someone.type("Enter")
        until(lambda: someone.shown == fleet.blocked.pane, what="the jump")
        until(lambda: sessions(fleet.server) == ["main"], what="the session's end")
        client = fleet.server("list-clients", "-F", "#{client_name}")
        fleet.server.tma("jump", "--back", "--client", client)
        until(lambda: someone.shown == fleet.start, what="the way back")


def test_a_temporary_session_that_nobody_sees_ends(fleet: Fleet) -> None:
    """TMP-4: five seconds after the client went elsewhere, where it stays."""
    fleet.server("new-session", "-d", "-s", "other", "cat")
    with person(fleet.server) as someone:
        fleet.temporary()
        someone.sees("blocked(permission)")
        client = fleet.server("list-clients", "-F", "#{client_name}")
        fleet.server("switch-client", "-c", client, "-t", "=other")
        until(lambda: sessions(fleet.server) == ["main", "other"], what="the session's end")
        assert fleet.server("list-clients", "-F", "#{session_name}").strip() == "other"


def test_a_temporary_session_needs_a_client(fleet: Fleet) -> None:
    """TMP-1: exit 1, and nothing is made."""
    done = fleet.server.tma("watch", "--temporary-session")
    assert done.returncode == 1
    assert sessions(fleet.server) == ["main"]


def test_a_terminal_that_is_lost_ends_the_watcher(fleet: Fleet) -> None:
    """TUI-2: no process stays behind."""
    with person(fleet.server) as someone:
        pane = fleet.watch()
        someone.sees("agents (2)")
        pid = int(until(lambda: fleet.server.options(pane).get("@tma_watch_pid"), what="the published pid"))
        fleet.server("kill-pane", "-t", pane)
        until(lambda: not _alive(pid), what="the watcher's end")


def test_a_stopped_server_blocks_no_key(any_fleet: Fleet) -> None:
    """TUI-1, TUI-3: the selection moves while every call to tmux hangs; the looks go on afterwards."""
    command = ["sh", "-c", f"{TMA} {any_fleet.options} watch; echo ended $?; exec cat"]
    with at_desk(any_fleet.server, command, width=70, height=20) as someone:
        someone.sees("agents (2)")
        os.kill(any_fleet.server.pid, signal.SIGSTOP)
        try:
            someone.type("Down")
            until(lambda: "task a" in _selected(someone.styled), seconds=2, what="the next row selected")
            someone.sees("stale")
        finally:
            os.kill(any_fleet.server.pid, signal.SIGCONT)
        someone.sees_no("stale")


def _selected(styled: str) -> str:
    return next((line for line in styled.splitlines() if "\x1b[7m" in line), "")


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
