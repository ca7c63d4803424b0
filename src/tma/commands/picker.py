"""``tma`` without a command: the picker."""

from tma.core.selector import Selection
from tma.tui import start
from tma.view.frame import draw_picker
from tma.view.picker import Picker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.services.runtime import Runtime


def run(runtime: "Runtime") -> int:
    """Show every agent but the pane that it was opened from (PIK-2)."""
    stage = start.prepare(runtime, Selection())
    opening = stage.opening
    options = start.options(stage, hidden=frozenset((opening.origin, opening.own)), jump_leaves=True)
    model = Picker(options, opening.session)
    return start.run(stage, model, lambda theme: draw_picker(model, theme))
