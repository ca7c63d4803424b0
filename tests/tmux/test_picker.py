"""The picker, driven by real keys inside a real tmux client."""

import os
import signal

import pytest

from actor import user_action
from harness import TmuxServer, until
from person import TMA, Person, at_desk, person, popup
from standin import StandIn, manifests


class Fleet:
    """A server with three agents in different states and a shell in front."""

    def __init__(self, server: TmuxServer) -> None:
        self.server = server
        self.start = server.start("cat", width=120, height=30)
        for name, value in server.environment.items():
            server("set-environment", "-g", name, value)
        user_action(server, "poke", 'kind = "keys"\n[keys]\nrobot = ["9"]\n')
        self.options = f"--manifest-dir {manifests(server)}"
        self.idle = StandIn(server, screen="READY")
        self.working = StandIn(server, screen="BUSY")
        self.blocked = StandIn(server, screen="please\nALLOW?")
        for at, agent in enumerate((self.idle, self.working, self.blocked)):
            server("select-pane", "-t", agent.pane, "-T", f"task {'abc'[at]}{at}")
        server.tma(*self.options.split(), "ls")

    def picker(self) -> str:
        """Open the picker in a window of its own; the window's pane."""
        return self.server("new-window", "-P", "-F", "#{pane_id}", f"{TMA} {self.options}; exec cat")

    def attention(self, agent: StandIn) -> None:
        """Put a mark up."""
        self.server("set-option", "-p", "-t", agent.pane, "@agent_attention", "1")


@pytest.fixture
def fleet(server: TmuxServer) -> Fleet:
    """A fleet on the system's tmux."""
    return Fleet(server)


@pytest.fixture
def any_fleet(any_server: TmuxServer) -> Fleet:
    """A fleet on each tmux in turn."""
    return Fleet(any_server)


def selected(someone: Person) -> str:
    """The line that is drawn reversed, as tmux tells it."""
    lines = someone.styled.splitlines()
    return next((line for line in lines if "\x1b[7m" in line), "")


def test_type_jump_and_come_back(any_fleet: Fleet) -> None:
    """PIK-1, PIK-4, QRY-1, TUI-10, TRL-3: a query finds; Enter goes, clears the mark and leaves a way back."""
    any_fleet.attention(any_fleet.working)
    with person(any_fleet.server) as someone:
        pane = any_fleet.picker()
        screen = someone.sees("agents (3)", "[scope: all]", "ALLOW?")
        assert screen.index("task c2") < screen.index("task b1") < screen.index("task a0")
        assert any_fleet.server.options(pane)["@tma_watch_pid"]
        someone.say("task 'b1")
        someone.sees("agents (1)", "› task 'b1", "BUSY")
        someone.type("Enter")
        until(lambda: someone.shown == any_fleet.working.pane, what="the jump")
        until(lambda: "@agent_attention" not in any_fleet.server.options(any_fleet.working.pane), what="the mark's end")
        assert "@tma_watch_pid" not in any_fleet.server.options(pane)
        client = any_fleet.server("list-clients", "-F", "#{client_name}")
        any_fleet.server.tma("jump", "--back", "--client", client)
        until(lambda: someone.shown == pane, what="the way back")


def test_no_key_is_an_accident(fleet: Fleet) -> None:
    """PIK-4, TUI-8: unknown sequences, controls and a paste type nothing and act on nothing."""
    with person(fleet.server) as someone:
        fleet.picker()
        someone.sees("agents (3)")
        someone.type("F5", "M-x", "C-a", "Home", "DC", "C-Up")
        fleet.server("set-buffer", "rm -rf\nx")
        fleet.server("paste-buffer", "-p")
        someone.sees("› rm -rf x", "no match", "tma doctor")
        someone.type(*["BSpace"] * 8)
        someone.sees("agents (3)", "›   [scope")


def test_the_selection_moves_and_the_preview_follows(fleet: Fleet) -> None:
    """TUI-5, TUI-6, PRV-1."""
    with person(fleet.server) as someone:
        fleet.picker()
        someone.sees("agents (3)", "ALLOW?")
        until(lambda: "task c2" in selected(someone), what="the first row selected")
        someone.type("Down")
        someone.sees("BUSY")
        someone.type("Up", "Up")
        someone.sees("READY")
        until(lambda: "task a0" in selected(someone), what="the last row selected")


def test_escape_and_an_empty_list_close(fleet: Fleet) -> None:
    """PIK-4, PIK-2, TUI-2: the terminal is as it was."""
    with person(fleet.server) as someone:
        pane = fleet.picker()
        someone.sees("agents (3)")
        someone.type("Escape")
        someone.sees_no("agents (3)")
        until(lambda: fleet.server.show(pane, "#{pane_current_command}") == "cat", what="the picker's end")
        assert fleet.server.show(pane, "#{mouse_any_flag}#{alternate_on}#{cursor_flag}") == "001"
        someone.say("still here")
        someone.sees("still here")


def test_the_menu_of_a_row_opens_over_a_pane(any_fleet: Fleet) -> None:
    """PIK-4, ACT-MENU-1, TUI-3: what cannot be fired is said when the terminal is back."""
    with person(any_fleet.server) as someone:
        any_fleet.picker()
        someone.sees("agents (3)")
        someone.type("Tab")
        someone.sees("tma actions", "poke")
        someone.type("Escape")
        someone.sees_no("tma actions")
        someone.type("Escape")
        someone.sees_no("agents (3)")


def test_the_popup_hides_its_origin_and_menus_open_when_it_is_gone(any_fleet: Fleet) -> None:
    """PIK-2, MNU-8, KEY-1: opened from an agent, the agent is not listed."""
    any_fleet.server("select-window", "-t", any_fleet.idle.pane)
    with person(any_fleet.server) as someone:
        someone.command(popup(*any_fleet.options.split()))
        someone.sees("agents (2)", "enter=jump")
        someone.type("Tab")
        someone.sees("tma actions", "poke")
        someone.sees_no("enter=jump")
        someone.type("Escape")


def test_a_jump_from_a_popup_leaves_its_origin_behind(fleet: Fleet) -> None:
    """FOC-2, PIK-6, TRL-3."""
    with person(fleet.server) as someone:
        someone.command(popup(*fleet.options.split()))
        someone.sees("agents (3)")
        someone.type("Enter")
        until(lambda: someone.shown == fleet.blocked.pane, what="the jump")
        client = fleet.server("list-clients", "-F", "#{client_name}")
        fleet.server.tma("jump", "--back", "--client", client)
        until(lambda: someone.shown == fleet.start, what="the way back")


def test_scopes_toggle(fleet: Fleet) -> None:
    """PIK-4: the session that the client was in at the start."""
    fleet.server("new-session", "-d", "-s", "other")
    with person(fleet.server) as someone:
        fleet.server("move-window", "-s", fleet.idle.pane, "-t", "other:")
        fleet.picker()
        someone.sees("agents (3)")
        someone.type("C-s")
        someone.sees("agents (2)", "[scope: session]")


def test_a_resize_redraws_at_once(any_fleet: Fleet) -> None:
    """A11Y-6, TUI-4: 200 to 40 columns and back."""
    with person(any_fleet.server, width=200, height=30) as someone:
        any_fleet.picker()
        someone.sees("agents (3)", "ALLOW?")
        someone.resize(40, 12)
        someone.sees("agents (3)", "enter=j")
        someone.sees_no("ALLOW?")
        assert max(map(len, someone.screen.splitlines())) <= 40
        someone.resize(200, 30)
        screen = someone.sees("ALLOW?", "esc=quit")
        assert max(map(len, screen.splitlines())) > 190


def test_an_agent_that_dies_under_the_cursor_leaves_its_place(any_fleet: Fleet) -> None:
    """TUI-5: the next row is selected."""
    with person(any_fleet.server) as someone:
        any_fleet.picker()
        someone.sees("agents (3)", "ALLOW?")
        someone.type("Down")
        someone.sees("BUSY")
        os.kill(any_fleet.working.pid, signal.SIGKILL)
        someone.sees("agents (2)", "READY")
        until(lambda: "task a0" in selected(someone), what="the next row selected")


def test_a_server_that_dies_is_told_and_keys_still_work(any_fleet: Fleet) -> None:
    """TUI-3: from outside tmux, where the picker survives it; the rows stay."""
    command = ["sh", "-c", f"{TMA} {any_fleet.options}; echo ended $?; exec cat"]
    with at_desk(any_fleet.server, command, width=120, height=20) as someone:
        someone.sees("agents (3)")
        os.kill(any_fleet.server.pid, signal.SIGKILL)  # at once: a look into its slow end would find fewer agents
        someone.sees("no tmux server", "agents (3)")
        someone.say("'b1")
        someone.sees("agents (1)")
        someone.type("Enter")
        someone.sees("ended 1", "no tmux server running")


def test_outside_tmux_enter_attaches(fleet: Fleet) -> None:
    """TUI-10: the terminal becomes the client."""
    with at_desk(fleet.server, ["sh", "-c", f"exec {TMA} {fleet.options}"], width=120, height=20) as someone:
        someone.sees("agents (3)")
        someone.type("Enter")
        until(
            lambda: fleet.server("list-clients", "-F", "#{pane_id}") == fleet.blocked.pane, what="the attached client"
        )
        someone.sees("ALLOW?")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_restores_the_terminal(fleet: Fleet, number: signal.Signals) -> None:
    """TUI-2: with the shell's code for it, and nobody is nudged any more."""
    with person(fleet.server) as someone:
        pane = fleet.server("new-window", "-P", "-F", "#{pane_id}", f"{TMA} {fleet.options}; echo ended $?; exec cat")
        someone.sees("agents (3)")
        os.kill(int(until(lambda: fleet.server.options(pane).get("@tma_watch_pid"), what="the pid")), number)
        someone.sees(f"ended {128 + number}")
        assert "@tma_watch_pid" not in fleet.server.options(pane)
        assert fleet.server.show(pane, "#{mouse_any_flag}#{alternate_on}#{cursor_flag}") == "001"


def test_hostile_text_is_only_shown(any_fleet: Fleet) -> None:
    """SAN-3: in a title and on a screen; nothing runs, no line or color is added, the title stays."""
    any_fleet.blocked.show("\x1b]0;b#(touch x)#[fg=red]%H\u202e\"'$(id)\x07\x1b[5mdanger \u202eabc\nALLOW?")
    with person(any_fleet.server, width=200) as someone:
        pane = any_fleet.picker()
        someone.sees("agents (3)", "(touch x)#[fg=red]%H", "danger abc")
        assert "\u202e" not in someone.screen
        assert "(touch" not in any_fleet.server.show(pane, "#{pane_title}")
    assert not list(any_fleet.server.home.glob("**/x"))


@pytest.mark.parametrize("name", ["TERM", "dumb", "pipe"])
def test_what_is_no_terminal_is_refused(fleet: Fleet, name: str) -> None:
    """TTY-1, A11Y-3: exit 2 naming ``tma ls``, and nothing drawn."""
    term = {"TERM": "", "dumb": "dumb", "pipe": "xterm"}[name]
    redirect = " < /dev/null" if name == "pipe" else ""
    command = ["sh", "-c", f"TERM={term} {TMA} {fleet.options}{redirect}; echo ended $?; exec cat"]
    with at_desk(fleet.server, command, width=100, height=10) as someone:
        assert "agents (" not in someone.sees("ended 2", "tma ls")


def test_without_a_server_it_fails_at_start(server: TmuxServer) -> None:
    """TTY-1: exit 1."""
    with at_desk(server, ["sh", "-c", f"{TMA}; echo ended $?; exec cat"], width=100, height=10) as someone:
        someone.sees("ended 1", "no tmux server running")


def test_no_color_sends_no_colour(fleet: Fleet) -> None:
    """A11Y-2: glyphs and reverse are left; the preview's colors go too."""
    fleet.blocked.show("\x1b[31mred\nALLOW?")
    command = ["sh", "-c", f"NO_COLOR=1 {TMA} {fleet.options}; exec cat"]
    with at_desk(fleet.server, command, width=120, height=20) as someone:
        someone.sees("agents (3)", "ALLOW?", "⚑")
        assert "\x1b[3" not in someone.styled.replace("\x1b[39m", "")
        assert "\x1b[7m" in someone.styled


def test_a_nudge_brings_news_at_once(fleet: Fleet) -> None:
    """NDG-1, NDG-2, ATN-3: an empty pane only nudges; a foreign process of that pid is left alone."""
    with person(fleet.server) as someone:
        fleet.picker()
        someone.sees("agents (3)")
        other = StandIn(fleet.server, "cat")
        fleet.server("set-option", "-p", "-t", other.pane, "@tma_watch_pid", str(other.pid))
        fleet.server("set-option", "-p", "-t", fleet.start, "@tma_watch_pid", "0")
        done = fleet.server.tma("clear-attention", "")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert fleet.server.show(other.pane, "#{pane_dead}") == "0"
        someone.sees("agents (3)")
