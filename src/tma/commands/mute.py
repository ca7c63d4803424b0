"""``tma mute``: keep panes from ringing for a while, or for good."""

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
    term = parser.add_mutually_exclusive_group().add_argument
    term("--for", metavar="DURATION", dest="seconds", type="duration", help=f"{durations.GRAMMAR}; without it for good")
    term("--clear", action="store_true", help="let them ring again")


def run(args: "Namespace", runtime: "Runtime") -> int:
    """Mute, and say what was muted for how long (MUT-1 to MUT-4)."""
    given = [f"--{name}" for name in NAMES if getattr(args, name) is not None]
    panes = muting.targets(runtime, args.pane, given, args.selection)
    now = runtime.now_ms()
    muting.mute(runtime, panes, None if args.clear else durations.deadline(now, args.seconds))
    done = "unmuted" if args.clear else f"muted {durations.wording(now, args.seconds)}"
    sys.stdout.write(f"{done} {' '.join(panes)}\n")
    return OK
