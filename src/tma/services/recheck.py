"""The screen at a fire: one detection cycle on the pane (ACT-FRESH-2), and a reading that changes nothing."""

from tma.adapters.tmux import write
from tma.core.act import sight
from tma.core.errors import TmaError
from tma.core.screen import lines_of
from tma.services import observe, stamping
from tma.services.look import ticks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.act.facts import Facts
    from tma.core.act.sight import Sight
    from tma.services.runtime import Runtime


def recheck(runtime: "Runtime", pane_id: str) -> None:
    """Identify, capture, judge and stamp one pane, reusing nothing; the server counts its summaries anew (RU-3).

    Raises:
        TmaError: there is no such pane, no server, or no process can be seen.
    """
    plan = observe.judge(runtime, pane_id)
    if plan.ops:
        runtime.server.feed(write.script(pane_id, [*plan.ops, *stamping.counted(runtime, plan.pane)]))


def see(runtime: "Runtime", seen: "Facts") -> "Sight | None":
    """What a pane's screen shows by its agent's rules; None where it cannot be read or its rules take too long."""
    from tma.core.detect import rules

    manifest = next((each for each in runtime.manifests if each.name == seen.agent), None)
    if manifest is None or not manifest.rules:
        return None
    try:
        text = observe.captured(runtime, seen.pane)
    except TmaError:
        return None
    if text is None:
        return None
    screen = rules.Screen(lines_of(text), seen.height, seen.title)
    began = ticks()
    reading = rules.judge(manifest, screen, seen.at, lambda: ticks() - began)
    return None if reading.exhausted else sight.of(manifest, reading, screen.visible(), seen.height)
