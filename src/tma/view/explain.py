"""Why a pane reads as it does: one plan of the pipeline, as text for people and as JSON (DBG-2, EXP-1)."""

from tma.core import triage as plans
from tma.core.detect.rules import region_name
from tma.core.names import REMOTE_SHELL, normalise
from tma.view import jsonline
from tma.view.text import age, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tma.core.detect.agent import Manifest
    from tma.core.detect.evidence import Evidence
    from tma.core.detect.fold import Verdict
    from tma.core.stamp import Stamp
    from tma.core.triage import Plan

NO_AGENT = "unknown"
"""The agent of a pane that has none (json.md: `agent`)."""

_LABEL_CELLS = 10
_REASONS = {
    plans.IGNORED: "@agent_ignore is set",
    plans.PANE_DEAD: "the pane's program has ended",
    plans.FOREIGN: "this process cannot see the server's processes, only stamps",
    plans.NO_AGENT: "no process here belongs to a known agent, and no agent reported",
    plans.REAPED: "its agent has ended",
    plans.VANISHED: "the pane vanished meanwhile",
}


def document(plan: "Plan", manifest: "Manifest | None") -> str:
    """The document of ``debug explain --json``; ``manifest`` is the agent's, None without one."""
    pane, identity, facts = plan.pane, plan.identity, plan.facts
    far = _boundary(plan)
    return jsonline.document(
        [
            ("pane", pane.pane_id),
            ("locator", pane.locator),
            ("command", pane.command),
            ("title", pane.title),
            ("agent", agent_of(plan)),
            ("identity_source", identity.source if identity else None),
            ("out_of_scope", far),
            ("out_of_scope_kind", plan.boundary if far else None),
            ("registered_behind", (identity and identity.behind) or None),
            ("registered_behind_kind", (identity and identity.behind_kind) or None),
            ("ignored", plan.reason == plans.IGNORED),
            ("foreground_is_agent", bool(facts and facts.foreground)),
            ("scrolled", bool(pane.scroll)),
            ("history_view", bool(facts and facts.history_view)),
            ("evidence", [_evidence(record) for record in plan.evidence]),
            ("rules", _rules(plan, manifest)),
            ("verdict", _verdict(plan.verdict) if plan.verdict else None),
        ]
    )


def text(plan: "Plan", manifest: "Manifest | None", now: int) -> str:
    """The same for a person; everything foreign is shown with its control characters written out."""
    pane = plan.pane
    lines = [
        ("pane", f"{pane.pane_id} {pane.locator}"),
        ("command", pane.command),
        ("title", pane.title),
        ("flags", ", ".join(_flags(plan)) or "none"),
        *_agent_lines(plan, manifest),
        *_stamp_lines(plan, now),
        *[("evidence", f"{each.source}: {each.claim} at {each.at}, {each.label}") for each in plan.evidence],
        *[("rule", _rule_line(rule)) for rule in _rules(plan, manifest)],
        *_verdict_lines(plan.verdict),
    ]
    return "".join(f"{label:<{_LABEL_CELLS}}{shown(value)}".rstrip() + "\n" for label, value in lines)


def agent_of(plan: "Plan") -> str:
    """The pane's agent; a foreign observer has only the stamp's word for it (CYC-14)."""
    stamped = plan.stamp_after.name if plan.has_row and plan.stamp_after else ""
    return plan.manifest or stamped or NO_AGENT


def state_of(plan: "Plan") -> str:
    """The state that a cycle would show of the pane, with its detail; ``none`` where it has no row."""
    verdict, stamp = plan.verdict, plan.stamp_after
    if not plan.has_row or stamp is None:
        return "none"
    return _claim(verdict.state, verdict.detail) if verdict else _claim(stamp.state, stamp.detail)


def _boundary(plan: "Plan") -> str | None:
    """The command that puts a pane out of scope; a claim outranks it (ID-6)."""
    return normalise(plan.pane.command) if plan.reason == plans.OUT_OF_SCOPE else None


def _flags(plan: "Plan") -> list[str]:
    facts = plan.facts
    flags = {
        "ignored": plan.reason == plans.IGNORED,
        "dead": plan.pane.dead,
        "agent in the foreground": bool(facts and facts.foreground),
        "scrolled": bool(plan.pane.scroll),
        "history view": bool(facts and facts.history_view),
        "matching took too long": bool(plan.reading and plan.reading.exhausted),
    }
    return [name for name, holds in flags.items() if holds]


def _agent_lines(plan: "Plan", manifest: "Manifest | None") -> list[tuple[str, str]]:
    identity = plan.identity
    if identity is None:
        return [("agent", f"{agent_of(plan) if plan.has_row else 'none'}: {_reason(plan)}")]
    process = f"process {identity.pid}" if identity.pid else "no process known"
    lines = [("agent", f"{identity.name} ({identity.source}, {process})")]
    if identity.behind:
        lines.append(("", f"behind {_kind(identity.behind_kind)} {identity.behind}"))
        lines.append(("", "hook events are the only evidence"))
    if manifest is not None:
        lines.append(("manifest", manifest.file))
    return lines


def _kind(boundary: str) -> str:
    return "remote shell" if boundary == REMOTE_SHELL else "nested multiplexer"


def _reason(plan: "Plan") -> str:
    far = _boundary(plan)
    if far is not None:
        return f"behind {_kind(plan.boundary)} {far}, and no agent reported for the pane"
    return _REASONS.get(plan.reason, plan.reason)


def _stamp_lines(plan: "Plan", now: int) -> list[tuple[str, str]]:
    if plan.problem:
        return [("stamp", f"unreadable: {plan.problem}")]
    return [("stamp", _stamp(plan.prior, now) if plan.prior else "none")]


def _stamp(prior: "Stamp", now: int) -> str:
    instants = {"since": prior.since, "evidence": prior.evidence, "stamped": prior.stamped}
    ages = ", ".join(f"{name} {at} ({age(at, now)})" for name, at in instants.items())
    return f"{_claim(prior.state, prior.detail)} by {prior.source}, {ages}" + (", marked" if prior.attention else "")


def _verdict_lines(verdict: "Verdict | None") -> list[tuple[str, str]]:
    if verdict is None:
        return [("verdict", "none")]
    effects = {
        "over a hook's claim": verdict.override,
        "raises the mark": verdict.raise_,
        "starts a new episode": verdict.reset,
    }
    claim = f"{_action(verdict)} {_claim(verdict.state, verdict.detail)}"
    said = ", ".join([claim, *(name for name, holds in effects.items() if holds)])
    return [("verdict", said), ("winner", f"{verdict.source} at {verdict.at}, {verdict.label}")]


def _rules(plan: "Plan", manifest: "Manifest | None") -> "list[dict[str, Any]]":
    """The rules that ran, in manifest order."""
    if plan.reading is None or manifest is None:
        return []
    return [
        {
            "index": index,
            "matched": matched,
            "state": rule["state"],
            "detail": rule["detail"] or None,
            "priority": rule["priority"],
            "region": region_name(rule["region"]),
            "skip_state_update": rule["skip"],
        }
        for index, matched in plan.reading.trace
        for rule in [manifest.rules[index]]
    ]


def _rule_line(rule: "dict[str, Any]") -> str:
    what = "history view" if rule["skip_state_update"] else _claim(rule["state"], rule["detail"])
    return f"{'✓' if rule['matched'] else '·'} #{rule['index']} {what} on {rule['region']}, priority {rule['priority']}"


def _evidence(record: "Evidence") -> dict[str, object]:
    return {"source": record.source, "claim": record.claim, "at": record.at, "meta": record.label}


def _verdict(verdict: "Verdict") -> dict[str, object]:
    return {
        "state": verdict.state,
        "detail": verdict.detail or None,
        "action": _action(verdict),
        "may_override": verdict.override,
        "set_attention": verdict.raise_,
        "episode_reset": verdict.reset,
        "winning_evidence": {"source": verdict.source, "at": verdict.at, "label": verdict.label},
    }


def _action(verdict: "Verdict") -> str:
    return "publish" if verdict.publish else "hold"


def _claim(state: str, detail: str | None) -> str:
    return f"{state}/{detail}" if detail else state
