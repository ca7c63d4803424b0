"""``tma attach``: show an agent's pane on this terminal, from outside tmux."""

import os
import sys

from tma.adapters import system
from tma.core.errors import OK, UsageError
from tma.services import attach, jump
from tma.view import shellword

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tma.services.runtime import Runtime


def declare(parser: "ArgumentParser") -> None:
    """The command's own options."""
    parser.add_argument("--pane", metavar="ID", type="pane", required=True, help="the pane to show")
    parser.add_argument("--print", action="store_true", help="select the pane and print the command that attaches")


def run(args: "Namespace", runtime: "Runtime") -> int:
    """Inside tmux jump to the pane; outside become the tmux that shows it (ATC-1 to ATC-5)."""
    if system.env("TMUX"):
        jump.to_agent(runtime, args.pane)
        if args.print:
            runtime.note("inside tmux there is no attach command to print")
        return OK
    if not (args.print or sys.stdin.isatty()):
        message = "attaching needs a terminal"
        raise UsageError(message, "tma attach --print prints the command to run in one")
    words = attach.select(runtime, args.pane)
    if not args.print:
        os.execv(words[0], words)  # noqa: S606  # the terminal becomes tmux's
    sys.stdout.write(shellword.line(words))
    return OK
