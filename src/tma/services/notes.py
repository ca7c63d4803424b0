"""Notes of a command that a menu started: it has no terminal, so they show on the client (ACT-MENU-5)."""

from tma.adapters.tmux import menu
from tma.core.errors import TmaError
from tma.core.text import clean
from tma.services.notify.screens import takes_literal
from tma.view.text import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.services.runtime import Runtime

_CELLS = 200


def show(runtime: "Runtime") -> None:
    """Show every note on the acting client and drop it; what cannot be shown is lost."""
    for note in runtime.notes:
        line = cut(clean(f"tma: {note}"), _CELLS)
        try:
            version = runtime.server.run(["display-message", "-p", "#{version}"])
            runtime.server.run(menu.message(runtime.options.client, line, literal=takes_literal(version)))
        except TmaError:
            break
    runtime.notes.clear()
