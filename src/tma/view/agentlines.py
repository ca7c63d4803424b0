"""The agents' panes in doctor's report: what each is, and what would make it better (DOC-3, DOC-4)."""

from typing import Any

from tma.core.text import clean

Json = dict[str, Any]
Reasons = dict[str, list[str]]

MARK = "✗"
"""What stands before a finding that somebody should mend."""

CLOSED = ("changed", "untrusted", "off")
"""How a gate stands that keeps an agent from running hooks."""

_LABEL = 9
_SECOND_MS, _MINUTE_S, _HOUR_S = 1000, 60, 3600
_TRUST = {
    "changed": "changed since they were trusted: answer the agent's question about hooks",
    "untrusted": "not trusted: answer the agent's question about hooks, in Codex also under /hooks",
    "off": "switched off in the agent's settings",
    "unknown": "of a form that tma does not know",
}
_API = {
    True: "a request waits, and its answer has an address",
    False: "✗ a request waits, and no address is known for its answer: set api_base under [api.{agent}]",
}
_STATUS = {"not_installed": "not installed", "no_adapter": "no installer adapter"}


def labelled(label: str, content: str) -> str:
    """One line of the report: the label in nine cells, and what is cleaned (DOC-2, DOC-8)."""
    head = f"{label}:" if label else ""
    return f"{head:<{_LABEL}} {clean(content)}".rstrip()


def age(elapsed_ms: int) -> str:
    """Seconds with one decimal, then whole minutes, then whole hours (DOC-5)."""
    seconds = elapsed_ms / _SECOND_MS
    if seconds < _MINUTE_S:
        return f"{seconds:.1f}s"
    return f"{int(seconds // _MINUTE_S)}m" if seconds < _HOUR_S else f"{int(seconds // _HOUR_S)}h"


def lines(rows: list[Json], reasons: Reasons, notes: dict[str, list[str]]) -> list[str]:
    """All of them; ``reasons`` says what an agent's wiring lacks, ``notes`` has lines for each pane."""
    if not rows:
        return ["panes:   no agent panes detected"]
    return [f"panes ({len(rows)}):", *(line for row in rows for line in _pane(row, reasons, notes))]


def is_fault(note: str) -> bool:
    """Whether a note tells of a fault: its mark stands behind the label, and what a value holds does not count."""
    return note.partition(": ")[2].startswith(MARK)


def _pane(row: Json, reasons: Reasons, notes: dict[str, list[str]]) -> list[str]:
    stamped = "unstamped"
    if row["state"] is not None:
        ago = f", {age(row['evidence_age_ms'])} ago" if row["evidence_age_ms"] is not None else ""
        stamped = f"{row['state']} ({row['source']}{ago})"
    agent, status = row["agent"], row["hook_status"]
    head = f"  {row['pane']}  {agent}  {row['locator']}  tier {row['tier']}  {stamped}"
    details = [f"hooks: {_STATUS.get(status, status)}"]
    lacking = "; ".join(reasons.get(agent, []))
    if status == "incomplete" or lacking:
        details = [f"hooks: ✗ {_STATUS.get(status, status)} ({lacking}): tma install-hooks {agent}"]
    if row["hook_demoted"]:
        details.append("demoted: ✗ a session is registered, but the screen speaks: tma install-hooks --check")
    if row["model"]:
        details.append(f"model: {row['model']}{' (unrecognized)' if row['window_covered'] is False else ''}")
    if row["endpoint_ok"] is not None:
        details.append(f"api: {_API[row['endpoint_ok']].format(agent=agent)}")
    if row["trust"] in _TRUST:
        mark = f"{MARK} " if row["trust"] in CLOSED else ""
        details.append(f"trust: {mark}hooks are {_TRUST[row['trust']]}")
    details += notes.get(row["pane"], [])
    if row["tier_reason"]:
        details.append(f"not tier {row['tier'] + 1}: {row['tier_reason']}")
    return [clean(head), *(f"      {clean(line)}" for line in details)]
