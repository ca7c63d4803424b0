"""``tma debug``: what tma sees in a pane, why it reads it so, and captures made fit to share."""

import re
import sys
from pathlib import Path

from tma.core.detect import patterns
from tma.core.errors import TmaError
from tma.core.redact import redact
from tma.services import observe
from tma.view import explain
from tma.view.text import shown

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
    clean = verbs.add_parser(
        "redact",
        help="replace private text in a capture",
        description="Replace paths, mail addresses and what patterns match by placeholders of the same width.",
        example="tma debug redact screen.txt --pattern 'acme-[a-z]+'",
    )
    clean.add_argument("file", metavar="FILE", type="name", help="the capture to read")
    clean.add_argument("--pattern", metavar="REGEX", action="append", default=[], help="private text; may be repeated")
    clean.set_defaults(act=_redact)


def run(args: "Namespace", runtime: "Runtime") -> int:
    """Run the chosen verb."""
    sys.stdout.write(args.act(args, runtime))
    return 0


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
