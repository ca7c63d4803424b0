"""A person at a terminal: a tmux client that shows another server's session, typed into and read like a screen."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from harness import TmuxServer, private_server, until

T = TypeVar("T")
TMA = f"{sys.executable} -m tma"


class Person:
    """Someone attached to a server; what they see is the screen of a pane on a server of their own."""

    def __init__(self, desk: TmuxServer, server: TmuxServer, pane: str) -> None:
        self.desk = desk
        self.server = server
        self.pane = pane

    def type(self, *keys: str) -> None:
        """Press keys by their tmux names."""
        self.desk("send-keys", "-t", self.pane, *keys)

    def say(self, text: str) -> None:
        """Type text as it is."""
        self.desk("send-keys", "-t", self.pane, "-l", text)

    def command(self, text: str) -> None:
        """Run a tmux command at the client's own prompt."""
        self.type("C-b", ":")
        self._until(lambda: self.screen.rstrip("\n").rpartition("\n")[2].startswith(":"), "the prompt")
        self.say(text)
        self.type("Enter")

    def resize(self, width: int, height: int) -> None:
        """Make the terminal another size."""
        self.desk("resize-window", "-t", self.pane, "-x", str(width), "-y", str(height))

    @property
    def screen(self) -> str:
        """What is on the terminal."""
        return self.desk.screen(self.pane)

    @property
    def styled(self) -> str:
        """The same with its escape sequences."""
        return self.desk("capture-pane", "-p", "-e", "-t", self.pane)

    def sees(self, *words: str) -> str:
        """Wait until all words are on the terminal; the screen that has them."""

        def seen() -> str:
            screen = self.screen
            return screen if all(word in screen for word in words) else ""

        return self._until(seen, f"{words}")

    def sees_no(self, word: str) -> None:
        """Wait until a word is gone from the terminal."""
        self._until(lambda: word not in self.screen, f"no {word!r}")

    def _until(self, condition: Callable[[], T], what: str) -> T:
        try:
            return until(condition, what=what)
        except AssertionError as error:
            message = f"{error}; the terminal shows\n{self.screen}"
            raise AssertionError(message) from None

    @property
    def shown(self) -> str:
        """The pane of the server that the client shows."""
        return self.server("list-clients", "-F", "#{pane_id}").splitlines()[0]


@contextmanager
def person(server: TmuxServer, *, width: int = 120, height: int = 30) -> Iterator[Person]:
    """Someone attached to session ``main``."""
    attach = [server.binary, "-u", "-S", str(server.socket), "attach-session", "-t", "=main"]
    with at_desk(server, attach, width=width, height=height) as someone:
        until(lambda: server("list-clients", "-F", "#{client_name}"), what="an attached client")
        yield someone


@contextmanager
def at_desk(server: TmuxServer, command: list[str], *, width: int, height: int, **env: str) -> Iterator[Person]:
    """Someone whose terminal runs a command outside the server."""
    with private_server(server.binary) as desk:
        variables = [f"{name}={value}" for name, value in (server.environment | env).items() if value]
        pane = desk.start("env", "-u", "TMUX", "-u", "TMUX_PANE", *variables, *command, width=width, height=height)
        desk("set-option", "-g", "status", "off")
        desk("set-option", "-g", "remain-on-exit", "on")
        yield Person(desk, server, pane)


def popup(*words: str) -> str:
    """The tmux command line that opens the picker as the key binding does."""
    return f"display-popup -E -w 80% -h 60% '{TMA} {' '.join(words)}'"
