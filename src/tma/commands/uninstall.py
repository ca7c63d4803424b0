"""``tma uninstall``: undo every installation, and say what is left."""

import sys

from tma.adapters import system
from tma.core.errors import FAILURE, OK
from tma.install import removal
from tma.install.console import Console
from tma.install.keybindings import Keybindings
from tma.install.setup import Setup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tma.services.runtime import Runtime


def declare(parser: "ArgumentParser") -> None:
    """The command's own options."""
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--purge", action="store_true", help="also remove tma's cache, state and backups")
    parser.add_argument("--dry-run", action="store_true", help="only print what would go")
    parser.add_argument("--conf", metavar="PATH", type="name", help="the tmux configuration that loads the bindings")
    parser.add_argument("--config-dir", metavar="DIR", type="name", help="where tma keeps bindings and records")


def run(args: "Namespace", runtime: "Runtime") -> int:
    """Remove everything (UNI-1 to UNI-3, RMV-1)."""
    setup = Setup(runtime, Console(yes=args.yes), system.environment(), {"config_dir": args.config_dir or ""})
    bindings = Keybindings(setup, conf=args.conf or "")
    going = removal.foreseen(setup, bindings, purge=args.purge)
    if args.dry_run:
        setup.console.note("this would be touched:" if going else "nothing is installed")
        sys.stdout.write("".join(f"{line}\n" for line in going))
        return OK
    setup.console.note("\n".join(["this will touch:", *going]) if going else "nothing is installed")
    done = removal.remove(setup, bindings, purge=args.purge)
    for path in removal.left(setup):
        setup.console.note(f"left: {path}")
    return OK if done else FAILURE
