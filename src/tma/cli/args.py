"""The argument parsers: global options and selectors declared once, every command's own by itself."""

import argparse
from functools import partial
from importlib import import_module

from tma import __version__
from tma.cli import table
from tma.core.errors import UsageError
from tma.core.selector import TOKENS, Selection, parse_states
from tma.core.state import is_pane_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence
    from typing import Any, NoReturn

VALUED = ("--socket-name", "--socket-path", "--manifest-dir", "--config", "-c", "--client")
"""The global options that take a value."""

_NARROW = partial(argparse.HelpFormatter, width=80)
"""argparse makes a formatter for each option that is declared; looking for the terminal's width loads much."""

_USAGE = "tma [options] COMMAND ..."
_NAME_CELLS = 16


class Once(argparse.Action):
    """Stores a value and refuses a second one, wherever the first one stood (CLI-2)."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: "str | Sequence[Any] | None",
        option_string: str | None = None,
    ) -> None:
        """Store the value."""
        given = parser.given if isinstance(parser, Parser) else set()
        if option_string and self.dest in given:
            parser.error(f"{option_string} was given twice")
        given.add(self.dest)
        setattr(namespace, self.dest, values)


class Parser(argparse.ArgumentParser):
    """A parser with the global options that takes no abbreviation and raises what it refuses.

    ``given`` is shared by the program's parser and its commands', so that an option may stand
    before or after the command, but only once. Registered for ``type=``: ``pane``, ``states``,
    ``duration``, ``name``, ``client`` and ``verbatim``.
    """

    def __init__(self, *, given: set[str] | None = None, example: str = "", **settings: "Any") -> None:  # noqa: ANN401
        """Build an argparse parser; ``example`` is a command line that help ends with."""
        super().__init__(allow_abbrev=False, formatter_class=_NARROW, **settings)
        self.usage = f"{self.prog} [options]"
        self.color = False
        self.given = set() if given is None else given
        self.example = example
        for action in (None, "store"):
            self.register("action", action, Once)
        for name, check in (
            ("pane", _pane),
            ("states", _states),
            ("duration", _duration),
            ("name", _name),
            ("client", _client),
            ("verbatim", _verbatim),
        ):
            self.register("type", name, check)
        _add_global_options(self)

    def add_argument(self, *names: str, **settings: "Any") -> argparse.Action:  # noqa: ANN401
        """Add an argument; usage names the positional ones and counts the rest as options."""
        if names and not names[0].startswith("-"):
            self.usage = f"{self.usage} {settings['metavar']}"
        return super().add_argument(*names, **settings)

    def add_subparsers(self, **settings: "Any") -> "Any":  # noqa: ANN401
        """Add commands below this one, which share what was given."""
        self.usage = f"{self.usage} {settings['metavar']} ..."
        settings |= {"prog": self.prog, "parser_class": partial(Parser, given=self.given)}
        return super().add_subparsers(**settings)

    def error(self, message: str) -> "NoReturn":
        """Raise the refusal; nothing is printed here."""
        raise UsageError(message, f"{self.prog} --help shows what it takes")

    def format_help(self) -> str:
        """Help text that ends with the example."""
        self.formatter_class = argparse.HelpFormatter
        text = super().format_help()
        return f"{text}\nexample:\n  {self.example}\n" if self.example else text


class Program(Parser):
    """The parser of ``tma`` itself; its help lists the commands from the table."""

    def __init__(self) -> None:
        """Build it without any command."""
        super().__init__(
            prog="tma",
            description="See which coding agents run in tmux and which of them wait for you.",
        )
        self.usage = _USAGE

    def add_commands(self) -> "argparse._SubParsersAction[Parser]":
        """Make room for commands; help lists them from the table, whether or not they are added."""
        commands: argparse._SubParsersAction[Parser] = self.add_subparsers(
            dest="command", metavar="COMMAND", help=argparse.SUPPRESS
        )
        self.usage = _USAGE
        return commands

    def format_help(self) -> str:
        """Help text with every visible command."""
        return f"{super().format_help()}\ncommands:\n{command_lines()}\nexample:\n  tma ls\n"


def parse(argv: list[str], command: table.Command) -> argparse.Namespace:
    """What a command line says; only the named command is imported.

    Raises:
        UsageError: something in it is not understood.
    """
    root = Program()
    parser = add_command(root.add_commands(), command)
    verbatim = getattr(import_module(command.module), "VERBATIM", {})
    argv = _without_idle_marks(argv, {flag for flag, takes_any in verbatim.items() if takes_any})
    args, unknown = root.parse_known_args(_guarded(argv, verbatim))
    if unknown:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    if {"socket_name", "socket_path"} <= vars(args).keys():
        parser.error("--socket-name and --socket-path exclude each other")
    if command.selects:
        args.selection = Selection.of(args)
    return args


def _without_idle_marks(argv: list[str], greedy: "Container[str]") -> list[str]:
    """The words less a ``--`` before the command, and one behind which nothing stands (CLI-2).

    Behind a greedy option it is that option's value.
    """
    marks = (at for at, word in enumerate(argv) if word == "--" and (at == 0 or argv[at - 1] not in greedy))
    first = next(marks, -1)
    if first < 0:
        return argv
    values = [at + 1 for at, word in enumerate(argv[:first]) if word in VALUED]
    before_command = all(word.startswith("-") or at in values for at, word in enumerate(argv[:first]))
    idle = before_command or first == len(argv) - 1
    return [*argv[:first], *argv[first + 1 :]] if idle else argv


def _guarded(argv: list[str], options: "Mapping[str, bool]") -> list[str]:
    """The values of these options behind a mark that the type ``verbatim`` takes off: argparse drops a bare ``--``.

    An option that is true takes its next argument whatever it begins with.
    """
    words = iter(argv)
    guarded: list[str] = []
    for word in words:
        if word == "--":
            return [*guarded, word, *words]
        flag, equals, value = word.partition("=")
        if flag in options and not equals:
            following = next(words, None)
            if following is None or (following.startswith("-") and not options[flag]):
                guarded += [word] if following is None else [word, following]
                continue
            equals, value = "=", following
        guarded.append(f"{flag}=={value}" if flag in options else word)
    return guarded


def add_command(commands: "argparse._SubParsersAction[Parser]", command: table.Command) -> Parser:
    """Add a command's parser to the program's."""
    parser = commands.add_parser(
        command.name, description=command.summary, example=command.example, help=command.summary
    )
    if command.selects:
        _add_selectors(parser)
    import_module(command.module).declare(parser)
    return parser


def command_lines() -> str:
    """Each visible command with its summary, wrapped to the terminal."""
    # Only help needs these.
    import shutil
    import textwrap

    width = max(_NAME_CELLS + 8, shutil.get_terminal_size().columns - 2)
    indent = " " * _NAME_CELLS
    return "".join(
        textwrap.fill(row.summary, width, initial_indent=f"  {row.name:<{_NAME_CELLS - 2}}", subsequent_indent=indent)
        + "\n"
        for row in table.visible()
    )


def _add_global_options(parser: Parser) -> None:
    """SUPPRESS leaves an option that was not given out, so that a command's parser undoes nothing."""
    parser.add_argument("-V", "--version", action="version", version=f"tma {__version__}")
    group = parser.add_argument_group("global options", "Before or after the command.")
    add = partial(group.add_argument, default=argparse.SUPPRESS)
    add("--socket-name", metavar="NAME", type="name", help="use the tmux server of this name (tmux -L)")
    add("--socket-path", metavar="PATH", type="name", help="use the tmux server on this socket (tmux -S)")
    add("--manifest-dir", metavar="DIR", type="name", help="load agent manifests from this directory only")
    add("--config", metavar="PATH", type="name", help="read this configuration file")
    add("-c", "--client", metavar="NAME", type="client", help="the tmux client that acts")
    add("--debug-timing", action="store_true", help="say on standard error what a cycle cost")


def _add_selectors(parser: Parser) -> None:
    group = parser.add_argument_group("selectors", "A row is shown if all of them match.")
    group.add_argument("--session", metavar="NAME", type="name", help="panes of this tmux session")
    group.add_argument("--repo", metavar="NAME", type="name", help="panes in this repository or a worktree of it")
    group.add_argument("--branch", metavar="NAME", type="name", help="panes on this branch; HEAD when detached")
    group.add_argument("--agent", metavar="NAME", type="name", help="panes of this agent")
    group.add_argument(
        "--state", metavar="LIST", type="states", help=f"panes in one of these states: {', '.join(TOKENS)}"
    )


def _pane(text: str) -> str:
    if not is_pane_id(text):
        message = f"{text!r} is no pane id, which is % and a number"
        raise argparse.ArgumentTypeError(message)
    return text


def _states(text: str) -> frozenset[str]:
    try:
        return parse_states(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _duration(text: str) -> int:
    from tma.core.events import mute

    try:
        return mute.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _name(text: str) -> str:
    if not text:
        message = "needs a value"
        raise argparse.ArgumentTypeError(message)
    return text


def _verbatim(text: str) -> str:
    return text[1:]


def _client(text: str) -> str:
    """A client's name; a key binding's unexpanded format counts as absent (GLO-3)."""
    return "" if not text.strip() or "#{" in text else text
