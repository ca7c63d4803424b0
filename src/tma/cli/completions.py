"""``tma completions``: a script for a shell, and the values that it asks for while it completes.

It stands here and not with the other commands because it is made of the parsers of all of them.
"""

import argparse
import sys

from tma.adapters import system
from tma.cli.tree import program
from tma.core.errors import OK, UsageError
from tma.services import cache, completing, runtime
from tma.view.completion import bash, fish, tree, zsh

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tma.services.cache import Options

SCRIPTS = {"bash": bash.script, "zsh": zsh.script, "fish": fish.script}


def declare(parser: "ArgumentParser") -> None:
    """The shell; the kind of values is between the scripts and us."""
    parser.add_argument("shell", metavar="SHELL", nargs="?", choices=SCRIPTS, help="the shell: bash, zsh or fish")
    parser.add_argument("--values", metavar="KIND", choices=tree.LIVE, help=argparse.SUPPRESS)


def run(args: "Namespace", options: "Options") -> int:
    """Print a script, or live values, which are none where anything fails (CMP-1)."""
    if (args.shell is None) is (args.values is None):
        message = "a shell is needed"
        raise UsageError(message, f"one of {', '.join(SCRIPTS)}")
    if args.shell is not None:
        sys.stdout.write(SCRIPTS[args.shell](program()))
        return OK
    try:
        found = _values(args.values, options)
    except Exception:  # noqa: BLE001  # a shell that completes shows whatever is said in the middle of the line
        return OK
    sys.stdout.write("".join(f"{value}\n" for value in found))
    return OK


def _values(kind: str, options: "Options") -> list[str]:
    env = system.environment()
    document = cache.load(config_path=options.config, manifest_dir=options.manifest_dir, env=env)
    return completing.values(runtime.connect(options, document), kind)
