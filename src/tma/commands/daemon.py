"""``tma daemon``: the optional helper of one tmux server that looks, tells and wakes."""

import argparse
from contextlib import suppress

from tma.adapters import system
from tma.core.errors import OK, TmaError
from tma.core.state import number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tma.services.keeper import Keeper
    from tma.services.runtime import Runtime


def declare(parser: "ArgumentParser") -> None:
    """The command's own options."""
    one = parser.add_mutually_exclusive_group().add_argument
    one("--ensure", action="store_true", help="start one in the background, unless one runs")
    one("--restart", action="store_true", help="stop the one that runs and start this build in the background")
    one("--stop", action="store_true", help="stop the one that runs")
    hidden = parser.add_argument
    hidden("--status-file", metavar="PATH", default="", help=argparse.SUPPRESS)
    hidden("--sweep-ms", metavar="N", type=_whole, default=0, help=argparse.SUPPRESS)
    hidden("--fake-version", metavar="V", default="", help=argparse.SUPPRESS)
    hidden("--shutdown-delay-ms", metavar="N", type=_whole, default=0, help=argparse.SUPPRESS)


def run(args: "Namespace", runtime: "Runtime") -> int:
    """Serve in the foreground, or see to the one in the background (CDM-1 to CDM-3)."""
    if args.ensure or args.restart or args.stop:
        from tma.services import keeper

        return _keep(args, keeper.Keeper(runtime))
    from tma.daemon import serve
    from tma.install import server
    from tma.install.console import Console
    from tma.install.setup import Setup

    def restore() -> None:
        with suppress(TmaError):
            server.restore_hooks(Setup(runtime, Console(yes=True), system.environment(), {}))

    trial = serve.Trial(args.status_file, args.sweep_ms, args.fake_version, args.shutdown_delay_ms)
    return serve.run(runtime, trial, restore)


def _keep(args: "Namespace", keeper: "Keeper") -> int:
    if args.stop:
        keeper.stop()
    elif args.restart:
        keeper.restart()
    else:
        keeper.ensure()
    return OK


def _whole(text: str) -> int:
    value = number(text)
    if value is None:
        message = f"{text!r} is no number of milliseconds"
        raise argparse.ArgumentTypeError(message)
    return value
