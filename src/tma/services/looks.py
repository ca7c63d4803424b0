"""Looks at single panes for who watches them all the time, and reads that look at none (CYC-11, DED-2)."""

from tma.adapters.tmux import read
from tma.core import triage as plans
from tma.core.detect.fold import window
from tma.core.state import BLOCKED, HOOK, UNKNOWN, WORKING
from tma.core.triage import Context, registered, triage
from tma.services import stamping
from tma.services.cycle import Snapshot, possible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from tma.core.ops import Op
    from tma.core.settings import Settings
    from tma.core.triage import Plan
    from tma.services.runtime import Runtime


def glance(runtime: "Runtime") -> Snapshot:
    """Every pane as its stamp stands: one tmux client, no process asked, nothing written.

    Raises:
        TmaError: the server is gone or took too long.
    """
    return _read(runtime, frozenset(), frozenset())[0]


def look_at(runtime: "Runtime", chosen: "Collection[str]", demoted: frozenset[str]) -> Snapshot:
    """Judge and stamp the chosen panes that are not left to their hooks; all others as their stamps stand.

    Raises:
        TmaError: the server is gone, the read or the write took too long, or no process can be seen.
    """
    snapshot, context = _read(runtime, chosen, demoted)
    pending = [plan for plan in snapshot.plans if plan.outcome == plans.LOOK]
    if snapshot.foreign or not pending:
        return snapshot
    trees = possible(runtime, pending, runtime.procs(), context)

    def compose() -> list[str]:
        chains: list[tuple[str, list[Op]]] = [
            (plan.pane.pane_id, [*plan.ops, *stamping.counted(runtime, plan.pane)]) for plan in pending if plan.ops
        ]
        return stamping.scripts(snapshot.now, chains, [], [], poll=False) if chains else []

    from tma.services.look import look

    look(runtime, context, trees, compose)
    snapshot.captures = sum(plan.captured for plan in pending)
    return snapshot


def _read(runtime: "Runtime", chosen: "Collection[str]", demoted: frozenset[str]) -> tuple[Snapshot, Context]:
    command, mark = read.list_panes()
    text = runtime.server.run([*command, ";", *read.list_clients(mark)])
    panes, facts = read.parse(text, mark)
    snapshot = Snapshot(runtime.now_ms(), facts)
    snapshot.clients = read.parse_clients(text, mark)
    snapshot.foreign = facts is not None and runtime.foreign(facts)
    passive, active = _context(runtime, snapshot), _context(runtime, snapshot)
    passive.stampede = active.explain = True
    active.demoted = demoted
    for pane in panes[: read.MAX_PANES]:
        plan = triage(pane, active if pane.pane_id in chosen else passive)
        if plan.outcome == plans.LOOK and not _is_wanted(plan, runtime, demoted):
            plan.keep(plans.FRESH)
        if pane.pane_id not in chosen:
            plan.ops = []
        snapshot.plans.append(plan)
    return snapshot, active


def _context(runtime: "Runtime", snapshot: Snapshot) -> Context:
    context = Context(now=snapshot.now, settings=runtime.settings, names=runtime.names)
    context.foreign = snapshot.foreign
    return context


def _is_wanted(plan: "Plan", runtime: "Runtime", demoted: frozenset[str]) -> bool:
    """Whether a screen may tell what hooks do not (CYC-11)."""
    stamp = plan.prior
    if stamp is None or stamp.source != HOOK or plan.pane.pane_id in demoted or stamp.state == WORKING:
        return True
    manifest = next((plain for plain in runtime.document.agents if plain["name"] == stamp.name), None)
    return stamp.state == BLOCKED and manifest is not None and bool(manifest["exclusive"])


def hookless(plan: "Plan", names: "Collection[str]") -> bool:
    """Whether an agent's pane has no hooks that report for it."""
    stamp = plan.stamp_after
    return stamp is not None and stamp.source != HOOK and not registered(stamp, names)


def again_ms(plan: "Plan", runtime: "Runtime", settings: "Settings") -> int:
    """When a look that held inside a hook's window is to be repeated, in epoch ms; 0 for never (CYC-11)."""
    stamp, verdict = plan.prior, plan.verdict
    if stamp is None or verdict is None or verdict.publish or stamp.source != HOOK:
        return 0
    manifest = next((each for each in runtime.manifests if each.name == stamp.name), None)
    return stamp.evidence + window(stamp.state, manifest, settings) if manifest else 0


def is_capped(plan: "Plan") -> bool:
    """Whether something else than the agent owns the terminal, so that nothing could be read (DED-6)."""
    verdict, facts = plan.verdict, plan.facts
    return verdict is not None and facts is not None and not facts.foreground and verdict.state == UNKNOWN


def candidates(runtime: "Runtime", snapshot: Snapshot) -> "list[Plan]":
    """Panes without a stamp whose processes may be an agent's: nobody has looked at them yet (DCC-1).

    Raises:
        TmaError: no process can be seen.
    """
    unknown = [
        plan
        for plan in snapshot.plans
        if plan.reason == plans.STAMPEDE and plan.outcome == plans.NONE and plan.pane.command and not plan.boundary
    ]
    procs, known, found = runtime.procs(), runtime.process_names, []
    for plan in unknown:
        names = (name for proc in procs.tree(plan.pane.pid) for name in proc.names)
        if not plans.is_nobody(plan, names, known):
            found.append(plan)
    return found
