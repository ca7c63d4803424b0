"""``tma snooze``: put off what stands on panes for a while; it rings again if it then still does."""

import sys

from tma.core.errors import OK
from tma.core.events import mute as durations
from tma.core.selector import NAMES
from tma.services import muting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tma.services.runtime import Runtime


def declare(parser: "ArgumentParser") -> None:
    """The command's own options."""
    parser.add_argument("--pane", metavar="ID", type="pane", help="the pane; inside tmux your own by default")
    term = parser.add_mutually_exclusive_group(required=True).add_argument
    term("--for", metavar="DURATION", dest="seconds", type="duration", help=durations.GRAMMAR)
    term("--clear", action="store_true", help="wake them up")


def run(args: "Namespace", runtime: "Runtime") -> int:
    """Snooze, and say what was snoozed for how long (MUT-5)."""
    given = [f"--{name}" for name in NAMES if getattr(args, name) is not None]
    panes = muting.targets(runtime, args.pane, given, args.selection)
    now = runtime.now_ms()
    muting.snooze(runtime, panes, None if args.clear else durations.deadline(now, args.seconds))
    done = "woken" if args.clear else f"snoozed {durations.wording(now, args.seconds)}"
    sys.stdout.write(f"{done} {' '.join(panes)}\n")
    return OK
