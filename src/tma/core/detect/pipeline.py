"""The one path from a pane that was read to what is stored about it (CYC-3 to CYC-5).

A judgment is a generator: it yields what it needs, is sent the answer, and returns a plan. Cycle,
single pane and explanation drive the same generators and differ in nothing but their context.

Needs and answers:

- ``"tree"``: the processes of the pane's tree, the root first.
- ``"capture"``: the screen's lines, or None if the pane is gone.
- ``("published", pid, started)``: the text of the agent's own state file, its time of change and, where
  it is known, the process's start, both in epoch ms; or None.
"""

from tma.core import triage as plans
from tma.core.detect import identity
from tma.core.detect.fold import held
from tma.core.quiet import Facts, reuse
from tma.core.stamp import REG_DEAD_SINCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Any, TypeAlias

    from tma.core.detect.agent import Manifest
    from tma.core.detect.identity import Identity
    from tma.core.pane import ProcInfo
    from tma.core.triage import Context, Plan

    Need: TypeAlias = str | tuple[str, int, str]
    Judging: TypeAlias = Generator[Need, Any, Plan]

NEED_TREE = "tree"
NEED_CAPTURE = "capture"


def look_at(plan: "Plan", context: "Context") -> "Judging":
    """Judge a pane that triage left open; the same plan comes back, decided."""
    far = identity.behind(plan.pane, plan.prior, context.names, context.settings.remote)
    if far is not None:
        return _without_process(plan, far, None, context.now)
    tree: list[ProcInfo] = yield NEED_TREE
    found = identity.identify(plan.pane, tree, context.manifests, plan.prior)
    if found is None:
        return plan.clear(plans.NO_AGENT)
    if not found.pid:
        return _without_process(plan, found, tree, context.now)
    manifest = next(each for each in context.manifests if each.name == found.name)
    plan.identity, plan.manifest = found, found.name
    plan.facts = Facts(
        agent_pid=found.pid,
        foreground=found.foreground,
        scrolled=bool(plan.pane.scroll),
        demoted=plan.pane.pane_id in context.demoted,
    )
    if _is_quiet(plan, plan.facts, manifest, context):
        return plan.keep(plans.QUIET)
    lines: list[str] | None = yield NEED_CAPTURE
    if lines is None:
        return plan.drop(plans.DEAD, plans.VANISHED)
    # Most looks end above: regular expressions and writes are loaded only where a screen was read.
    from tma.core.detect.judging import read_screen

    return (yield from read_screen(plan, plan.facts, manifest, context, lines))


def keeps_unseen(plan: "Plan", tree: "list[ProcInfo]", context: "Context") -> bool:
    """Whether a look comes to the stored tuple before it needs the screen; else the plan is to be made anew."""
    judging = look_at(plan, context)
    try:
        if next(judging) == NEED_TREE:
            judging.send(tree)
    except StopIteration:
        return plan.reused and plan.facts is not None and plan.facts.foreground
    return False


def _without_process(plan: "Plan", found: "Identity", tree: "list[ProcInfo] | None", now: int) -> "Plan":
    """Keep or reap an agent that only its reports prove; behind a boundary no process is asked (ID-14)."""
    prior = plan.prior
    if prior is None:
        return plan.clear(plans.NO_AGENT)
    fate = identity.ALIVE if tree is None else identity.reap(prior, tree, plan.pane, now)
    if fate == identity.REMOVE:
        return plan.clear(plans.REAPED)
    plan.identity, plan.manifest = found, found.name
    if fate == identity.MARK or (fate == identity.ALIVE and plan.pane.option(REG_DEAD_SINCE)):
        # Loaded here: most looks write nothing.
        from tma.core import writes

        plan.ops += writes.marked(now) if fate == identity.MARK else writes.unmarked(plan.pane.options)
    plan.verdict = held(prior, "only the agent's events tell")
    return plan.keep(plans.BEHIND if found.behind else plans.UNSEEN)


def _is_quiet(plan: "Plan", facts: Facts, manifest: "Manifest", context: "Context") -> bool:
    if plan.prior is None or context.explain:
        return False
    return reuse(plan.prior, facts, manifest, context.settings, activity_s=plan.pane.activity_s, now=context.now)
