"""Notes of a command that a menu started: it has no terminal, so they show on the client (ACT-MENU-5)."""

from tma.adapters.tmux import menu
from tma.core.errors import TmaError
from tma.core.text import clean
from tma.view.text import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.services.runtime import Runtime

_CELLS = 200
_LITERAL_SINCE = (3, 4)


def show(runtime: "Runtime") -> None:
    """Show every note on the acting client and drop it; what cannot be shown is lost."""
    for note in runtime.notes:
        line = cut(clean(f"tma: {note}"), _CELLS)
        try:
            version = runtime.server.run(["display-message", "-p", "#{version}"])
            runtime.server.run(menu.message(runtime.options.client, line, literal=_takes_literal(version)))
        except TmaError:
            break
    runtime.notes.clear()


def _takes_literal(version: str) -> bool:
    """Whether a tmux shows a message without expanding it; an unreadable version counts as newest (TCP-1)."""
    major, _, rest = version.strip().removeprefix("next-").partition(".")
    minor = "".join(char for char in rest if char.isdigit())
    if not major.isdigit() or not minor:
        return True
    return (int(major), int(minor)) >= _LITERAL_SINCE
