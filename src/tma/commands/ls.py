"""``tma ls``: one line or one JSON object for every agent."""

import sys

from tma.services.rows import detect
from tma.view import listing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tma.services.runtime import Runtime


def declare(parser: "ArgumentParser") -> None:
    """The command's own options."""
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of lines")
    parser.add_argument("--pane", metavar="ID", type="pane", help="keep the row of this pane only")


def run(args: "Namespace", runtime: "Runtime") -> int:
    """Print the selected rows in attention order (LS-1 to LS-5)."""
    rows, _ = detect(runtime, args.selection, labels=True)
    if args.pane is not None:
        rows = [row for row in rows if row.pane == args.pane]
    sys.stdout.write(listing.ls_document(rows) if args.json else "".join(map(listing.line, rows)))
    return 0
