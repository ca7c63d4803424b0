"""``tma watch``: a dashboard of the agents for a window of its own."""

import argparse

from tma.core.errors import OK
from tma.core.selector import NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tma.services.runtime import Runtime


def declare(parser: "ArgumentParser") -> None:
    """The command's own options."""
    parser.add_argument("--table", action="store_true", help="start with the table and not with a preview")
    parser.add_argument(
        "--temporary-session",
        action="store_true",
        help="open it in a session of its own, which ends with it, and go there",
    )
    parser.add_argument("--origin", metavar="ID", type="pane", help=argparse.SUPPRESS)


def run(args: "Namespace", runtime: "Runtime") -> int:
    """Show the selected agents until a person leaves (WAT-6, TMP-1)."""
    if args.temporary_session:
        from tma.services import temporary

        temporary.open_session(runtime, _own_words(args))
        return OK
    from tma.tui import start
    from tma.view.frame import draw_watch
    from tma.view.watch import Watch

    stage = start.prepare(runtime, args.selection, origin=args.origin or "")
    options = start.options(stage, hidden=frozenset(), jump_leaves=bool(args.origin))
    model = Watch(options, table=args.table)
    selecting = any(getattr(args, name) is not None for name in NAMES)
    return start.run(stage, model, lambda theme: draw_watch(model, theme, selecting=selecting))


def _own_words(args: "Namespace") -> list[str]:
    """The same watcher without a session of its own."""
    words = ["watch", *(["--table"] if args.table else [])]
    for name in NAMES:
        value = getattr(args, name)
        if value is not None:
            words.append(f"--{name}={','.join(sorted(value)) if name == 'state' else value}")
    return words
