"""``tma event``: take an agent's hook event or gauge reading. It never speaks and exits 0 (HEV-1)."""

from tma.services import intake

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tma.services.cache import Options


def declare(parser: "ArgumentParser") -> None:
    """Add the options of this command."""
    parser.add_argument("--agent", metavar="NAME", required=True, help="the agent that reports")
    parser.add_argument("--kind", metavar="EVENT", required=True, help="the event, as its manifest names it")
    parser.add_argument("--pane", metavar="ID", default="", help="the pane of a context reading")
    parser.add_argument("--payload", metavar="-|PATH", default="", help="read the payload from here")


def run(args: "Namespace", options: "Options") -> int:
    """Take the event; whatever fails is the caller's to swallow."""
    intake.take(options, agent=args.agent or "", kind=args.kind or "", pane=args.pane or "", payload=args.payload or "")
    return 0
