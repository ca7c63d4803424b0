"""How a fire ended: outcome, reason and exit code, one meaning each (the tables of ``act`` results, AJ-1 to AJ-4)."""

from typing import NamedTuple

from tma.core import errors
from tma.core.act.gate import LOCKED

SENT = "sent"
REPLIED = "replied"
SPAWNED = "spawned"
EXITED = "exited"
TIMEOUT = "timeout"
REFUSED = "refused"
VANISHED = "vanished"
ERROR = "error"

PANE_GONE = "pane-gone"
REQUEST_GONE = "request-gone"

_CODES = {
    SENT: errors.OK,
    REPLIED: errors.OK,
    SPAWNED: errors.OK,
    TIMEOUT: errors.DEADLINE,
    VANISHED: errors.GONE,
    ERROR: errors.FAILURE,
}


class Result(NamedTuple):
    """``note`` says more to a person, who reads it on standard error."""

    outcome: str
    exit_code: int
    reason: str | None = None
    note: str = ""


def ended(outcome: str, reason: str | None = None, *, note: str = "") -> Result:
    """The result of an outcome whose exit code is fixed."""
    return Result(outcome, _CODES[outcome], reason, note)


def refused(reason: str) -> Result:
    """A check said no, and nothing was sent."""
    return Result(REFUSED, errors.LOCKED if reason == LOCKED else errors.REFUSED, reason)


def exited(code: int) -> Result:
    """A child ended by itself; a negative code is the signal that ended it (ACT-EXEC-6)."""
    return Result(EXITED, code if code >= 0 else 128 - code)


def vanished(reason: str = PANE_GONE) -> Result:
    """The target went away."""
    return ended(VANISHED, reason)


def failed(note: str) -> Result:
    """The broker itself failed."""
    return ended(ERROR, note=note)


def worst(results: list[Result]) -> int:
    """The exit code of many fires: that of the worst, the last among equals (AJ-4)."""
    return max(enumerate(results), key=lambda numbered: (_severity(numbered[1]), numbered[0]))[1].exit_code


def _severity(result: Result) -> int:
    if result.exit_code == errors.OK:
        return 0
    if result.outcome == REFUSED:
        return 1 if result.reason == LOCKED else 2
    return {VANISHED: 3, TIMEOUT: 4, EXITED: 5, ERROR: 6}[result.outcome]
