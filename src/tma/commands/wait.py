"""``tma wait``: return when agents are in a state, for scripts that supervise them."""

import argparse
import sys

from tma.core.errors import DEADLINE, FAILURE, GONE, OK, REFUSED, USAGE, UsageError
from tma.core.events import goals
from tma.core.selector import NAMES, TOKENS
from tma.core.state import number
from tma.services import waiting
from tma.view import jsonline, listing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tma.core.events.goals import Goal, Verdict
    from tma.services.runtime import Runtime

_LONGEST_S = 1e9
_CODES = {
    goals.MET: OK,
    goals.VANISHED: GONE,
    goals.DIED: REFUSED,
    goals.AMBIGUOUS: FAILURE,
    goals.EMPTY: USAGE,
}
_NOTES = {
    goals.VANISHED: "pane {panes} vanished",
    goals.DIED: "the agent in pane {panes} is gone",
    goals.AMBIGUOUS: "several agents match: {panes}",
    goals.EMPTY: "--all matches no agent",
}


def declare(parser: "ArgumentParser") -> None:
    """The command's own options."""
    add = parser.add_argument
    states = f"the states to wait for, one or several of {', '.join(TOKENS)}"
    add("--until", metavar="STATES", type="states", required=True, help=states)
    target = parser.add_mutually_exclusive_group().add_argument
    target("--pane", metavar="ID", type="pane", help="wait for this pane")
    target("--any", action="store_true", help="wait for the first matching agent")
    target("--all", action="store_true", help="wait for every agent that matches now, all at the same time")
    target("--count", metavar="N", type=_count, help="wait for so many matching agents at the same time")
    add("--since", metavar="MS", type=_instant, help="only count what began after this `episode_ms`")
    add("--timeout", metavar="SECS", type=_seconds, help="give up after so long, with exit code 124; 0 looks once")
    add("--json", action="store_true", help="print one JSON document instead of lines")


def run(args: "Namespace", runtime: "Runtime") -> int:
    """Wait, and print the rows that ended it (WAI-1 to WAI-12)."""
    goal = _goal(args)
    verdict = waiting.wait(runtime, goal, args.selection, args.timeout)
    if verdict is None:
        return DEADLINE
    if verdict.kind == goals.MET:
        sys.stdout.write(_text(args, verdict))
    else:
        runtime.note(_NOTES[verdict.kind].format(panes=", ".join(verdict.panes)))
    return _CODES[verdict.kind]


def _goal(args: "Namespace") -> "Goal":
    """What the line asks for (WAI-1).

    Raises:
        UsageError: it names no target, or a pane and a selector.
    """
    wanted = goals.Wanted(args.until, args.since)
    if args.pane is not None:
        given = [f"--{name}" for name in NAMES if getattr(args, name) is not None]
        if given:
            message = f"--pane does not go with {', '.join(given)}"
            raise UsageError(message, "a pane needs no selector")
        return goals.OnePane(wanted, args.pane)
    if args.any:
        return goals.AnyRow(wanted)
    if args.all:
        return goals.All(wanted)
    if args.count is not None:
        return goals.Count(wanted, args.count)
    if args.agent is None:
        message = "a target is needed"
        raise UsageError(message, "name a --pane or an --agent, or say --any, --all or --count")
    return goals.OneAgent(wanted)


def _text(args: "Namespace", verdict: "Verdict") -> str:
    """WAI-10."""
    if not args.json:
        return "".join(map(listing.line, verdict.rows))
    if args.all or args.count is not None:
        return listing.ls_document(verdict.rows)
    return jsonline.document(listing.row_value(verdict.rows[0]).items())


def _count(text: str) -> int:
    value = number(text)
    if not value:
        message = f"{text!r} is no number of at least 1"
        raise argparse.ArgumentTypeError(message)
    return value


def _instant(text: str) -> int:
    value = number(text)
    if value is None:
        message = f"{text!r} is no instant in epoch milliseconds"
        raise argparse.ArgumentTypeError(message)
    return value


def _seconds(text: str) -> float:
    """A decimal number; one that no wait would outlast counts as a very long one."""
    if not text.isascii() or not text.replace(".", "", 1).isdigit():
        message = f"{text!r} is no number of seconds"
        raise argparse.ArgumentTypeError(message)
    return min(float(text), _LONGEST_S)
