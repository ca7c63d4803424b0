"""Taking down the mark of a pane that a person went to, and of the pane they left (ATN-3)."""

from tma.adapters import system
from tma.adapters.tmux import write
from tma.core import ops
from tma.core.stamp import ATTENTION
from tma.core.state import is_pane_id
from tma.services import cache
from tma.services.runtime import connect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.services.cache import Options
    from tma.services.runtime import Runtime

DEPARTED = {
    "after-select-pane": "#{P:#{?pane_last,#{pane_id},}}",
    "session-window-changed": "#{W:#{?window_last_flag,#{P:#{?pane_active,#{pane_id},}},}}",
}
"""By tmux hook, the pane that was left; other hooks leave none that can be told."""


def take(options: "Options", pane_id: str) -> None:
    """Take down the pane's mark, and that of the pane that was left; nothing for what is no pane id (CLI-5).

    Raises:
        TmaError: the pane or the server is not there.
    """
    if is_pane_id(pane_id):
        env = system.environment()
        document = cache.load(config_path=options.config, manifest_dir=options.manifest_dir, hook=True, env=env)
        clear(connect(options, document), pane_id, env.get("TMA_HOOK_KIND", ""))


def clear(runtime: "Runtime", pane_id: str, hook: str) -> None:
    """Take down the marks that a tmux hook on a pane answers, in one client.

    Raises:
        TmaError: the pane or the server is not there.
    """
    departed = DEPARTED.get(hook)
    if departed is None:
        runtime.server.feed(lowering(pane_id, ""))
        return
    question = ["display-message", "-p", "-t", pane_id, departed]
    runtime.server.exchange(question, lambda left: lowering(pane_id, left.strip()))


def lowering(pane_id: str, left: str) -> str:
    """The commands that take a pane's mark down, and that of the pane which was left, if one was."""
    panes = [pane_id, left] if is_pane_id(left) else [pane_id]
    return "".join(write.scripts([(pane, [ops.unset(ATTENTION)]) for pane in panes]))
