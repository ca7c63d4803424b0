"""``tma debug``: what tma sees in a pane, why it reads it so, and captures made fit to share."""

import re
import sys
import time
from pathlib import Path

from tma.core import ring
from tma.core.detect import patterns
from tma.core.errors import TmaError, UsageError
from tma.core.events import alerts
from tma.core.redact import redact
from tma.core.text import clean
from tma.services import keeper, link, observe
from tma.services.notify import trial
from tma.view import explain, transitions
from tma.view.text import shown

_LOOK_S = 2.0
"""How long a banner may be looked at before the next one comes."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tma.core.triage import Plan
    from tma.services.runtime import Runtime


def declare(parser: "ArgumentParser") -> None:
    """The command's verbs, each with its own options."""
    verbs = parser.add_subparsers(metavar="VERB", required=True, dest="verb")
    capture = verbs.add_parser(
        "capture",
        help="print a pane as the detector sees it",
        description="Print a header and a pane's text as the detector sees it; this only looks.",
        example="tma debug capture %5 > screen.txt",
    )
    capture.add_argument("pane", metavar="PANE", type="pane", help="the pane's id")
    capture.set_defaults(act=_capture)
    why = verbs.add_parser(
        "explain",
        help="say why a pane reads as it does",
        description="Say which agent a pane holds, what speaks for its state and what does not; this only looks.",
        example="tma debug explain %5",
    )
    why.add_argument("pane", metavar="PANE", type="pane", help="the pane's id")
    why.add_argument("--json", action="store_true", help="print one JSON document")
    why.set_defaults(act=_explain)
    test = verbs.add_parser(
        "notify-test",
        help="send a sample notice",
        description="Run the notify command on a sample notice, or try every sink, and say what became of it.",
        example="tma debug notify-test --all-sinks",
    )
    test.add_argument("--trigger", choices=alerts.TRIGGERS, default=alerts.TRIGGERS[0], help="what to pretend")
    how = test.add_mutually_exclusive_group()
    how.add_argument("--all-sinks", action="store_true", help="every sink that is on, a line for each")
    how.add_argument("--live", action="store_true", help="each terminal sequence to each terminal; asks what was seen")
    test.set_defaults(act=_notify_test)
    past = verbs.add_parser(
        "transitions",
        help="list what a daemon saw change",
        description="List the last changes of agents' states that this server's daemon saw, the oldest first.",
        example="tma debug transitions",
    )
    past.add_argument("--json", action="store_true", help="print one JSON document")
    past.set_defaults(act=_transitions)
    private = verbs.add_parser(
        "redact",
        help="replace private text in a capture",
        description="Replace paths, mail addresses and what patterns match by placeholders of the same width.",
        example="tma debug redact screen.txt --pattern 'acme-[a-z]+'",
    )
    private.add_argument("file", metavar="FILE", type="name", help="the capture to read")
    private.add_argument(
        "--pattern", metavar="REGEX", action="append", default=[], help="private text; may be repeated"
    )
    private.set_defaults(act=_redact)


def run(args: "Namespace", runtime: "Runtime") -> int:
    """Run the chosen verb."""
    said: str | tuple[str, int] = args.act(args, runtime)
    text, code = said if isinstance(said, tuple) else (said, 0)
    sys.stdout.write(text)
    return code


def _capture(args: "Namespace", runtime: "Runtime") -> str:
    """DBG-1: a header and the text, raw for a file and made harmless for a terminal."""
    plan = observe.judge(runtime, args.pane)
    at = runtime.now_ms()
    body = observe.captured(runtime, args.pane)
    if body is None:
        message = f"pane {args.pane} vanished"
        raise TmaError(message)
    if sys.stdout.isatty():
        body = "\n".join(map(shown, body.split("\n")))
    return f"{_header(plan, at)}---\n{body}"


def _header(plan: "Plan", at: int) -> str:
    pane = plan.pane
    fields = {
        "agent": explain.agent_of(plan),
        "state": explain.state_of(plan),
        "title": pane.title,
        "command": pane.command,
        "pid": str(plan.identity.pid if plan.identity else pane.pid),
        "captured_at": str(at),
    }
    return "".join(f"# {name}: {shown(value)}".rstrip() + "\n" for name, value in fields.items())


def _explain(args: "Namespace", runtime: "Runtime") -> str:
    """DBG-2, EXP-1."""
    plan = observe.judge(runtime, args.pane)
    manifest = next((each for each in runtime.manifests if each.name == plan.manifest), None)
    if args.json:
        return explain.document(plan, manifest)
    return explain.text(plan, manifest, runtime.now_ms())


def _notify_test(args: "Namespace", runtime: "Runtime") -> tuple[str, int]:
    """DBG-5, NTT-1 to NTT-4."""
    if args.live:
        return _live(runtime)
    if args.all_sinks:
        outcomes = trial.every_sink(runtime, args.trigger)
        return trial.outcome_lines(outcomes), int(any(outcome.result not in trial.FINE for outcome in outcomes))
    tried = trial.command(runtime, args.trigger)
    if tried is None:
        message = "no notify command is set"
        raise TmaError(message, "set [notify] command, or try the other sinks with --all-sinks")
    lines = {"payload": tried.payload, "command": tried.command, "exit": tried.exit, "stderr": tried.stderr}
    told = "".join(f"{name}: {shown(text.strip())}".rstrip() + "\n" for name, text in lines.items())
    return told, 0 if tried.clean else 1


def _live(runtime: "Runtime") -> tuple[str, int]:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        message = "--live needs a terminal: it asks what you saw"
        raise UsageError(message, "run it in an attached tmux pane")
    sent = trial.live(runtime, lambda: time.sleep(_LOOK_S))
    for each in sent:
        sys.stdout.write(
            f"{clean(each.viewer.name)} {clean(each.viewer.termtype or each.viewer.termname)} "
            f"form {each.form}: {each.result}, {each.size} bytes, code {each.code}\n"
        )
    if not sent:
        message = "no terminal is attached"
        raise TmaError(message, "attach one and try again")
    trial.confirm(runtime, sent, set(input("Which codes did a banner show? ").split()))
    return "", 0


def _transitions(args: "Namespace", runtime: "Runtime") -> str:
    """DBG-4."""
    facts = keeper.facts_of(runtime)
    answer = link.history(facts.socket_path) if facts else None
    if answer is None:
        message = "no daemon answers"
        raise TmaError(message, "tma daemon --ensure starts one; its history begins then")
    found = ring.parse(answer)
    return transitions.document(found) if args.json else transitions.text(found)


def _redact(args: "Namespace", _runtime: "Runtime") -> str:
    """DBG-3."""
    try:
        content = Path(args.file).read_bytes()
    except OSError as error:
        message = f"cannot read {args.file}: {error.strerror}"
        raise TmaError(message) from None
    return redact(content.decode("utf-8", "replace"), [_compiled(pattern) for pattern in args.pattern])


def _compiled(pattern: str) -> re.Pattern[str]:
    reason = patterns.check(pattern)
    if reason:
        message = f"pattern {pattern!r}: {reason}"
        raise TmaError(message, "patterns follow the rules of agent manifests")
    return re.compile(pattern)
