"""From a screen to what is stored: the last steps of the pipeline, for panes that have to be read (CYC-5)."""

from tma.core import ops, stamp, writes
from tma.core import triage as plans
from tma.core.detect import dialog, rules
from tma.core.detect.fold import fold
from tma.core.state import BLOCKED, CAPTURE

NEED_PUBLISHED = "published"
"""Asks for the agent's own state file, with its process id and start."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Any

    from tma.core.detect.agent import Manifest
    from tma.core.detect.identity import Identity
    from tma.core.detect.pipeline import Judging, Need
    from tma.core.ops import Op
    from tma.core.quiet import Facts
    from tma.core.triage import Context, Plan


def read_screen(plan: "Plan", facts: "Facts", manifest: "Manifest", context: "Context", lines: list[str]) -> "Judging":
    """Evaluate the captured lines, fold, plan (CYC-5)."""
    pane = plan.pane
    screen = rules.Screen(lines, pane.height, pane.title)
    plan.reading = rules.judge(manifest, screen, context.now, context.stopwatch())
    plan.evidence = list(plan.reading.evidence)
    facts.history_view = plan.reading.history_view
    plan.dialog = dialog.mark(plan.reading, screen.visible(), pane.height)
    if manifest.published:
        yield from _read_published(plan, facts, manifest.published, context.now)
    plan.verdict = fold(plan.prior, facts, plan.evidence, manifest, context.settings, now=context.now)
    plan.verdict.raise_ = plan.verdict.raise_ or _is_another(plan)
    plan.outcome, plan.reason = plans.ROW, plans.JUDGED
    _project(plan, context.now)
    return plan


def _read_published(plan: "Plan", facts: "Facts", form: str, now: int) -> "Generator[Need, Any, None]":
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
    claim.dialog, claim.another = plan.dialog, _is_another(plan)
    fresh = writes.unmarked(plan.pane.options)
    frozen = plan.facts is not None and plan.facts.scrolled
    unread = [ops.unset(stamp.HASH)] if frozen else []
    if verdict.reset:
        return [*fresh, *writes.repair(looked), *writes.reset(claim, verdict.read_at, looked), *unread]
    if verdict.publish:
        return [*fresh, *writes.publish(claim, verdict.guard, looked), *unread]
    if frozen:
        return [*fresh, *_owned(found, options), *writes.repair(looked)]
    return [*fresh, *_owned(found, options), *writes.hold(looked)]


def _is_another(plan: "Plan") -> bool:
    """Whether a claim of the screen's stands on another prompt than the stored one: its episode begins here (GRD-6).

    A hook's claim is left to its events, which name their calls.
    """
    prior, verdict = plan.prior, plan.verdict
    if prior is None or verdict is None or verdict.reset or not verdict.publish:
        return False
    stays = (prior.state, verdict.state, verdict.source) == (BLOCKED, BLOCKED, CAPTURE)
    return stays and dialog.differs(plan.pane.option(stamp.DIALOG), plan.dialog)


def _owned(found: "Identity", options: dict[str, str]) -> "list[Op]":
    """Give a held tuple the process that the walk found: an event stores none (CH-REGISTER, REM-9)."""
    wanted = {stamp.PID: str(found.pid), stamp.NAME: found.name}
    return [ops.put(key, value) for key, value in wanted.items() if options.get(key) != value]
