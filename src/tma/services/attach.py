"""The way to a pane from a terminal outside tmux: select it, then show its session (ATC-2)."""

from tma.adapters.tmux import focus
from tma.core.errors import GoneError, TmuxError, TmuxGoneError, TmuxTimeoutError
from tma.services import jump

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.services.runtime import Runtime


def select(runtime: "Runtime", pane_id: str) -> list[str]:
    """Make a pane the one that its session shows; the argument list of the tmux that shows the session.

    Raises:
        GoneError: the pane is not there, or went away meanwhile (ATC-5).
        TmaError: tmux failed in another way.
    """
    place = jump.look(runtime).place(pane_id)
    if place is None:
        raise _vanished(pane_id)
    commands = focus.select(place)
    try:
        if commands:
            runtime.server.run(focus.chain(commands))
    except (TmuxGoneError, TmuxTimeoutError):
        raise
    except TmuxError:
        raise _vanished(pane_id) from None
    return runtime.server.argv(focus.attach(place.session_id))


def _vanished(pane_id: str) -> GoneError:
    return GoneError(f"pane {pane_id} vanished", "tma ls lists the agents")
