"""What acting says: results and lists as text and JSON, the dry run, and the line of the audit log."""

from typing import NamedTuple

from tma.core import stamp
from tma.core.act.facts import is_call
from tma.core.act.order import address_of, reply_path, variables_of
from tma.core.act.result import EXITED, REPLIED, SENT, SPAWNED, VANISHED
from tma.core.act.schema import API, KEYS, TEXT
from tma.core.text import clean
from tma.view import jsonline
from tma.view.text import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from tma.core.act.facts import Facts
    from tma.core.act.order import Order
    from tma.core.act.result import Result
    from tma.core.act.schema import Action

_NAME_CELLS = 12
_KIND_CELLS = 5
_LABEL_CELLS = 9
_MANY = 3
_STAMPED = frozenset(("TMA_AGENT", "TMA_STATE", "TMA_DETAIL", "TMA_SESSION_ID", "TMA_PID"))


class Fired(NamedTuple):
    """One fire for the records: how it ended, what was seen, and where it came from."""

    order: "Order"
    result: "Result"
    facts: "Facts | None"
    transport: str
    repeat: int
    at: int
    source: str
    batch: str | None
    via_agent: str | None


def note(name: str, pane: str, result: "Result") -> str:
    """The line about one fire, empty for a child that spoke for itself (ACT-RES-1)."""
    if result.outcome in {SENT, REPLIED}:
        return f"{result.outcome} {name} to {pane}"
    if result.outcome in {EXITED, SPAWNED}:
        return ""
    why = result.reason or result.outcome
    more = f": {result.note}" if result.note else ""
    return f"{name} on {pane}: {why} (exit {result.exit_code}){more}"


def repeat_note(name: str, pane: str, repeat: int) -> str:
    """The warning about the same answer again and again, empty below three (ACT-REP-2)."""
    if repeat < _MANY:
        return ""
    return f"{repeat} consecutive {name} on {pane} in one episode; is the same prompt coming back?"


def result_value(name: str, pane: str, result: "Result") -> dict[str, object]:
    """One result as the object of a JSON document."""
    return {
        "action": name,
        "pane": pane,
        "outcome": result.outcome,
        "exit_code": result.exit_code,
        "reason": result.reason,
    }


def audit_line(fired: Fired) -> str:
    """One line of the audit log; nothing that a person or an agent wrote enters it (ACT-LOG-4)."""
    facts = fired.facts
    tool, call = ((facts.stored[key] if facts is not None else "") for key in (stamp.PENDING_TOOL, stamp.PENDING_CALL))
    pairs = [
        ("at", fired.at),
        ("pane", fired.order.pane),
        ("agent", facts.agent or None if facts is not None else None),
        ("action", fired.order.action.name),
        ("kind", fired.transport),
        ("outcome", fired.result.outcome),
        ("reason", fired.result.reason),
        ("source", fired.source),
        ("episode_ms", None if facts is None else facts.episode),
        ("repeat", fired.repeat),
        ("pending_tool", tool if is_call(tool) else None),
        ("pending_call", call if is_call(call) else None),
        ("all", fired.batch is not None),
        ("batch", fired.batch),
        ("via_agent", fired.via_agent),
    ]
    return jsonline.document(pairs)


def list_line(action: "Action", verdict: "Result | None", *, judged: bool) -> str:
    """One action of a list; with ``judged`` what a pane would make of it."""
    agents = ",".join(action.agents) or "(all)"
    said = f"  {verdict_text(verdict)}" if judged else ""
    return f"{action.name:<{_NAME_CELLS}} {action.kind:<{_KIND_CELLS}} {agents}{said}\n"


def list_document(entries: "Iterable[tuple[Action, Result | None]]", *, judged: bool) -> str:
    """The document of ``act --list --json``."""
    return jsonline.document([("actions", [_listed(action, verdict, judged=judged) for action, verdict in entries])])


def verdict_text(verdict: "Result | None") -> str:
    """What would become of a fire."""
    if verdict is None:
        return "fireable"
    return "vanished (pane gone)" if verdict.outcome == VANISHED else f"refused: {verdict.reason}"


def target_line(pane: str, agent: str, verdict: "Result | None") -> str:
    """One target of a dry run over many."""
    return f"{pane} {clean(agent)} {'would fire' if verdict is None else verdict_text(verdict)}\n"


def dry_run(
    order: "Order", facts: "Facts | None", verdict: "Result | None", api: "Mapping[str, Mapping[str, Any]]"
) -> str:
    """What one fire would be: target, verdict, effect, and each value with its age (ACT-DRY-1)."""
    agent = facts.agent if facts is not None else ""
    lines = [
        ("action:", order.action.name),
        ("pane:", order.pane),
        ("agent:", agent or "(none)"),
        ("gate:", verdict_text(verdict)),
        ("effect:", _effect(order, facts, api)),
        ("context:", ""),
    ]
    text = "".join(f"{label:<{_LABEL_CELLS}}{shown(value)}".rstrip() + "\n" for label, value in lines)
    return text if facts is None else text + _context(order, facts)


def _effect(order: "Order", facts: "Facts | None", api: "Mapping[str, Mapping[str, Any]]") -> str:
    action, agent = order.action, facts.agent if facts is not None else ""
    if facts is None or not action.covers(agent):
        return "none"
    transport = action.transport(agent)
    if transport == API:
        address = address_of(facts, api)
        where = f"{address.scheme}://{address.host}:{address.port}{address.prefix}" if address else "(no endpoint)"
        return f"api: POST {where}{reply_path(facts)}"
    if transport == KEYS:
        return f"keys: {' '.join(action.keys[agent])}"
    if transport == TEXT:
        typing = action.typing[agent]
        return f"text: {' '.join([*typing.prefix, order.text or '', *typing.suffix])}"
    return f"command: {action.command}"


def _context(order: "Order", facts: "Facts") -> str:
    stamped = facts.number(stamp.STAMPED_AT)
    age = f"({max(0, facts.at - stamped)} ms old)" if stamped else "(never stamped)"
    values = variables_of(order, facts)
    return "".join(
        f"  {name}={shown(value)} {age if name in _STAMPED else '(live)'}\n" for name, value in values.items()
    )


def _listed(action: "Action", verdict: "Result | None", *, judged: bool) -> dict[str, object]:
    when = action.when
    entry: dict[str, object] = {
        "name": action.name,
        "label": action.label,
        "kind": action.kind,
        "agents": list(action.agents),
        "when": None
        if when is None
        else {
            "state": list(when.state or ()),
            "detail": list(when.detail or ()),
            "context_pct_min": when.context_min,
            "context_pct_max": when.context_max,
        },
    }
    if judged:
        reason = None if verdict is None else verdict.reason
        entry |= {"fireable": verdict is None, "reason": reason}
    return entry
