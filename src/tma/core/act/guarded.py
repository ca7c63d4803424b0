"""The condition of a guarded send: what must still hold inside the server in the step that types (ACT-SEND-2).

Every value on the right was checked when it was read; titles, paths and other free text never
enter (ACT-Q-2).
"""

from typing import NamedTuple

from tma.core import stamp
from tma.core.act import assertion, gate, lease
from tma.core.act.facts import is_command
from tma.core.guard import eq, lit, not_, opt, raw, render
from tma.core.state import is_pane_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.act.facts import Facts
    from tma.core.act.gate import Binders
    from tma.core.act.schema import Action

GONE = "gone"
DEAD = "dead"
INPUT_OFF = "input-off"
IN_MODE = "in-mode"
SYNC = "sync"
LOCK = "lock"
AGENT = "agent"
CHANGED = "changed"
REQUEST = "request"
SCREEN = "screen"
UNKNOWN = "unknown"
"""What the failing test says of itself; ``unknown`` if all held on the second look."""

REASONS = {
    DEAD: gate.PANE_DEAD,
    INPUT_OFF: gate.INPUT_OFF,
    IN_MODE: gate.IN_MODE,
    SYNC: gate.SYNCHRONIZED,
    AGENT: gate.WRONG_AGENT,
    REQUEST: gate.REQUEST_GONE,
    SCREEN: gate.SCREEN_MISMATCH,
    LOCK: gate.LOCKED,
    CHANGED: gate.GATED,
}
"""The reason of a refusal for each of these words but two (ACT-SEND-4)."""

_EPISODE = (stamp.SINCE, stamp.TURN_AT)


class Condition(NamedTuple):
    """One condition as a tmux format, and the word for its failure."""

    format: str
    token: str


class Look(NamedTuple):
    """What a fire decided on: the action, the facts it gated on, the binders, its lock, and how strictly."""

    action: "Action"
    facts: "Facts"
    binders: "Binders"
    nonce: str
    force: bool = False


def conditions(look: Look, *, first: bool = True) -> list[Condition]:
    """The conditions in order; the first that fails names the reason.

    A later step of one fire goes without the evidence's instant and without what must be on the
    screen: what was typed before it may have changed both (ACT-TEXT-4).
    """
    action, facts = look.action, look.facts
    screen = action.screen.get(facts.agent)
    if not is_pane_id(facts.pane) or not is_command(facts.command):
        message = "text outside the safe set may not enter a format"
        raise ValueError(message)
    found = [
        Condition(render(eq(raw("#{pane_id}"), raw(facts.pane))), GONE),
        Condition(_plain("pane_dead", "0"), DEAD),
        Condition(_plain("pane_input_off", "0"), INPUT_OFF),
        *([] if action.leave_mode else [Condition(_plain("pane_in_mode", "0"), IN_MODE)]),
        Condition(_plain("pane_synchronized", "0"), SYNC),
        Condition(lease.holds(look.nonce), LOCK),
        Condition(_stored(facts, stamp.NAME), AGENT),
        Condition(render(eq(raw("#{pane_current_command}"), raw(facts.command))), AGENT),
        *(Condition(_stored(facts, key), CHANGED) for key in _watched(look, first=first)),
        *(Condition(_stored(facts, key), REQUEST) for key in _quoted(look.binders)),
    ]
    if screen is not None:
        shown = screen.present if first else ()
        found += [Condition(_on_screen(text), SCREEN) for text in shown]
        found += [Condition(render(not_(raw(_on_screen(text)))), SCREEN) for text in screen.absent]
    return found


def all_hold(checks: list[Condition]) -> str:
    """One format that is true when every test holds; ``&&`` takes two (GRD-4)."""
    whole = checks[-1].format
    for check in reversed(checks[:-1]):
        whole = f"#{{&&:{check.format},{whole}}}"
    return whole


def first_failure(checks: list[Condition]) -> str:
    """One format that names the first test that fails."""
    whole = UNKNOWN
    for check in reversed(checks):
        whole = f"#{{?{check.format},{whole},{check.token}}}"
    return whole


def _watched(look: Look, *, first: bool) -> tuple[str, ...]:
    """The options that must not have changed since the gate."""
    when = look.action.when
    bound = _EPISODE if look.binders.episode is not None else ()
    if look.force:
        return bound
    evidence = (stamp.EVIDENCE_AT,) if first else ()
    context = (stamp.CONTEXT_PCT,) if when is not None and when.bounds_context else ()
    return (stamp.STATE, stamp.DETAIL, *evidence, *_EPISODE, *context)


def _quoted(binders: "Binders") -> list[str]:
    quoted = {stamp.PERMISSION_REQUEST: binders.request, stamp.PENDING_CALL: binders.call}
    return [key for key, text in quoted.items() if text]


def _plain(name: str, value: str) -> str:
    return render(eq(raw(f"#{{{name}}}"), lit(value)))


def _stored(facts: "Facts", key: str) -> str:
    return render(eq(opt(key), lit(facts.stored[key])))


def _on_screen(text: str) -> str:
    return f"#{{C/r:{assertion.pattern(text)}}}"
