"""The action menu on a real client: what is pressed is what was built, and nothing that anybody wrote runs."""

import os
import select
import shlex
import stat
import sys
from pathlib import Path

import pytest

from actor import IDLE, PERMISSION, PLAN, Actor, configure, user_action
from harness import ROOT, TmuxServer, until

FRESH = "[fold]\nfreshness_secs = 3600\n"
NAMES = ["plain", "it's", 'a "b"', "#{pane_id}", "#(touch x)", "$HOME", "a;b", "a b;"]


class Screen:
    """What a person's terminal was sent."""

    def __init__(self, terminal: int) -> None:
        self.terminal = terminal
        self.text = ""

    def shows(self, words: str) -> bool:
        """Whether the words came by now."""
        while select.select([self.terminal], [], [], 0)[0]:
            self.text += os.read(self.terminal, 65536).decode("utf-8", "replace")
        return words in self.text

    def press(self, key: str) -> None:
        """Type a key."""
        self.text = ""
        os.write(self.terminal, key.encode())


def open_menu(server: TmuxServer, actor: Actor, program: Path, *words: str) -> None:
    """Open the menu in the background, as a key binding does."""
    command = shlex.join((str(program), *words, "act", "--menu", "--pane", actor.pane))
    server(
        "run-shell",
        "-b",
        command.replace("#", "##") + f" >{server.home}/menu.out 2>&1; echo $? >{server.home}/menu.code",
    )


def program(server: TmuxServer, name: str = "tma") -> Path:
    """The program as a script of any name."""
    directory = server.home / name.replace("/", "_")
    directory.mkdir(exist_ok=True)
    script = directory / "tma"
    script.write_text(
        f'#!{server.home}/python\nimport sys\nsys.path.insert(0, "{ROOT}/src")\nfrom tma.cli.main import main\nmain()\n'
    )
    interpreter = server.home / "python"
    if not interpreter.exists():
        interpreter.symlink_to(Path(os.path.realpath(sys.executable)))
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return script


def attached(server: TmuxServer, actor: Actor) -> None:
    """Show the agent's window to the client."""
    server("select-window", "-t", actor.pane)


@pytest.mark.parametrize("name", NAMES)
def test_a_chosen_entry_answers_what_the_menu_showed(server: TmuxServer, name: str) -> None:
    """ACT-MENU-1 to ACT-MENU-3, FZ-7: whatever the program's path is called."""
    server.start()
    configure(server, FRESH)
    actor = Actor(server)
    actor.block(pending_call="toolu:1.a")
    attached(server, actor)
    with server.client() as terminal:
        screen = Screen(terminal)
        open_menu(server, actor, program(server, name))
        until(lambda: screen.shows("Approve") and screen.shows("Deny"), what=f"the menu; {screen.text!r}")
        assert "Interrupt" not in screen.text
        assert actor.heard == b""
        screen.press("1")
        actor.hears(b"1")
    assert not list(server.home.glob("**/x"))


def test_an_older_menu_answers_nothing(any_server: TmuxServer) -> None:
    """SEC threats: the entry carries the episode; the client is told why, and the pane enters no mode."""
    any_server.start()
    configure(any_server, FRESH)
    actor = Actor(any_server)
    first = actor.block()
    attached(any_server, actor)
    with any_server.client() as terminal:
        screen = Screen(terminal)
        open_menu(any_server, actor, program(any_server))
        until(lambda: screen.shows("Approve"), what="the menu")
        until(lambda: actor.block() > first, what="the next prompt")
        screen.press("1")
        until(lambda: screen.shows("episode-changed"), what=f"the note; {screen.text!r}")
    assert any_server.show(actor.pane, "#{pane_in_mode}") == "0"
    assert actor.heard_nothing()


def test_a_question_fires_only_on_a_second_key(any_server: TmuxServer) -> None:
    """ACT-MENU-4, SEC-P-2: No stands first, so Enter fires nothing; ``y`` does."""
    any_server.start()
    configure(any_server, FRESH)
    user_action(any_server, "risky", 'kind = "keys"\nconfirm = true\n[keys]\nclaude = ["9"]\n')
    actor = Actor(any_server)
    actor.block()
    attached(any_server, actor)
    with any_server.client() as terminal:
        screen = Screen(terminal)

        def ask(answer: str) -> None:
            until(lambda: not screen.shows("\0"), what="a quiet terminal")
            open_menu(any_server, actor, program(any_server))
            until(lambda: screen.shows("risky"), what="the menu")
            screen.press("3")
            until(lambda: screen.shows("fire risky on"), what=f"the question; {screen.text!r}")
            assert actor.heard == b""
            screen.press(answer)

        ask("\r")
        ask("n")
        ask("y")
        actor.hears(b"9")


def test_a_hostile_label_is_only_shown(any_server: TmuxServer) -> None:
    """SAN-2, MNU-5, FC-31: no format, no style, no separator; a leading dash does not disable it."""
    any_server.start()
    configure(any_server, FRESH)
    mark = any_server.home / "touched"
    action = 'kind = "keys"\n[keys]\nclaude = ["{}"]\n'
    for number, label in enumerate([f"#(touch {mark})", "-dash", "ends;", "#[fg=red]x", "#{pane_id}"]):
        path = user_action(any_server, f"own{number}", action.format(number))
        path.write_text(path.read_text().replace(f'label = "own{number}"', f"label = '{label}'"))
    actor = Actor(any_server)
    actor.block()
    attached(any_server, actor)
    with any_server.client() as terminal:
        screen = Screen(terminal)
        open_menu(any_server, actor, program(any_server))
        for shown in ("#(touch", "-dash", "ends;", "#[fg=red]x", "#{pane_id}"):
            until(lambda shown=shown: screen.shows(shown), what=f"{shown}; {screen.text!r}")
        screen.press("5")
        actor.hears(b"2")
    assert not mark.exists()


def test_nothing_to_fire_is_no_menu(server: TmuxServer) -> None:
    """ACT-MENU-1, ACT-TEXT-5: exit 0 with a note; a line cannot be typed from a menu."""
    server.start()
    configure(server, FRESH)
    actor = Actor(server, screen=IDLE)
    actor.stamp("idle")
    done = server.tma("act", "--menu", "--pane", actor.pane)
    assert (done.returncode, done.stdout) == (0, "")
    assert "nothing can be fired" in done.stderr
    actor.show(PLAN)
    actor.stamp("blocked", "plan")
    assert "nothing can be fired" in server.tma("act", "--menu", "--pane", actor.pane).stderr


def test_without_a_client_there_is_no_menu(server: TmuxServer) -> None:
    """MNU-1: exit 1."""
    server.start()
    configure(server, FRESH)
    actor = Actor(server, screen=PERMISSION)
    actor.block()
    done = server.tma("act", "--menu", "--pane", actor.pane)
    assert (done.returncode, done.stdout) == (1, "")
    assert "no client" in done.stderr
