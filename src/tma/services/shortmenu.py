"""The action menu of a pane for a surface: at once, or by a process of its own once a popup is gone (MNU-8)."""

from tma.adapters import system
from tma.core.act.menu import shell_quote
from tma.services import actions, glance, jump, menu, program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.services.runtime import Runtime

AFTER_S = "0.2"
"""How long a popup may take to close; the menu has to be there within a second."""


def show(runtime: "Runtime", pane_id: str) -> None:
    """Show the menu and wait until it closes; where there is none, that is noted.

    Raises:
        TmaError: no client is attached, or tmux refused.
    """
    seen = glance.look(runtime, pane_id)
    if seen is None:
        runtime.note(f"pane {pane_id} is gone")
    elif not menu.show(runtime, actions.load(system.environment()), seen, on=jump.here(runtime).client.name):
        runtime.note(f"nothing can be fired at {pane_id} now")


def show_later(runtime: "Runtime", pane_id: str, client: str) -> None:
    """Let tmux start the menu on a client when this process has ended.

    Raises:
        TmaError: tmux refused.
    """
    options = program.own_options(runtime.options, system.env("TMA_SOCKET_PATH"))
    acting = ["--client", client] if client and not runtime.options.client else []
    words = [*program.own_words(), *options, *acting, "act", "--menu", "--pane", pane_id]
    shell = " ".join(map(shell_quote, words)) + " >/dev/null 2>&1 || :"
    runtime.server.run(["run-shell", "-b", "-d", AFTER_S, shell.replace("#", "##")])
