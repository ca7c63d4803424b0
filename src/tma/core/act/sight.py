"""What the screen shows at a fire, by the agent's own rules, and whether that is what the action is for (ACT-SCR-1).

An assertion is a handful of words that tmux looks for anywhere on the screen, in the step that types.
The words of a dialog may also stand quoted above another one, and no handful names every dialog of an
agent. So the rules read the screen too, a moment before:

1. What answers a dialog wants that dialog open, and still the one that the fire began with. Where the action
   does not say which dialog, no composer and no running turn may be all that there is.
2. What is not for a blocked agent wants no dialog open, not even an unknown one's title. A condition that
   names details alone is for a blocked agent only if the rules know such a dialog.
3. What is not for a blocked agent, and asserts a screen at all, wants one that the rules know: a composer for
   a line, a running turn or a composer for a key. A dialog of a later release is neither.
4. A menu or a history view is none of these, and neither is a screen that the rules gave up on.
"""

from typing import NamedTuple

from tma.core import stamp
from tma.core.act.schema import TEXT
from tma.core.detect import dialog
from tma.core.detect.evidence import SCREEN
from tma.core.state import BLOCKED, CAPTURE, IDLE, WORKING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tma.core.act.facts import Facts
    from tma.core.act.schema import Action
    from tma.core.detect.agent import Manifest
    from tma.core.detect.rules import Reading


class Sight(NamedTuple):
    """One reading of a screen.

    ``known`` are the claims, each a state with a detail, that the agent's rules can make at all. ``dialog``
    marks the permission dialog that is open, empty for none.
    """

    states: frozenset[str]
    details: frozenset[str]
    has_composer: bool
    history: bool
    dialog: str
    known: "frozenset[tuple[str, str]]"


def of(manifest: "Manifest", reading: "Reading", lines: "Sequence[str]", height: int) -> Sight:
    """The sight of a reading of a pane's visible lines."""
    return Sight(
        frozenset(each.state for each in reading.evidence),
        frozenset(each.detail for each in reading.evidence),
        has_composer=any(each.source == SCREEN and each.state in {IDLE, WORKING} for each in reading.evidence),
        history=reading.history_view,
        dialog=dialog.mark(reading, lines, height),
        known=frozenset((rule["state"], rule["detail"]) for rule in manifest.rules),
    )


def wanted(action: "Action", agent: str) -> bool:
    """Whether an action's conditions say anything about the screen."""
    return action.types(agent) and action.when is not None and (answers(action) or action.when.state is not None)


def contradicts(action: "Action", agent: str, seen: "Sight | None", *, first: bool = True) -> bool:
    """Whether the screen is another one than the action is for; an agent without rules contradicts nothing.

    A step of one fire that is not the ``first`` follows what the fire itself typed, which may stand in the composer.
    """
    when = action.when
    if seen is None or when is None or not wanted(action, agent):
        return False
    if seen.history:
        return True
    named = frozenset(when.detail or ())
    known = [(state, detail) for state, detail in seen.known if detail in named]
    if known and seen.details.isdisjoint(detail for _, detail in known):
        return True
    states = frozenset(state for state, _ in known) if when.state is None else frozenset(when.state)
    if BLOCKED in states:
        return states == {BLOCKED} and BLOCKED not in seen.states and seen.has_composer
    if BLOCKED in seen.states:
        return True
    if not first or agent not in action.screen or not any(state == IDLE for state, _ in seen.known):
        return False
    return not (seen.has_composer if action.kind == TEXT or IDLE in states else seen.states)


def answers(action: "Action") -> bool:
    """Whether an action answers a dialog."""
    when = action.when
    return when is not None and (when.detail is not None or BLOCKED in (when.state or ()))


def is_another(action: "Action", before: "Sight | None", now: "Sight | None") -> bool:
    """Whether the dialog to be answered is not the one that the fire began with, as far as both were read."""
    return answers(action) and before is not None and now is not None and before.dialog != now.dialog


def is_stale(facts: "Facts", seen: "Sight | None") -> bool:
    """Whether the screen shows another prompt than the stored claim stands for, which no hook made."""
    if seen is None or (facts.state, facts.stored[stamp.SOURCE]) != (BLOCKED, CAPTURE):
        return False
    return dialog.differs(facts.stored[stamp.DIALOG], seen.dialog)
