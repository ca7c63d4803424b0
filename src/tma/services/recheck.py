"""The screen at a fire: one detection cycle on the pane (ACT-FRESH-2), and a reading that changes nothing."""

from tma.adapters.tmux import capture, write
from tma.core.act import sight
from tma.core.screen import lines_of
from tma.services import observe, stamping
from tma.services.glance import PaneGoneError, ask
from tma.services.look import ticks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.act.facts import Facts
    from tma.core.act.sight import Sight
    from tma.services.runtime import Runtime

PATIENCE = 4
"""How many times the budget of a cycle the rules may take: one pane, and a person who waits for it."""


def recheck(runtime: "Runtime", pane_id: str) -> None:
    """Identify, capture, judge and stamp one pane, reusing nothing; the server counts its summaries anew (RU-3).

    Raises:
        TmaError: there is no such pane, no server, or no process can be seen.
    """
    plan = observe.judge(runtime, pane_id)
    if plan.ops:
        runtime.server.feed(write.script(pane_id, [*plan.ops, *stamping.counted(runtime, plan.pane)]))


def see(runtime: "Runtime", seen: "Facts") -> "Sight | None":
    """What a pane's screen shows by its agent's rules, None for an agent without rules; rules that give up see nothing.

    Raises:
        PaneGoneError: there is no such pane.
        TmaError: tmux failed in another way.
    """
    from tma.core.detect import rules

    manifest = next((each for each in runtime.manifests if each.name == seen.agent), None)
    if manifest is None or not manifest.rules:
        return None
    command, mark = capture.commands_for([seen.pane])
    text = capture.parse(ask(runtime, command), mark).get(seen.pane)
    if text is None:
        raise PaneGoneError(seen.pane)
    screen = rules.Screen(lines_of(text), seen.height, seen.title)
    began = ticks()
    reading = rules.judge(manifest, screen, seen.at, lambda: (ticks() - began) // PATIENCE)
    return sight.of(manifest, reading, screen.visible(), seen.height)
