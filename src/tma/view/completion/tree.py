"""The commands with their options and arguments, and where the values of each come from."""

from collections.abc import Iterator
from typing import NamedTuple

PANES = "panes"
AGENTS = "agents"
SESSIONS = "sessions"
ACTIONS = "actions"
LIVE = (PANES, AGENTS, SESSIONS, ACTIONS)
"""The kinds of values that are asked for while completing."""

STATES = "states"
CHOICES = "choices"
FILES = "files"
DIRECTORIES = "directories"
ANYTHING = "anything"
NOTHING = ""
"""The kind of an option that takes no value."""


class Option(NamedTuple):
    """An option by its spellings, or an argument, which has none; ``choices`` are its fixed values, if any."""

    names: tuple[str, ...]
    metavar: str
    help: str
    kind: str
    choices: tuple[str, ...] = ()


class Node(NamedTuple):
    """A command, or a verb of one; ``options`` are its own, ``shared`` are selectors and global options."""

    name: str
    summary: str
    example: str
    options: tuple[Option, ...]
    shared: tuple[Option, ...]
    arguments: tuple[Option, ...]
    verbs: tuple["Node", ...]

    @property
    def all_options(self) -> tuple[Option, ...]:
        """Every option that may stand behind the name."""
        return self.options + self.shared


class Program(NamedTuple):
    """The program: its global options and its commands."""

    options: tuple[Option, ...]
    commands: tuple[Node, ...]

    @property
    def nodes(self) -> Iterator[tuple[str, Node]]:
        """Every command and verb with the words that name it."""
        for command in self.commands:
            yield command.name, command
            for verb in command.verbs:
                yield f"{command.name} {verb.name}", verb

    @property
    def valued(self) -> list[str]:
        """The spellings of every option that takes a value."""
        options = [*self.options, *(option for _, node in self.nodes for option in node.all_options)]
        return sorted({name for option in options if option.kind for name in option.names})
