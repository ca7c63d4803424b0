"""Taking down the mark of a pane that a person went to, and of the pane they left, and telling who watches (ATN-3)."""

import posix

from tma.adapters import system
from tma.adapters.tmux import write
from tma.core import ops, writes
from tma.core.guard import opt
from tma.core.stamp import ATTENTION, WATCH_PID
from tma.core.state import is_pane_id, number
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

WATCHERS = f"#{{S:#{{W:#{{P:#{{{WATCH_PID}}} }}}}}}"
"""The pids that surfaces have published, with blanks between (NDG-1)."""


_ASKED = f"display-message -p '{WATCHERS}'\n"


def take(options: "Options", pane_id: str) -> None:
    """Take down the pane's mark, and that of the pane that was left; for an empty id nudge alone (ATN-3, CLI-5).

    Raises:
        TmaError: the pane or the server is not there.
    """
    if is_pane_id(pane_id) or not pane_id:
        env = system.environment()
        document = cache.load(config_path=options.config, manifest_dir=options.manifest_dir, hook=True, env=env)
        clear(connect(options, document), pane_id, env.get("TMA_HOOK_KIND", ""))


def clear(runtime: "Runtime", pane_id: str, hook: str) -> None:
    """Take down the marks that a tmux hook on a pane answers, in one client, and nudge whoever watches.

    Raises:
        TmaError: the pane or the server is not there.
    """
    departed, status = DEPARTED.get(hook), runtime.document.status_line
    if not pane_id:
        published = runtime.server.run(["display-message", "-p", WATCHERS])
    elif departed is None:
        published = runtime.server.feed(lowering(pane_id, "", status) + _ASKED)
    else:
        question = ["display-message", "-p", "-t", pane_id, departed]
        published = runtime.server.exchange(question, lambda left: lowering(pane_id, left.strip(), status) + _ASKED)
    nudge(runtime, published)


def lowering(pane_id: str, left: str, status: str) -> str:
    """The commands that take a pane's mark down, and that of the pane which was left, if one was.

    ``status`` is the format by which the server then counts its status line.
    """
    panes = [pane_id, left] if is_pane_id(left) else [pane_id]
    lowered = [ops.unset(ATTENTION), *writes.status_line(status)]
    return "".join(write.scripts([(pane, [ops.when(opt(ATTENTION), lowered)]) for pane in panes]))


def nudge(runtime: "Runtime", published: str) -> None:
    """Signal each published process that is ours and named tma; another one would end by the signal (NDG-2)."""
    pids = {pid for word in published.split() if (pid := number(word))}
    if not pids:
        return
    from _signal import SIGUSR1  # type: ignore[import-not-found]  # `signal` would load enums

    procs = runtime.procs()
    for pid in pids:
        try:
            if procs.is_own(pid) and "tma" in procs.names(pid):
                posix.kill(pid, SIGUSR1)
        except (OSError, OverflowError):
            continue
