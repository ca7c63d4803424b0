"""What ``doctor`` says of notices: the command's last failure, and each sink whose last try failed (DLV-3, DLV-4)."""

from typing import Any

from tma.core.events.routes import NO_FAULT
from tma.core.text import clean
from tma.view.agentlines import MARK, age

DAY_MS = 86_400_000


def lines(section: dict[str, Any], now: int) -> list[str]:
    """A line for each trouble, newest last."""
    found = []
    failure = section["last_failure"]
    if failure:
        ago = age(max(0, now - failure["at"]))
        found.append(f"{MARK} the command {failure['reason']} {ago} ago: {failure['command']}: tma debug notify-test")
    return found + [_line(each, now) for each in section["sinks"] if is_troubled(each)]


def confirmed(known: dict[str, list[str]], enabled: tuple[str, ...]) -> list[str]:
    """Which terminal sequences a person saw; nothing where none is on (NTT-3)."""
    if not enabled:
        return []
    if not known:
        return ["terminal sequences: never confirmed; tma debug notify-test --live tries them"]
    return [
        f"terminal {kind or '?'}: {'confirmed ' + ', '.join(forms) if forms else 'never confirmed'}"
        for kind, forms in known.items()
    ]


def failing(entries: list[dict[str, Any]], now: int) -> list[dict[str, Any]]:
    """The sinks that took nothing for a day, and were tried on it (DLV-4)."""
    return [
        each
        for each in entries
        if each["failing_since"] and each["last_failure"] and each["last_failure"]["result"] not in NO_FAULT
        and each["failing_since"] <= now - DAY_MS < each["last_failure"]["at"]
    ]  # fmt: skip


def is_troubled(entry: dict[str, Any]) -> bool:
    """Whether a sink's last try was no success."""
    failure = entry["last_failure"]
    return failure is not None and failure["at"] >= (entry["last_ok_at"] or 0) and failure["result"] != "ok"


def _line(entry: dict[str, Any], now: int) -> str:
    failure = entry["last_failure"]
    target = f" {clean(entry['target'])}" if entry["target"] else ""
    detail = f" ({clean(failure['detail'])})" if failure["detail"] else ""
    mark = "" if failure["result"] in NO_FAULT else f"{MARK} "
    return f"{mark}{entry['sink']}{target}: {failure['result']}{detail} {age(max(0, now - failure['at']))} ago"
