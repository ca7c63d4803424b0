"""``tma install-keys``: key bindings in a file of tma's own, loaded by one line of the tmux configuration."""

from tma.adapters import system
from tma.core.errors import FAILURE, OK, TmaError, UsageError
from tma.install.console import Console
from tma.install.findings import tmux_version
from tma.install.keybindings import Keybindings
from tma.install.setup import Setup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tma.services.runtime import Runtime

_CLICKABLE = (3, 4)


def declare(parser: "ArgumentParser") -> None:
    """The command's own options."""
    parser.add_argument("--uninstall", action="store_true", help="remove the bindings and the line")
    parser.add_argument("--check", action="store_true", help="only say what is missing; exit 1 if anything is")
    parser.add_argument("--mouse", action="store_true", help="also bind clicks on the status line")
    parser.add_argument("--no-daemon", action="store_true", help="leave out the line that starts the daemon")
    parser.add_argument("--yes", action="store_true", help="do not ask; leave out keys that are taken")
    parser.add_argument("--force-keys", action="store_true", help="take keys that are bound to something else")
    parser.add_argument("--conf", metavar="PATH", type="name", help="the tmux configuration that loads the bindings")
    parser.add_argument("--config-dir", metavar="DIR", type="name", help="where tma keeps the bindings")


def run(args: "Namespace", runtime: "Runtime") -> int:
    """Install, check or remove (IKY-1 to IKY-7)."""
    if args.check and args.uninstall:
        message = "--check and --uninstall exclude each other"
        raise UsageError(message)
    setup = Setup(runtime, Console(yes=args.yes), system.environment(), {"config_dir": args.config_dir or ""})
    bindings = Keybindings(setup, conf=args.conf or "", mouse=args.mouse, launcher=not args.no_daemon)
    if args.check:
        return _check(setup, bindings)
    if args.uninstall:
        return OK if bindings.uninstall() else FAILURE
    if not bindings.install(force=args.force_keys, yes=args.yes):
        return FAILURE
    _advise(setup, bindings, mouse=args.mouse)
    return OK


def _check(setup: Setup, bindings: Keybindings) -> int:
    findings = bindings.findings()
    for finding in findings:
        setup.console.note(finding)
    if findings:
        return FAILURE
    setup.console.result("tma: keybindings OK")
    return OK


def _advise(setup: Setup, bindings: Keybindings, *, mouse: bool) -> None:
    """IKY-7, KYS-5: the file is not loaded here."""
    setup.console.result(bindings.advice)
    setup.console.note("put `#(tma status)` into status-right to see the counts")
    if mouse:
        setup.console.note("clicks need `set -g mouse on` in your tmux configuration")
        try:
            version = tmux_version(setup.facts.version) if setup.facts else ()
        except TmaError:
            version = ()
        if version and version < _CLICKABLE:
            setup.console.note("this tmux is older than 3.4: the counts will not be clickable")
