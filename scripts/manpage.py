"""Print the manual page, in roff, from the table of commands and their parsers."""

import sys
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from reference_cli import ENVIRONMENT, EXIT_CODES

from tma import __version__
from tma.cli import tree
from tma.view.completion.tree import Node, Option

_SELECTORS = ("--session", "--repo", "--branch", "--agent", "--state")
_HEAD = """\
.\\" Written by scripts/manpage.py from the table of commands and their parsers; change those.
.TH TMA 1 "" "tma {version}" "User Commands"
.SH NAME
tma \\- see which coding agents run in tmux and which of them wait for you
.SH SYNOPSIS
.B tma
[\\fIoptions\\fR] \\fICOMMAND\\fR ...
.SH DESCRIPTION
For every pane of a tmux server
.B tma
tells which coding agent runs there and whether it is blocked, working, done, idle or unreadable.
Results go to standard output, everything else to standard error in lines that begin with \\(lqtma:\\(rq.
A long option takes its value as \\-\\-\\fIname value\\fR or \\-\\-\\fIname\\fR=\\fIvalue\\fR, and is never abbreviated.
"""


def page() -> str:
    """The whole page."""
    program = tree.program()
    shared = [option for node in program.commands for option in node.shared if option.names[0] in _SELECTORS]
    return "".join(
        [
            _HEAD.format(version=__version__),
            _section("global options", "Before or after the command."),
            *map(_option, program.options),
            _section("selectors", "A row is shown if all of them match. Commands that take them say so."),
            *map(_option, dict.fromkeys(shared)),
            _section("commands"),
            *(_command(path, node, program.options) for path, node in program.nodes),
            _section("exit status", "One meaning everywhere. Hook commands always exit 0."),
            *_table(EXIT_CODES),
            _section("environment", "An empty variable counts as unset."),
            *_table(ENVIRONMENT),
            ".SH SEE ALSO\n.BR tmux (1)\n",
        ]
    )


def _command(path: str, node: Node, common: tuple[Option, ...]) -> str:
    arguments = " ".join(argument.metavar for argument in node.arguments)
    line = f"tma {path} [options] {arguments}".rstrip()
    selects = any(option.names[0] in _SELECTORS for option in node.shared)
    text = f".SS {_roff(line)}\n{_line(node.summary)}"
    text += _line("Takes the selectors.") if selects else ""
    text += "".join(_option(option) for option in (*node.arguments, *node.options) if option not in common)
    return f"{text}.PP\nExample:\n.B {_roff(node.example)}\n"


def _option(option: Option) -> str:
    names = ", ".join(f"\\fB{_roff(name)}\\fR" for name in option.names)
    return f".TP\n{' '.join(part for part in (names, _italic(option.metavar)) if part)}\n{_line(option.help)}"


def _table(rows: Iterable[tuple[str, str]]) -> Iterable[str]:
    return (f".TP\n\\fB{_roff(name)}\\fR\n{_line(meaning.replace('`', ''))}" for name, meaning in rows)


def _section(title: str, text: str = "") -> str:
    return f".SH {title.upper()}\n{_line(text) if text else ''}"


def _italic(text: str) -> str:
    return f"\\fI{_roff(text)}\\fR" if text else ""


def _line(text: str) -> str:
    """Text on a line of its own, where a leading dot or quote would be a request."""
    return ("\\&" if text[:1] in "'." else "") + _roff(text) + "\n"


def _roff(text: str) -> str:
    return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")


if __name__ == "__main__":
    sys.stdout.write(page())
