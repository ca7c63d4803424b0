"""``tma install-hooks``: wire the agents' own hooks to tma, check the wiring, and take it out."""

from tma.adapters import system
from tma.core.errors import FAILURE, OK, TmaError, UsageError
from tma.install import hooks, keeping, places, server, statusline, wrapper
from tma.install.console import Console
from tma.install.setup import Setup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tma.install.adapter import Adapter
    from tma.services.runtime import Runtime


def declare(parser: "ArgumentParser") -> None:
    """The command's own options."""
    parser.add_argument("agent", metavar="AGENT", nargs="?", help="the agent to wire")
    parser.add_argument("--all", action="store_true", help="every agent that is wired already, in today's spelling")
    parser.add_argument("--check", action="store_true", help="only say what is missing or stale; exit 1 if anything is")
    parser.add_argument("--uninstall", action="store_true", help="take the wiring out")
    parser.add_argument("--statusline", action="store_true", help="also wrap the agent's status line, for its gauges")
    parser.add_argument("--no-statusline", action="store_true", help="give the agent its own status line back")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument(
        "--wrapper-ref", choices=(wrapper.BARE, wrapper.ABSOLUTE), help="how to name the wrapper in this run"
    )
    for name, place in places.PLACES.items():
        if place.option:
            parser.add_argument(place.option, metavar="PATH", dest=name, type="name", help=f"use this {place.below}")
    parser.add_argument("--config-dir", metavar="DIR", type="name", help="where tma keeps its install records")
    parser.add_argument("--wrapper-path", metavar="PATH", type="name", help="use this wrapper")


def run(args: "Namespace", runtime: "Runtime") -> int:
    """Wire, check or unwire (IHK-1 to IHK-7)."""
    _refuse_contradictions(args)
    names = (*places.PLACES, "config_dir", "wrapper_path", "wrapper_ref")
    given = {name: getattr(args, name, None) or "" for name in names}
    setup = Setup(runtime, Console(yes=args.yes), system.environment(), given)
    adapter = setup.adapter(args.agent) if args.agent else None
    if args.check:
        shim = True if args.statusline else False if args.no_statusline else None
        return _check(setup, hooks.check(setup, adapter, shim=shim))
    if adapter is not None:
        done = hooks.uninstall(setup, adapter) if args.uninstall else hooks.install(setup, adapter)
        code = OK if done else FAILURE
    else:
        code = _all(setup, remove=args.uninstall)
    if code == OK and (args.statusline or args.no_statusline) and not args.uninstall:
        code = _status_lines(setup, adapter, remove=args.no_statusline)
    if args.uninstall:
        hooks.leave_server(setup)
    elif code == OK and (adapter or hooks.carrying(setup)):
        code = OK if server.install_hooks(setup) and keeping.offer_restart(setup) else FAILURE
    return code


def _status_lines(setup: Setup, adapter: "Adapter | None", *, remove: bool) -> int:
    """Wrap or unwrap, for the agents that have such a line (SLN-1)."""
    able = [each for each in ([adapter] if adapter else hooks.carrying(setup)) if each.statusline]
    if not able:
        message = "only claude and cursor have a status line that can be wrapped"
        raise TmaError(message)
    act = statusline.remove if remove else statusline.install
    done = [act(setup, each) for each in able]
    return OK if all(done) else FAILURE


def _all(setup: Setup, *, remove: bool) -> int:
    carrying = hooks.removable(setup) if remove else hooks.carrying(setup)
    if not carrying:
        setup.console.note("no agent is wired")
    return hooks.each(setup, carrying, remove=remove)


def _check(setup: Setup, findings: list[str]) -> int:
    for finding in findings:
        setup.console.note(finding)
    if findings:
        return FAILURE
    setup.console.result("tma: hooks OK")
    return OK


def _refuse_contradictions(args: "Namespace") -> None:
    """IHK-2."""
    if args.all and args.agent:
        message = "--all and an agent exclude each other"
        raise UsageError(message)
    if args.statusline and args.no_statusline:
        message = "--statusline and --no-statusline exclude each other"
        raise UsageError(message)
    if args.check and args.uninstall:
        message = "--check and --uninstall exclude each other"
        raise UsageError(message)
    if not (args.agent or args.all or args.check):
        message = "which agent?"
        raise UsageError(message, "name one, or use --all or --check")
