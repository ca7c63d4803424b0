"""``tma jump``: bring your tmux client to the agent that needs you, and back."""

from tma.core.errors import OK
from tma.core.events import trail
from tma.core.selector import NAMES
from tma.services import jump, jumpmenu
from tma.services.rows import detect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tma.core.row import AgentRow
    from tma.services.jump import Here
    from tma.services.runtime import Runtime


def declare(parser: "ArgumentParser") -> None:
    """The directions, of which one is taken (JMP-1)."""
    add = parser.add_mutually_exclusive_group().add_argument
    add("--attention", action="store_true", help="to the next agent that is blocked or done")
    add("--blocked", action="store_true", help="to the agent that is blocked longest")
    add("--next", action="store_true", help="to the next agent by session, window and pane (default)")
    add("--back", action="store_true", help="to where the last jump came from")
    add("--home", action="store_true", help="to where the first of the last eight jumps came from; forgets the way")
    add("--pane", metavar="ID", type="pane", help="to this agent's pane")
    add("--menu", action="store_true", help="show a menu of the agents to go to")


def run(args: "Namespace", runtime: "Runtime") -> int:
    """Go there, or say that there is nowhere to go; either way exit 0 (JMP-7, KEY-4)."""
    if args.back or args.home:
        if not jump.return_back(runtime, jump.here(runtime), home=args.home):
            runtime.note("no jump origin")
        return OK
    if args.pane is not None:
        jump.to_agent(runtime, args.pane)
        return OK
    rows, _ = detect(runtime, args.selection, labels=False)
    if args.menu:
        return _menu(args, runtime, rows)
    at = jump.here(runtime) if rows else None
    row = _destination(args, rows, at) if at else None
    if at is None or row is None:
        runtime.note(_nowhere(args))
    else:
        jump.to_pane(runtime, at, row.pane, lower=args.attention or args.blocked)
    return OK


def _destination(args: "Namespace", rows: "list[AgentRow]", at: "Here") -> "AgentRow | None":
    if args.attention:
        return trail.needing(rows, at.pane)
    if args.blocked:
        return trail.longest_blocked(rows)
    return trail.following(rows, at.pane, at.place)


def _menu(args: "Namespace", runtime: "Runtime", rows: "list[AgentRow]") -> int:
    """JMP-9."""
    at = jump.here(runtime) if rows else None
    others = [row for row in rows if at and row.pane != at.pane]
    if at and others:
        jumpmenu.show(runtime, at, others)
    else:
        runtime.note(f"no agents{_scope(args)}")
    return OK


def _nowhere(args: "Namespace") -> str:
    what = "no agent needs you" if args.attention else "no blocked agent" if args.blocked else "no agent to go to"
    return what + _scope(args)


def _scope(args: "Namespace") -> str:
    return " in scope" if any(getattr(args, name) is not None for name in NAMES) else ""
