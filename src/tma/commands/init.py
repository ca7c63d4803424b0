"""``tma init``: from nothing to a working setup, with a question before every write."""

import sys

from tma.adapters import system
from tma.core.errors import FAILURE, OK
from tma.install import keeping, starting
from tma.install.console import Console
from tma.install.health import Health
from tma.install.keybindings import Keybindings
from tma.install.setup import Setup
from tma.view import doctor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tma.services.runtime import Runtime


def declare(parser: "ArgumentParser") -> None:
    """The command's own options."""
    parser.add_argument("--yes", action="store_true", help="do not ask; leave out keys that are taken")
    parser.add_argument("--force-keys", action="store_true", help="take keys that are bound to something else")
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--daemon", action="store_true", help="also start the daemon now")
    either.add_argument("--no-daemon", action="store_true", help="bind keys without the line that starts the daemon")
    parser.add_argument("--conf", metavar="PATH", type="name", help="the tmux configuration that loads the bindings")
    parser.add_argument("--config-dir", metavar="DIR", type="name", help="where tma keeps bindings and records")


def run(args: "Namespace", runtime: "Runtime") -> int:
    """Every step in its order (INI-1 to INI-3)."""
    console = Console(yes=args.yes, enter_is_yes=True)
    setup = Setup(runtime, console, system.environment(), {"config_dir": args.config_dir or ""})
    if not args.yes and not sys.stdin.isatty():
        console.note("there is no terminal to answer on: every question will be declined (--yes answers them)")
    bindings = Keybindings(setup, conf=args.conf or "", launcher=not args.no_daemon)
    done = starting.wire(setup)
    starting.show_status_line(setup, bindings.conf)
    done = starting.bind(setup, bindings, force=args.force_keys, yes=args.yes) and done
    done = starting.attempted(setup, "daemon", lambda: _helped(setup, start=args.daemon)) and done
    done = starting.attempted(setup, "doctor", lambda: _examined(setup)) and done
    return OK if done else FAILURE


def _helped(setup: Setup, *, start: bool) -> bool:
    """Offer to replace a daemon of another version, and start one where that is wanted."""
    return keeping.offer_restart(setup) and (not start or keeping.start(setup))


def _examined(setup: Setup) -> bool:
    """Print the doctor's report, which never changes the exit code."""
    health = Health(setup)
    sys.stdout.write(f"\n{doctor.text(health.document, health.reasons, health.extra)}")
    return True
