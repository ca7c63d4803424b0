"""One pane by the same pipeline as a cycle, reusing nothing."""

from tma.adapters.tmux import capture, read
from tma.core import triage as plans
from tma.core.errors import TmaError
from tma.core.triage import Context, triage
from tma.services.look import Look, ticks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.pane import PaneRecord, ServerFacts
    from tma.core.triage import Plan
    from tma.services.runtime import Runtime


def find_pane(runtime: "Runtime", pane_id: str) -> "tuple[PaneRecord, ServerFacts]":
    """A pane as the one read shows it.

    Raises:
        TmaError: there is no such pane, or no server.
    """
    command, mark = read.list_panes()
    panes, facts = read.parse(runtime.server.run(command), mark)
    for pane in panes:
        if pane.pane_id == pane_id and facts is not None:
            return pane, facts
    msg = f"no pane {pane_id} on this tmux server"
    raise TmaError(msg, "tmux list-panes -a shows the pane ids")


def judge(runtime: "Runtime", pane_id: str) -> "Plan":
    """Judge one pane as a cycle would; the writes that it asks for are the caller's to send (EXP-1, CYC-11).

    Raises:
        TmaError: there is no such pane, no server, or no process can be seen.
    """
    pane, facts = find_pane(runtime, pane_id)
    context = Context(now=runtime.now_ms(), settings=runtime.settings, names=runtime.names)
    context.manifests = runtime.manifests
    context.explain = True
    context.foreign = runtime.foreign(facts)
    context.elapsed_ms = ticks
    plan = triage(pane, context)
    if plan.outcome == plans.LOOK:
        procs = runtime.procs()
        look = Look(plan, context, procs, [] if plan.boundary else procs.tree(pane.pid))
        if look.waiting:
            look.show(captured(runtime, pane_id))
    return plan


def captured(runtime: "Runtime", pane_id: str) -> str | None:
    """The text that the detector would see, None for a pane that is gone (CAP-1)."""
    command, mark = capture.commands_for([pane_id])
    return capture.parse(runtime.server.run(command), mark).get(pane_id)
