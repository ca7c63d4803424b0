"""Print the reference page of the command line, in Markdown, from the table of commands and their parsers."""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from tma.cli import args, table

EXIT_CODES = (
    ("0", "done, or nothing to do"),
    ("1", "failure: no tmux server, tmux missing or refusing, a broken configuration, an ambiguous target"),
    ("2", "the command line is wrong, or a terminal is needed; nothing was touched"),
    ("3", "the named target is gone, or nothing matched"),
    ("4", "a refusal, or the agent that was waited for ended while its pane lives on"),
    ("5", "another action holds the pane"),
    ("124", "the time ran out"),
    ("130, 143", "ended by SIGINT, by SIGTERM"),
    ("141", "whoever read the output closed it; for `subscribe` that is the usual end, and 0"),
)
"""Every exit code with its meaning."""

ENVIRONMENT = (
    ("TMA_SOCKET_PATH", "tmux socket to use when no option names a server; without it tmux's own rule holds"),
    ("TMA_TMUX_BIN", "tmux program to use"),
    ("TMA_CONFIG", "configuration file when `--config` is absent"),
    ("TMUX_PANE", "the pane that `act`, `mute` and `snooze` mean when none is named; tmux sets it"),
    ("TMA_DEBUG", "`1` adds a traceback to an internal error"),
)
"""The variables that a person may set, with their effect."""

_INTRO = """\
# Command line

<!-- Written by scripts/reference_cli.py from the table of commands and their parsers; change those. -->

Long options take their value as `--name value` or `--name=value` and are never abbreviated.
An option that takes a value may be given once, unless its text says otherwise; `--` ends the options.
Results go to standard output, everything else to standard error in lines that begin with `tma: `.
Text is UTF-8 whatever the locale is.

## Exit codes

| code | meaning |
|---|---|
{codes}
Hook commands always exit 0 and print nothing.

## Environment

An empty variable counts as unset.

| variable | effect |
|---|---|
{variables}"""
_HOOKS = """\
## Commands for hooks

Agents and tmux run these; help does not list them.
"""
_GLOBAL, _SELECTORS = "global options", "selectors"
_HEAD = "| option | meaning |\n|---|---|\n"


def page() -> str:
    """The whole page."""
    shown = [*table.visible(), *(command for command in table.COMMANDS if command.hook)]
    parsers = {command.name: _parser(command) for command in shown}
    shared = [_shared(parsers["ls"], title) for title in (_GLOBAL, _SELECTORS)]
    visible = [_section(command.name, parsers[command.name], "##") for command in table.visible()]
    hooks = [_section(command.name, parsers[command.name], "###") for command in shown if command.hook]
    codes = "".join(f"| {code} | {meaning} |\n" for code, meaning in EXIT_CODES)
    variables = "".join(f"| `{name}` | {effect} |\n" for name, effect in ENVIRONMENT)
    intro = _INTRO.format(codes=codes, variables=variables)
    return "\n".join([intro, *shared, *visible, _HOOKS, *hooks])


def _parser(command: table.Command) -> args.Parser:
    return args.add_command(args.Program().add_commands(), command)


def _shared(parser: args.Parser, title: str) -> str:
    group = next(group for group in parser._action_groups if group.title == title)  # noqa: SLF001
    return f"## {title.capitalize()}\n\n{group.description}\n\n{_HEAD}{_rows(group._group_actions)}"  # noqa: SLF001


def _section(name: str, parser: args.Parser, level: str) -> str:
    own = [action for group in parser._action_groups if _is_own(group) for action in group._group_actions]  # noqa: SLF001
    verbs = [action for action in own if isinstance(action, argparse._SubParsersAction)]  # noqa: SLF001
    options = [action for action in own if action not in verbs and not _is_left_out(action)]
    selects = any(group.title == _SELECTORS for group in parser._action_groups)  # noqa: SLF001
    text = f"{level} `tma {name}`\n\n{parser.description}\n\n```sh\n{parser.usage}\n```\n"
    if selects:
        text += "\nTakes the [selectors](#selectors).\n"
    if options:
        text += f"\n{_HEAD}{_rows(options)}"
    text += f"\nExample: `{parser.example}`\n"
    inner = [_section(f"{name} {verb}", sub, f"{level}#") for action in verbs for verb, sub in action.choices.items()]
    return "\n".join([text, *inner])


def _is_own(group: argparse._ArgumentGroup) -> bool:
    return group.title not in (_GLOBAL, _SELECTORS)


def _is_left_out(action: argparse.Action) -> bool:
    return action.dest in ("help", "version") or action.help == argparse.SUPPRESS


def _rows(actions: list[argparse.Action]) -> str:
    return "".join(f"| {_spelling(action)} | {action.help} |\n" for action in actions)


def _spelling(action: argparse.Action) -> str:
    value = action.metavar or (f"{'|'.join(action.choices)}" if action.choices else "")
    names = action.option_strings or [""]
    return ", ".join(f"`{f'{name} {value}'.strip()}`" for name in names).replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(page())
