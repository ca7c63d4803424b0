"""The one path from a pane that was read to what is stored about it (CYC-3 to CYC-5).

A judgment is a generator: it yields what it needs, is sent the answer, and returns a plan. Cycle,
single pane and explanation drive the same generators and differ in nothing but their context.

Needs and answers:

- ``"tree"``: the processes of the pane's tree, the root first.
- ``"capture"``: the screen's lines, or None if the pane is gone.
- ``("published", pid, started)``: the text of the agent's own state file, its time of change and, where
  it is known, the process's start, both in epoch ms; or None.
"""

from tma.core import ops, stamp, writes
from tma.core import triage as plans
from tma.core.detect import identity
from tma.core.detect.fold import Facts, fold, held, reuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Any, TypeAlias

    from tma.core.detect.agent import Manifest
    from tma.core.detect.identity import Identity
    from tma.core.ops import Op
    from tma.core.pane import PaneRecord, ProcInfo
    from tma.core.triage import Context, Plan

    Need: TypeAlias = str | tuple[str, int, str]
    Judging: TypeAlias = Generator[Need, Any, Plan]

NEED_TREE = "tree"
NEED_CAPTURE = "capture"
NEED_PUBLISHED = "published"


def look_at(plan: "Plan", context: "Context") -> "Judging":
    """Judge a pane that triage left open; the same plan comes back, decided."""
    far = identity.behind(plan.pane, plan.prior, context.names)
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
    return (yield from _read_screen(plan, plan.facts, manifest, context))


def _without_process(plan: "Plan", found: "Identity", tree: "list[ProcInfo] | None", now: int) -> "Plan":
    """Keep or reap an agent that only its reports prove; behind a boundary no process is asked (ID-14)."""
    prior = plan.prior
    if prior is None:
        return plan.clear(plans.NO_AGENT)
    fate = identity.ALIVE if tree is None else identity.reap(prior, tree, plan.pane, now)
    if fate == identity.REMOVE:
        return plan.clear(plans.REAPED)
    plan.identity, plan.manifest = found, found.name
    if fate == identity.MARK:
        plan.ops.append(ops.put(stamp.REG_DEAD_SINCE, str(now)))
    elif fate == identity.ALIVE:
        plan.ops += _unmarked(plan.pane)
    plan.verdict = held(prior, "only the agent's events tell")
    return plan.keep(plans.BEHIND if found.behind else plans.UNSEEN)


def _is_quiet(plan: "Plan", facts: Facts, manifest: "Manifest", context: "Context") -> bool:
    if plan.prior is None or context.explain:
        return False
    return reuse(plan.prior, facts, manifest, context.settings, activity_s=plan.pane.activity_s, now=context.now)


def _read_screen(plan: "Plan", facts: Facts, manifest: "Manifest", context: "Context") -> "Judging":
    """Capture, evaluate, fold, plan (CYC-5)."""
    # Regular expressions are loaded only where a screen was read.
    from tma.core.detect import rules

    pane = plan.pane
    lines: list[str] | None = yield NEED_CAPTURE
    if lines is None:
        return plan.drop(plans.DEAD, plans.VANISHED)
    screen = rules.Screen(lines, pane.height, pane.title)
    plan.reading = rules.judge(manifest, screen, context.now, context.stopwatch())
    plan.evidence = list(plan.reading.evidence)
    facts.history_view = plan.reading.history_view
    if manifest.published:
        yield from _read_published(plan, facts, manifest.published, context.now)
    plan.verdict = fold(plan.prior, facts, plan.evidence, manifest, context.settings, now=context.now)
    plan.outcome, plan.reason = plans.ROW, plans.JUDGED
    _project(plan, context.now)
    return plan


def _read_published(plan: "Plan", facts: Facts, form: str, now: int) -> "Generator[Need, Any, None]":
    """Add what the agent says of itself, if it is believed (APS-3, APS-4)."""
    from tma.core.detect.published import Writer, read_record

    found = plan.identity
    if found is None:
        return
    answer = yield (NEED_PUBLISHED, found.pid, found.started)
    if answer is None:
        return
    text, changed_ms, started_ms = answer
    writer = Writer(found.pid, plan.pane.pane_id, started=found.started, started_ms=started_ms, changed_ms=changed_ms)
    said = read_record(form, text, writer, now)
    if said is not None:
        facts.history_view = facts.history_view or said.history_view
        plan.evidence += [said.evidence] if said.evidence else []


def _project(plan: "Plan", now: int) -> None:
    """Choose the chain, and read what it leaves as the server would (GRD-5).

    A stored tuple that the chain would leave unreadable is removed first, in the same chain and
    only if nobody stamped meanwhile (RD-3).
    """
    plan.ops = _chain(plan, plan.pane.options, now)
    plan.stamp_after, _ = stamp.decode(plan.options_after())
    if plan.stamp_after is None:
        plan.ops = [*writes.remove(plan.pane.option(stamp.STAMPED_AT)), *_chain(plan, {}, now)]
        plan.stamp_after, _ = stamp.decode(plan.options_after())


def _chain(plan: "Plan", options: dict[str, str], now: int) -> "list[Op]":
    """The writes of a verdict (FOLD-15).

    A scrolled pane counts as not looked at: leaving copy mode prints nothing, so a stamp that
    claimed the look would keep what came meanwhile unseen (CYC-4).
    """
    found, verdict = plan.identity, plan.verdict
    if found is None or verdict is None:
        return []
    looked = writes.Looked(now=now, pid=found.pid, name=found.name, options=options, anchor=found.anchor)
    claim = writes.Claim(
        verdict.state, source=verdict.source, at=verdict.at, detail=verdict.detail, raised=verdict.raise_
    )
    unmarked = _unmarked(plan.pane)
    frozen = plan.facts is not None and plan.facts.scrolled
    unread = [ops.unset(stamp.HASH)] if frozen else []
    if verdict.reset:
        return [*unmarked, *writes.repair(looked), *writes.reset(claim, verdict.read_at, looked), *unread]
    if verdict.publish:
        return [*unmarked, *writes.publish(claim, verdict.guard, looked), *unread]
    if frozen:
        return [*unmarked, *_owned(found, options), *writes.repair(looked)]
    return [*unmarked, *_owned(found, options), *writes.hold(looked)]


def _owned(found: "Identity", options: dict[str, str]) -> "list[Op]":
    """Give a held tuple the process that the walk found: an event stores none (CH-REGISTER, REM-9)."""
    wanted = {stamp.PID: str(found.pid), stamp.NAME: found.name}
    return [ops.put(key, value) for key, value in wanted.items() if options.get(key) != value]


def _unmarked(pane: "PaneRecord") -> "list[Op]":
    return [ops.unset(stamp.REG_DEAD_SINCE)] if pane.option(stamp.REG_DEAD_SINCE) else []
