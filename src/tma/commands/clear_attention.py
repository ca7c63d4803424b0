"""``tma clear-attention``: what tmux runs when a person goes to a pane."""

from tma.services import attention

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tma.services.cache import Options


def declare(parser: "ArgumentParser") -> None:
    """The command's own argument; anything but a pane id has no effect (CLI-5)."""
    parser.add_argument("pane", metavar="PANE", help="the pane that is being looked at")


def run(args: "Namespace", options: "Options") -> int:
    """Take down the pane's mark, and that of the pane that was left (ATN-3)."""
    attention.take(options, args.pane)
    return 0
