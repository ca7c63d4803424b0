"""The real parsers as plain records, for what is generated from them: completions and the manual page."""

import argparse

from tma.cli import args, table
from tma.core.selector import TOKENS
from tma.view.completion import tree
from tma.view.completion.tree import Node, Option, Program

_BY_TYPE = {"pane": tree.PANES, "states": tree.STATES}
_BY_METAVAR = {"PANE": tree.PANES, "FILE": tree.FILES, "PATH": tree.FILES, "DIR": tree.DIRECTORIES}
_BY_DEST = {"session": tree.SESSIONS, "agent": tree.AGENTS}
_BY_PLACE = {("act", "name"): tree.ACTIONS}
_OWN = {"options", "positional arguments"}


def program() -> Program:
    """The visible commands with every option that is not hidden (CLI-7)."""
    root = args.Program()
    commands = root.add_commands()
    nodes = [_node(each.name, each.summary, args.add_command(commands, each)) for each in table.visible()]
    return Program(_options(root, "", own=True) + _options(root, "", own=False), tuple(nodes))


def _node(name: str, summary: str, parser: args.Parser) -> Node:
    below = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]  # noqa: SLF001
    verbs = [_node(verb, str(sub.description), sub) for each in below for verb, sub in each.choices.items()]
    arguments = [
        _record(action, name)
        for action in parser._actions  # noqa: SLF001
        if not action.option_strings and action not in below
    ]
    own, shared = (_options(parser, name, own=own) for own in (True, False))
    return Node(name, summary, parser.example, own, shared, tuple(arguments), tuple(verbs))


def _options(parser: args.Parser, command: str, *, own: bool) -> tuple[Option, ...]:
    """The options of a parser: its own, or those of its titled groups, which it has in common with others."""
    return tuple(
        _record(action, command)
        for group in parser._action_groups  # noqa: SLF001
        if (group.title in _OWN) is own
        for action in group._group_actions  # noqa: SLF001
        if action.option_strings and action.help != argparse.SUPPRESS
    )


def _record(action: argparse.Action, command: str) -> Option:
    choices = tuple(map(str, action.choices or ()))
    kind = tree.NOTHING if action.nargs == 0 else _kind(action, command)
    metavar = action.metavar if isinstance(action.metavar, str) else "|".join(choices)
    return Option(
        tuple(action.option_strings), metavar, str(action.help), kind, TOKENS if kind == tree.STATES else choices
    )


def _kind(action: argparse.Action, command: str) -> str:
    if action.choices:
        return tree.CHOICES
    found = _BY_PLACE.get((command, action.dest)) or _BY_TYPE.get(str(action.type)) or _BY_DEST.get(action.dest)
    return found or _BY_METAVAR.get(str(action.metavar), tree.ANYTHING)
