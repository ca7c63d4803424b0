"""``tma act``: fire an action at a pane, show what it would do, or list what there is."""

import argparse
import sys

from tma.adapters import system
from tma.core.act.facts import is_call
from tma.core.act.gate import Binders
from tma.core.act.result import worst
from tma.core.act.schema import EXEC, TEXT
from tma.core.errors import FAILURE, GONE, OK, TmaError, UsageError
from tma.core.selector import NAMES
from tma.core.state import is_id, is_pane_id, number
from tma.services import acting, actions, broker, glance, menu, notes, rows
from tma.services.acting import Request
from tma.view import act, jsonline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tma.core.act.result import Result
    from tma.core.act.schema import Action
    from tma.services.actions import Actions
    from tma.services.runtime import Runtime

MOST_WORDS = 64
LONGEST_WORDS = 64 << 10
VERBATIM = {"--text": True, "--arg": False}
"""Options whose values may be anything; a line's is always the next argument, even if it begins with a dash."""

_FIRING = {
    "dry_run": "--dry-run", "arg": "--arg", "text": "--text", "force": "--force", "yes": "--yes",
    "expect_episode_ms": "--expect-episode-ms", "expect_permission_request": "--expect-permission-request",
    "expect_pending_call": "--expect-pending-call", "from_menu": "--from-menu",
}  # fmt: skip


def declare(parser: "ArgumentParser") -> None:
    """The command's own options."""
    add = parser.add_argument
    add("name", metavar="NAME", nargs="?", help="the action; `tma act --list` shows them")
    add("--pane", metavar="ID", type="pane", help="the pane to act on; inside tmux your own by default")
    add("--all", action="store_true", help="act on every matching agent, one after the other")
    add("--dry-run", action="store_true", help="print what would be sent and why not, and send nothing")
    add(
        "--arg",
        metavar="V",
        action="append",
        type="verbatim",
        help="a word for an exec action's environment; may be repeated",
    )
    add("--text", metavar="S", type="verbatim", help="the line that a text action sends")
    add("--force", action="store_true", help="skip the action's own conditions, and no other check")
    add("--yes", action="store_true", help="answer an action's question beforehand")
    add("--expect-episode-ms", metavar="MS", type=_instant, help="refuse if the pane has moved on since")
    add("--expect-permission-request", metavar="ID", type=_request, help="refuse if another request is pending")
    add("--expect-pending-call", metavar="ID", type=_call, help="refuse if another call is pending")
    add("--json", action="store_true", help="print one JSON document")
    add("--list", action="store_true", help="list the actions, with --pane what each would do there")
    add("--menu", action="store_true", help="show a menu of what may be fired at the pane")
    add("--from-menu", action="store_true", help=argparse.SUPPRESS)


def run(args: "Namespace", runtime: "Runtime") -> int:
    """Do what the mode says (CAC-1 to CAC-4)."""
    _refuse_mixed_modes(args)
    known = actions.load(system.environment())
    action = None if args.list or args.menu else _chosen(args, known)
    for path, reason in known.broken.values():
        runtime.note(f"skipping action {path}: {reason}")
    try:
        if args.list:
            return _list(args, runtime, known)
        if args.menu:
            return _menu(args, runtime, known)
        return _fire(args, runtime, action) if action else FAILURE
    finally:
        if args.from_menu:
            notes.show(runtime)


def _refuse_mixed_modes(args: "Namespace") -> None:
    """Flags that exclude each other, before anything is read (CAC-1)."""
    selecting = [f"--{name}" for name in NAMES if getattr(args, name) is not None]
    firing = [
        flag for dest, flag in _FIRING.items() if getattr(args, dest) is not None and getattr(args, dest) is not False
    ]
    if args.list or args.menu:
        mode = "--list" if args.list else "--menu"
        others = ["--menu"] if args.list and args.menu else []
        others += [args.name] if args.name else []
        others += selecting + (["--all"] if args.all else []) + firing
        others += ["--json"] if args.menu and args.json else []
        _refuse(mode, others)
    elif not args.name:
        message = "an action is needed"
        raise UsageError(message, "tma act --list shows them")
    if args.pane is not None:
        _refuse("--pane", selecting + (["--all"] if args.all else []))
    if args.all:
        _refuse("--all", [flag for flag in firing if flag.startswith("--expect-")])


def _refuse(flag: str, others: list[str]) -> None:
    if others:
        message = f"{flag} does not go with {', '.join(others)}"
        raise UsageError(message, "tma act --help shows what it takes")


def _chosen(args: "Namespace", known: "Actions") -> "Action | None":
    """The named action, and whether its words fit it.

    Raises:
        UsageError: there is no such action, or its words do not go with its kind.
        TmaError: its file could not be used.
    """
    if args.name in known.broken:
        path, reason = known.broken[args.name]
        message = f"action {args.name} cannot be used: {path}: {reason}"
        raise TmaError(message)
    action = known.named(args.name)
    if action is None:
        message = f"unknown action: {args.name}"
        raise UsageError(message, f"the actions are {', '.join(each.name for each in known.usable)}")
    if args.arg is not None and action.kind != EXEC:
        _refuse(f"{action.name}, an action of kind {action.kind},", ["--arg"])
    if args.text is not None and action.kind != TEXT:
        _refuse(f"{action.name}, an action of kind {action.kind},", ["--text"])
    if args.text is None and action.kind == TEXT:
        message = f"{action.name} needs --text"
        raise UsageError(message, f"tma act {action.name} --pane %5 --text 'go on'")
    _refuse_bad_words(args.arg or [])
    return action


def _refuse_bad_words(words: list[str]) -> None:
    """ACT-EXEC-4."""
    size = sum(len(word.encode("utf-8", "surrogateescape")) for word in words)
    if len(words) > MOST_WORDS or size > LONGEST_WORDS or any("\0" in word for word in words):
        message = f"--arg takes at most {MOST_WORDS} values of {LONGEST_WORDS >> 10} KiB together"
        raise UsageError(message)


def _fire(args: "Namespace", runtime: "Runtime", action: "Action") -> int:
    """Resolve the targets, ask where the action wants it, and fire (ACT-TGT-1 to ACT-CONF-3)."""
    request = Request(
        action,
        binders=Binders(args.expect_episode_ms, args.expect_permission_request or "", args.expect_pending_call or ""),
        source=_source(args),
        force=args.force,
    )
    request.text = args.text
    request.args = tuple(args.arg or ())
    request.at = system.begun_ms()
    panes = _targets(args, runtime)
    if not panes:
        return GONE
    if args.dry_run:
        return _dry_run(args, runtime, request, panes)
    if args.all:
        request.batch = system.nonce(acting.BATCH_DIGITS)
    if action.confirm and not args.yes and not _confirmed(action, panes):
        results = acting.refuse_all(request, panes)
        for pane, result in zip(panes, results, strict=True):
            runtime.note(act.note(action.name, pane, result))
    else:
        results = acting.fire(runtime, request, panes)
    if args.json:
        _print_results(args, action, panes, results)
    return worst(results) if args.all else results[0].exit_code


def _print_results(args: "Namespace", action: "Action", panes: list[str], results: "list[Result]") -> None:
    values = [act.result_value(action.name, pane, result) for pane, result in zip(panes, results, strict=True)]
    pairs = [("results", values)] if args.all else list(values[0].items())
    sys.stdout.write(jsonline.document(pairs))


def _targets(args: "Namespace", runtime: "Runtime") -> list[str]:
    """The panes to act on; none where nothing matched, which is said."""
    if args.pane is not None:
        return [args.pane]
    selecting = any(getattr(args, name) is not None for name in NAMES)
    if not selecting and not args.all:
        return [_own_pane()]
    found, _ = rows.detect(runtime, args.selection, labels=False)
    if args.all:
        if not found:
            message = "--all matches no agent"
            raise UsageError(message, "tma ls lists the agents")
        return [row.pane for row in found]
    if len(found) > 1:
        message = f"{len(found)} agents match: {', '.join(row.pane for row in found)}"
        raise TmaError(message, "name one by --pane, or act on each by --all")
    if not found:
        runtime.note("no agent matches")
    return [row.pane for row in found]


def _own_pane() -> str:
    pane = system.env("TMUX_PANE")
    if not is_pane_id(pane):
        message = "no pane to act on"
        raise UsageError(message, "name one by --pane, or choose by a selector")
    return pane


def _source(args: "Namespace") -> str:
    """Where a fire comes from, between honest tools (ACT-LOG-3)."""
    if args.from_menu:
        return acting.MENU
    return "cli" if sys.stdin.isatty() and not args.yes else "cli-yes"


def _confirmed(action: "Action", panes: list[str]) -> bool:
    """Ask on the terminal; without one the answer is no (ACT-CONF-1)."""
    if not sys.stdin.isatty():
        return False
    sys.stderr.write(f"tma: fire {action.name} on {', '.join(panes)} [y/N]? ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


def _dry_run(args: "Namespace", runtime: "Runtime", request: Request, panes: list[str]) -> int:
    """ACT-DRY-1, ACT-DRY-2."""
    if args.all:
        sys.stdout.write(f"targets: {len(panes)}\n")
    for pane in panes:
        seen = glance.look(runtime, pane)
        order = request.order(pane)
        verdict = broker.verdict(runtime, order, seen)
        if args.all:
            sys.stdout.write(act.target_line(pane, seen.agent if seen and seen.agent else "(none)", verdict))
        else:
            sys.stdout.write(act.dry_run(order, seen, verdict, runtime.settings.api))
    return OK


def _list(args: "Namespace", runtime: "Runtime", known: "Actions") -> int:
    """ACT-LIST-1."""
    judged = args.pane is not None
    seen = glance.look(runtime, args.pane) if judged else None
    if judged and seen is None:
        runtime.note(f"pane {args.pane} is gone")
        return GONE
    entries: list[tuple[Action, Result | None]] = []
    for action in known.usable:
        order = Request(action, binders=Binders(), source="").order(args.pane or "")
        entries.append((action, broker.verdict(runtime, order, seen) if judged else None))
    if args.json:
        sys.stdout.write(act.list_document(entries, judged=judged))
    else:
        sys.stdout.write("".join(act.list_line(action, verdict, judged=judged) for action, verdict in entries))
    return OK


def _menu(args: "Namespace", runtime: "Runtime", known: "Actions") -> int:
    """ACT-MENU-1."""
    pane = args.pane or _own_pane()
    seen = glance.look(runtime, pane)
    if seen is None:
        runtime.note(f"pane {pane} is gone")
        return GONE
    if not menu.show(runtime, known, seen):
        runtime.note(f"nothing can be fired at {pane} now")
    return OK


def _instant(text: str) -> int:
    value = number(text)
    if value is None:
        message = f"{text!r} is no instant in epoch milliseconds"
        raise argparse.ArgumentTypeError(message)
    return value


def _request(text: str) -> str:
    if not is_id(text):
        message = f"{text!r} is no request id ([A-Za-z0-9_-]{{1,128}})"
        raise argparse.ArgumentTypeError(message)
    return text


def _call(text: str) -> str:
    if not is_call(text):
        message = f"{text!r} is no call id ([A-Za-z0-9_.:-]{{1,128}})"
        raise argparse.ArgumentTypeError(message)
    return text
