"""``tma doctor``: what is wired, what is not, and the command that mends it; it only looks."""

import sys

from tma.adapters import system
from tma.core.errors import FAILURE, OK, TmuxGoneError
from tma.install import findings
from tma.install.console import Console
from tma.install.health import Health
from tma.install.setup import Setup
from tma.view import doctor, jsonline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tma.services.runtime import Runtime


def declare(parser: "ArgumentParser") -> None:
    """The command's own options."""
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--exit-code", action="store_true", help="exit 1 where anything could be better")


def run(args: "Namespace", runtime: "Runtime") -> int:
    """Examine and report (CDO-1, CDO-2)."""
    setup = Setup(runtime, Console(yes=False), system.environment(), {})
    try:
        health = Health(setup)
    except TmuxGoneError as error:
        if pid := findings.hidden_server(setup):
            message = f"{error}: the server, process {pid}, runs, but its socket file is gone"
            raise TmuxGoneError(message, f"kill -USR1 {pid} makes it again") from None
        raise
    report = health.document
    document = jsonline.document(report.items())
    sys.stdout.write(document if args.json else doctor.text(report, health.reasons, health.extra))
    if not args.exit_code:
        return OK
    warned, low = doctor.warnings(report, health.extra), doctor.below_reach(report)
    panes = "1 pane below its tier" if low == 1 else f"{low} panes below their tier"
    setup.console.note(f"{warned} warning{'' if warned == 1 else 's'}, {panes}")
    return FAILURE if warned or low else OK
