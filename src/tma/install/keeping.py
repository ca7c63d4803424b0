"""The daemon's part of setting up and of taking out: started, replaced on request, stopped (INI-1, IHK-8, UNI-1)."""

import select
import time

from tma import __version__
from tma.core.errors import TmaError
from tma.install.setup import Setup
from tma.services import link
from tma.services.keeper import START_S, Keeper

_POLL_S = 0.02


def running(setup: Setup) -> str:
    """What runs for this server as words for a person, "" for nothing."""
    keeper = _keeper(setup)
    if keeper is None or link.standing(keeper.socket_text) == link.ABSENT:
        return ""
    pid = keeper.record().pid
    return f"the daemon of {keeper.socket_text}" + (f" (process {pid})" if pid else "")


def offer_restart(setup: Setup) -> bool:
    """Offer to replace a daemon of another version; only a failure is False, declining is none (IHK-8)."""
    keeper = _keeper(setup)
    if keeper is None or link.standing(keeper.socket_text) != link.ALIVE:
        return True
    version = keeper.record().version
    if not version or version == __version__:
        return True
    if setup.console.ask(f"the daemon that runs is tma {version}, this is {__version__}; restart it"):
        keeper.restart()
        setup.console.note("the daemon was restarted")
    return True


def start(setup: Setup) -> bool:
    """Start one unless one runs, and wait until it answers (INI-1).

    Raises:
        TmaError: it cannot be started, or does not answer in time.
    """
    keeper = _keeper(setup)
    if keeper is None:
        message = "no tmux server is running: the daemon was not started"
        raise TmaError(message, "run `tma daemon --ensure` inside tmux")
    keeper.ensure()
    end = time.monotonic() + START_S
    while not link.ping(keeper.path("sock")):
        if time.monotonic() > end:
            message = f"the daemon did not answer within {START_S:.0f} s"
            raise TmaError(message, "tma daemon in a terminal says why")
        select.select([], [], [], _POLL_S)
    setup.console.result("daemon: running")
    return True


def stop(setup: Setup) -> bool:
    """Stop this server's daemon, if one runs.

    Raises:
        TmaError: it does not end.
    """
    keeper = _keeper(setup)
    if keeper is not None and keeper.stop():
        setup.console.note("the daemon was stopped")
    return True


def _keeper(setup: Setup) -> Keeper | None:
    """The one that sees to this server's daemon; None without a server."""
    return Keeper(setup.runtime, setup.facts.socket_path) if setup.facts is not None else None
