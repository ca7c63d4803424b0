"""``tma status``: the counts of the agents by class, as tmux runs it for its status line."""

import sys

from tma.adapters.system import is_ascii_only
from tma.services.rows import detect
from tma.view import status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tma.core.row import AgentRow
    from tma.services.runtime import Runtime


def declare(parser: "ArgumentParser") -> None:
    """The command's own options."""
    parser.add_argument(
        "--format",
        choices=status.FORMATS,
        default=status.TMUX,
        help="what to print: segments for tmux (default), plain text, JSON, or Prometheus samples",
    )


def run(args: "Namespace", runtime: "Runtime") -> int:
    """Print the counts of the selected rows (STA-1 to STA-6)."""
    found, now = detect(runtime, args.selection, labels=False)
    rows = [row for row in found if not row.snoozed]
    sys.stdout.write(_text(args.format, rows, now, runtime))
    return 0


def _text(form: str, rows: "list[AgentRow]", now: int, runtime: "Runtime") -> str:
    if form == status.PROM:
        return status.prom_text(rows, now)
    shown = [(row.state, row.attention) for row in rows]
    return status.counted(form, shown, runtime.settings.status, ascii_only=is_ascii_only())
