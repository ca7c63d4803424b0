"""``tma jump`` with real clients on real servers: where they end up, and what is left behind."""

import fcntl
import struct
import sys
import termios
from collections.abc import Iterator

import pytest

from harness import TmuxServer, until
from people import Person, attached, blocked, done, running, tma, where
from standin import StandIn, manifests
from tma.core.events import trail

MARK = "@agent_attention"
HOSTILE = ["=a", "-x", "it's", "x;", "#(touch x)", "a b", "$9", "@1", "%1", "~", "{last}", "日本"]


def jump(server: TmuxServer, *words: str) -> None:
    """A jump that succeeds in silence."""
    went = tma(server, "jump", *words)
    assert (went.returncode, went.stdout, went.stderr) == (0, "", "")


def kept(server: TmuxServer, client: str) -> str:
    """The stored trail of a client, its lines joined by commas."""
    return server("show-options", "-sqv", trail.option(client)).replace("\n", ",")


@pytest.fixture
def person(server: TmuxServer) -> Iterator[tuple[Person, str]]:
    """Somebody at a shell in session main."""
    server.start()
    with attached(server) as both:
        yield both


def test_attention_goes_to_who_needs_you_and_on_to_the_next(any_server: TmuxServer) -> None:
    """JMP-2, JMP-6, JMP-8: blocked before done, wrapping, and the mark of the destination goes."""
    any_server.start()
    asking, finished = blocked(any_server), done(any_server)
    StandIn(any_server)
    with attached(any_server) as (_, client):
        jump(any_server, "--attention")
        assert where(any_server, client) == f"main {asking.pane}"
        assert MARK not in any_server.options(asking.pane)

        jump(any_server, "--attention")
        assert where(any_server, client) == f"main {finished.pane}"
        assert MARK not in any_server.options(finished.pane)

        jump(any_server, "--attention")
        assert where(any_server, client) == f"main {asking.pane}"


def test_blocked_goes_to_the_one_that_waits_longest(server: TmuxServer, person: tuple[Person, str]) -> None:
    """JMP-3, JMP-6."""
    first, second = blocked(server), blocked(server)

    jump(server, "--blocked")

    assert where(server, person[1]) == f"main {first.pane}"
    assert MARK not in server.options(first.pane)
    assert MARK in server.options(second.pane)


def test_next_goes_round_and_clears_nothing(server: TmuxServer, person: tuple[Person, str]) -> None:
    """JMP-1, JMP-4, JMP-6: by session, window and pane."""
    robots = [StandIn(server), done(server)]
    server("new-session", "-d", "-s", "aaa", "cat")

    for robot in [*robots, robots[0]]:
        jump(server)
        assert where(server, person[1]) == f"main {robot.pane}"
    assert MARK in server.options(robots[1].pane)


def test_a_jump_to_the_pane_in_front_moves_nothing_and_clears_its_mark(
    server: TmuxServer, person: tuple[Person, str]
) -> None:
    """FOC-3: the trail is unchanged."""
    robot = blocked(server)
    server("select-window", "-t", robot.pane)

    jump(server, "--pane", robot.pane)

    assert kept(server, person[1]) == ""
    assert MARK not in server.options(robot.pane)


def test_each_step_is_skipped_where_it_holds(server: TmuxServer, person: tuple[Person, str]) -> None:
    """FOC-1: no hook of a window that is current, or of a session that is shown, fires for nothing."""
    robot = StandIn(server)
    server("split-window", "-d", "-t", robot.pane, "cat")
    beside = server("list-panes", "-t", robot.pane, "-F", "#{pane_id}").splitlines()[1]
    server("select-window", "-t", robot.pane)
    server("select-pane", "-t", beside)
    for hook in ("after-select-window", "after-select-pane", "client-session-changed"):
        server("set-hook", "-g", hook, f"set-option -g @fired-{hook} 1")

    jump(server, "--pane", robot.pane)

    assert where(server, person[1]) == f"main {robot.pane}"
    fired = [line.split()[0] for line in server("show-options", "-g").splitlines() if line.startswith("@fired")]
    assert fired == ["@fired-after-select-pane"]


def test_back_and_home_walk_the_trail(any_server: TmuxServer) -> None:
    """TRL-2, TRL-3, TRL-4: back takes one entry, home the oldest and forgets the rest."""
    shell = any_server.start()
    robots = [StandIn(any_server) for _ in range(3)]
    with attached(any_server) as (_, client):
        for robot in robots:
            jump(any_server, "--pane", robot.pane)
        assert kept(any_server, client) == f"{shell} main:0.0,{robots[0].pane} main:1.0,{robots[1].pane} main:2.0"

        jump(any_server, "--back")
        assert where(any_server, client) == f"main {robots[1].pane}"
        assert kept(any_server, client) == f"{shell} main:0.0,{robots[0].pane} main:1.0"

        jump(any_server, "--home")
        assert where(any_server, client) == f"main {shell}"
        assert kept(any_server, client) == ""


def test_a_trail_ends_in_a_note(server: TmuxServer, person: tuple[Person, str]) -> None:
    """JMP-7: nothing moves, exit 0."""
    before = where(server, person[1])

    for direction in ("--back", "--home"):
        went = tma(server, "jump", direction)
        assert (went.returncode, went.stdout, went.stderr) == (0, "", "tma: no jump origin\n")
    assert where(server, person[1]) == before


def test_entries_that_lead_nowhere_are_dropped_and_a_locator_stands_for_its_pane(
    server: TmuxServer, person: tuple[Person, str]
) -> None:
    """TRL-4: the id first, then exactly the locator; the shortened trail is stored in any case."""
    robot = StandIn(server)
    key = trail.option(person[1])
    server("set-option", "-s", key, "%901 main:1.0\n%902 mai:1.0\n%903 main:1")

    jump(server, "--back")
    assert where(server, person[1]) == f"main {robot.pane}"
    assert kept(server, person[1]) == ""

    server("set-option", "-s", key, "%901 gone:0.0")
    assert tma(server, "jump", "--back").stderr == "tma: no jump origin\n"
    assert kept(server, person[1]) == ""


def test_an_unreadable_trail_stops_no_jump_and_is_left_alone(server: TmuxServer, person: tuple[Person, str]) -> None:
    """TRL-3."""
    robot = StandIn(server)
    server("set-option", "-s", trail.option(person[1]), "what is this")

    jump(server, "--pane", robot.pane)

    assert where(server, person[1]) == f"main {robot.pane}"
    assert kept(server, person[1]) == "what is this"


def test_every_client_has_a_trail_of_its_own(server: TmuxServer) -> None:
    """TRL-1, FOC-2, GLO-3: the named client moves, the other stays; an unexpanded name counts as absent."""
    shell = server.start()
    robot = StandIn(server)
    server("new-session", "-d", "-s", "other", "cat")
    with attached(server) as (_, one), attached(server, "other") as (_, two):
        before = where(server, two)
        jump(server, "--client", one, "--pane", robot.pane)
        assert where(server, one) == f"main {robot.pane}"
        assert where(server, two) == before
        assert (kept(server, one), kept(server, two)) == (f"{shell} main:0.0", "")

        jump(server, "--client", two, "--pane", robot.pane)
        assert where(server, two) == f"main {robot.pane}"
        jump(server, "--client", two, "--back")
        assert where(server, two) == before
        jump(server, "--client", "#{client_name}", "--pane", robot.pane)


def test_a_pane_of_several_sessions_is_reached_in_the_clients_own(server: TmuxServer) -> None:
    """FC-29: a group and a linked window; nobody is moved to another session."""
    server.start()
    robot = StandIn(server)
    server("new-session", "-d", "-t", "=main", "-s", "group")
    server("new-session", "-d", "-s", "linked", "cat")
    server("link-window", "-s", robot.pane, "-t", "=linked:5")
    server("select-window", "-t", "=linked:0")
    with (
        attached(server) as (_, first),
        attached(server, "group") as (_, second),
        attached(server, "linked") as (_, third),
    ):
        for session, client in (("main", first), ("group", second), ("linked", third)):
            jump(server, "--pane", robot.pane, "--client", client)
            assert where(server, client) == f"{session} {robot.pane}"


@pytest.mark.parametrize("name", HOSTILE)
def test_a_session_is_reached_whatever_its_name_is(server: TmuxServer, name: str) -> None:
    """SAN-2, FC-31: targets are ids, and a name comes back from the trail as it was."""
    server.start()
    robot = StandIn(server)
    server("new-session", "-d", "-s", "plain", "cat")
    server(
        "rename-session", "-t", "=main", "--", (f"{name[:-1]}\\;" if name.endswith(";") else name).replace("#", "##")
    )
    assert server("list-sessions", "-F", "#{session_name}").splitlines().count(name) == 1
    with attached(server, "plain") as (_, client):
        jump(server, "--pane", robot.pane)
        assert where(server, client) == f"{name} {robot.pane}"

        jump(server, "--back")
        assert where(server, client).startswith("plain ")

        server("set-option", "-s", trail.option(client), f"%999 {name}:1.0")
        jump(server, "--back")
        assert where(server, client) == f"{name} {robot.pane}"
    assert not (server.home / "x").exists()


@pytest.mark.parametrize(
    ("words", "note"),
    [
        (["--attention"], "no agent needs you\n"),
        (["--blocked"], "no blocked agent\n"),
        (["--blocked", "--agent", "robot"], "no blocked agent in scope\n"),
        (["--next", "--session", "main "], "no agent to go to in scope\n"),
        (["--pane", "%999"], "no agent in pane %999\n"),
        (["--pane", "%0", "--agent", "robot"], "no agent in pane %0\n"),
        (["--menu", "--repo", "nowhere"], "no agents in scope\n"),
    ],
)
def test_nowhere_to_go_is_one_note(server: TmuxServer, person: tuple[Person, str], words: list[str], note: str) -> None:
    """JMP-7, JMP-9: exit 0, nothing moves, nothing on standard output."""
    StandIn(server)
    before = where(server, person[1])

    went = tma(server, "jump", *words)

    assert (went.returncode, went.stdout, went.stderr) == (0, "", f"tma: {note}")
    assert where(server, person[1]) == before


def test_a_selector_narrows_the_candidates(server: TmuxServer, person: tuple[Person, str]) -> None:
    """SEL-1: the first in scope, not the first of all."""
    blocked(server)
    finished = done(server)

    jump(server, "--attention", "--state", "done")

    assert where(server, person[1]) == f"main {finished.pane}"


@pytest.mark.parametrize("words", [["--next"], ["--back"], ["--home"], ["--menu"], ["--blocked"]])
def test_without_a_client_nothing_can_be_moved(server: TmuxServer, words: list[str]) -> None:
    """JMP-8, MNU-1: one line, exit 1."""
    server.start()
    blocked(server)

    went = tma(server, "jump", *words)

    assert (went.returncode, went.stdout) == (1, "")
    assert went.stderr.startswith("tma: no client is attached\n")


def test_a_client_that_is_not_there_is_named(server: TmuxServer, person: tuple[Person, str]) -> None:
    """FOC-2: the wrong one is not moved in its place."""
    robot = StandIn(server)
    before = where(server, person[1])

    went = tma(server, "jump", "--pane", robot.pane, "--client", "/dev/pts/none")

    assert (went.returncode, went.stdout) == (1, "")
    assert "no client /dev/pts/none is attached" in went.stderr
    assert where(server, person[1]) == before


def test_a_binding_moves_the_client_whose_key_it_was(server: TmuxServer, person: tuple[Person, str]) -> None:
    """KEY-4, FOC-2: by a real key; nothing opens, nothing flashes."""
    robot = blocked(server)
    command = f"{sys.executable} -m tma --manifest-dir {manifests(server)}"
    server("bind-key", "j", "run-shell", f"{command} jump --attention --client '#{{client_name}}'")
    server("bind-key", "b", "run-shell", f"{command} jump --back --client '#{{client_name}}'")

    person[0].type(b"\x02j")
    until(lambda: where(server, person[1]) == f"main {robot.pane}", what="the jump")
    person[0].type(b"\x02b")
    until(lambda: where(server, person[1]) == "main %0", what="the way back")

    assert server.show("%0", "#{pane_in_mode}") == "0"


def test_the_menu_lists_the_others_and_its_keys_jump(any_server: TmuxServer) -> None:
    """MNU-1, MNU-2, MNU-5: attention order without the client's own pane."""
    any_server.start()
    quiet, asking = StandIn(any_server), blocked(any_server)
    with attached(any_server) as (person, client):
        with running(any_server, "jump", "--menu") as process:
            until(lambda: person.reads("tma jump"), what="the menu")
            person.type(b"1")
            assert process.wait(timeout=20) == 0
        until(lambda: where(any_server, client) == f"main {asking.pane}", what="the jump")
        person.seen = b""
        with running(any_server, "jump", "--menu") as process:
            until(lambda: person.reads("tma jump"), what="the menu")
            person.type(b"1")
            assert process.wait(timeout=20) == 0
        until(lambda: where(any_server, client) == f"main {quiet.pane}", what="the jump")


def test_a_menu_that_would_not_fit_ends_in_the_number_of_the_others(
    server: TmuxServer, person: tuple[Person, str]
) -> None:
    """MNU-4: height less four entries, the last of which opens the picker."""
    for _ in range(5):
        StandIn(server)
    fcntl.ioctl(person[0].descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 8, 60, 0, 0))
    until(lambda: server("list-clients", "-F", "#{client_height}") == "8", what="the small terminal")

    with running(server, "jump", "--menu") as process:
        until(lambda: person[0].reads("… 2 more"), what="the last entry")
        person[0].type(b"q")
        assert process.wait(timeout=20) == 0


def test_a_hostile_session_name_stands_in_the_menu_as_text(server: TmuxServer, person: tuple[Person, str]) -> None:
    """SAN-2, MNU-5: tmux expands labels once, so nothing in one runs."""
    StandIn(server)
    made = server.home / "ran"
    made.with_name("t").write_text(f"#!/bin/sh\n: > {made}\n")
    made.with_name("t").chmod(0o755)
    server("set-environment", "-g", "PATH", f"{server.home}:{server.environment['PATH']}")
    server("rename-session", "-t", "=main", "##(t)#[fg=red]%H")

    with running(server, "jump", "--menu") as process:
        until(lambda: person[0].reads("#(t)#[fg=red]%H:1"), what="the entry")
        person[0].type(b"q")
        assert process.wait(timeout=20) == 0
    assert not made.exists()


def test_the_entry_of_the_others_opens_the_picker(server: TmuxServer, person: tuple[Person, str]) -> None:
    """MNU-4: in a popup, for it needs a terminal."""
    for _ in range(5):
        StandIn(server)
    fcntl.ioctl(person[0].descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 8, 60, 0, 0))
    until(lambda: server("list-clients", "-F", "#{client_height}") == "8", what="the small terminal")

    with running(server, "jump", "--menu") as process:
        until(lambda: person[0].reads("… 2 more"), what="the last entry")
        person[0].seen = b""
        person[0].type(b"\x1b[B" * 3)
        person[0].type(b"\r")
        assert process.wait(timeout=20) == 0
        until(lambda: person[0].reads("robot"), what="the picker")
