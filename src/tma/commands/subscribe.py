"""``tma subscribe``: a stream of documents for bars and scripts, one line each."""

import argparse
import os
import sys

from tma.core.errors import OK, UsageError
from tma.core.events.changes import edges
from tma.core.state import number
from tma.services.stream import Stream
from tma.view import listing
from tma.view.edges import document

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable, Iterator

    from tma.core.row import AgentRow
    from tma.core.selector import Selection
    from tma.services.runtime import Runtime
    from tma.services.stream import Look


def declare(parser: "ArgumentParser") -> None:
    """The command's own options."""
    add = parser.add_argument
    add("--json", action="store_true", help="required: the documents are JSON, one a line")
    add("--interval", metavar="SECS", type=_interval, default=1, help="look every so many seconds (default 1)")
    add("--changes-only", action="store_true", help="print only documents that differ from the last one")
    add("--events", action="store_true", help="print one object for each change of an agent, and no documents")


def run(args: "Namespace", runtime: "Runtime") -> int:
    """Print until the reader leaves, which is the usual end (SUB-1 to SUB-7)."""
    if not args.json:
        message = "--json is required"
        raise UsageError(message, "tma subscribe --json prints JSON documents, one a line")
    looks = Stream(runtime).looks(args.interval, sys.stdout.fileno())
    lines = _events(looks, args.selection) if args.events else _snapshots(looks, args)
    try:
        _print(lines)
    except BrokenPipeError:
        _give_up_output()
    return OK


def _print(lines: "Iterable[str]") -> None:
    for text in lines:
        if text:
            sys.stdout.write(text)
            sys.stdout.flush()


def _snapshots(looks: "Iterator[Look]", args: "Namespace") -> "Iterator[str]":
    """One document a look; nothing for one that repeats the last, where only changes are wanted (SUB-2, SUB-3)."""
    last = ""
    for look in looks:
        text = listing.ls_document(args.selection.choose(look.rows))
        yield "" if (args.changes_only or look.routine) and text == last else text
        last = text


def _events(looks: "Iterator[Look]", selection: "Selection") -> "Iterator[str]":
    """The edges from look to look; the first one is silent (EDG-3)."""
    before: list[AgentRow] | None = None
    for look in looks:
        rows = selection.choose(look.rows)
        yield "".join(document(edge, look.now) for edge in edges(rows if before is None else before, rows))
        before = rows


def _give_up_output() -> None:
    """What could not be written would be tried again when the program ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _interval(text: str) -> int:
    value = number(text)
    if not value:
        message = f"{text!r} is no whole number of seconds of at least 1"
        raise argparse.ArgumentTypeError(message)
    return value
