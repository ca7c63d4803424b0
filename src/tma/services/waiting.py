"""Waiting until agents are in a state: looks at an interval, each shown to a goal (WAI-3, WAI-4, WAI-11)."""

import time

from tma.core.events.goals import OnePane, Seen
from tma.services.stream import Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.events.goals import Goal, Verdict
    from tma.core.selector import Selection
    from tma.services.runtime import Runtime
    from tma.services.stream import Look

INTERVAL_S = 1.0
FOREVER_S = 1e9


def wait(runtime: "Runtime", goal: "Goal", selection: "Selection", timeout_s: float | None) -> "Verdict | None":
    """Look until the goal is decided; None if the time ran out before. One look is always taken.

    Raises:
        TmaError: the server is gone, or a cycle cannot be run.
    """
    stream = Stream(runtime)
    end = None if timeout_s is None else time.monotonic() + timeout_s
    while True:
        started = time.monotonic()
        verdict = _step(runtime, stream, goal, selection)
        now = time.monotonic()
        if verdict is not None or (end is not None and now >= end):
            return verdict
        stream.pause(started + INTERVAL_S - now, FOREVER_S if end is None else end - now)


def _step(runtime: "Runtime", stream: Stream, goal: "Goal", selection: "Selection") -> "Verdict | None":
    look = stream.look()
    if look is None:
        stream.note("tmux timed out after 3s; still waiting")
        return None
    verdict = goal.step(_seen(look, selection))
    look.settle(runtime)
    if verdict is None and isinstance(goal, OnePane) and goal.without_agent:
        stream.note(f"no agent in pane {goal.pane} yet; waiting for one")
    return verdict


def _seen(look: "Look", selection: "Selection") -> Seen:
    return Seen(look.rows, selection.choose(look.rows), look.panes)
