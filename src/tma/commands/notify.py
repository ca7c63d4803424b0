"""``tma notify``: what tma starts to tell a notice, or to hand it to push services; not for people."""

import sys

from tma.adapters import system
from tma.core.errors import OK
from tma.services.notify import errand, push
from tma.services.notify.results import Records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tma.services.runtime import Runtime


def declare(parser: "ArgumentParser") -> None:
    """The command's own argument."""
    parts = ["deliver", "push"]
    parser.add_argument("part", metavar="PART", choices=parts, help="all sinks of a notice, or its push services")


def run(args: "Namespace", runtime: "Runtime") -> int:
    """Read the order from standard input and carry it out; how it goes is in the records."""
    order = errand.read_order()
    if args.part == "deliver":
        errand.serve(runtime, order)
        return OK
    outcomes = list(push.serve(order, Records(system.environment(), runtime.now_ms)))
    for outcome in outcomes:
        sys.stdout.write(f"{outcome.target}\t{outcome.result}\t{outcome.detail}\n")
    return OK
