"""What the screen shows at a fire, by the agent's own rules, and whether that is what the action is for (ACT-SCR-1).

An assertion is a handful of words that tmux looks for anywhere on the screen, in the step that types.
The words of a dialog may also stand quoted above another one, and no handful names every dialog of an
agent. So the rules read the screen too, a moment before:

1. What answers a dialog wants that dialog open, and still the one that the fire began with.
2. What is not for a blocked agent wants no dialog open, not even an unknown one's title.
3. What is not for a blocked agent, and asserts a screen at all, wants one that the rules know: a composer for
   a line, a running turn or a composer for a key. A dialog of a later release is neither.
4. A menu or a history view is none of these.
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

    ``known`` are the states and details that the agent's rules can name at all, ``dialog`` marks the
    permission dialog that is open, empty for none.
    """

    states: frozenset[str]
    details: frozenset[str]
    has_composer: bool
    history: bool
    dialog: str
    known: frozenset[str]


def of(manifest: "Manifest", reading: "Reading", lines: "Sequence[str]", height: int) -> Sight:
    """The sight of a reading of a pane's visible lines."""
    return Sight(
        frozenset(each.state for each in reading.evidence),
        frozenset(each.detail for each in reading.evidence),
        has_composer=any(each.source == SCREEN and each.state in {IDLE, WORKING} for each in reading.evidence),
        history=reading.history_view,
        dialog=dialog.mark(reading, lines, height),
        known=frozenset(rule[key] for rule in manifest.rules for key in ("state", "detail")),
    )


def wanted(action: "Action", agent: str) -> bool:
    """Whether an action's conditions say anything about the screen."""
    return action.types(agent) and action.when is not None and (answers(action) or action.when.state is not None)


def contradicts(action: "Action", agent: str, seen: "Sight | None", *, first: bool = True) -> bool:
    """Whether the screen is another one than the action is for; what cannot be read contradicts nothing.

    A step of one fire that is not the ``first`` follows what the fire itself typed, which may stand in the composer.
    """
    if seen is None or not wanted(action, agent) or action.when is None:
        return False
    if seen.history:
        return True
    details = frozenset(action.when.detail or ()) & seen.known
    if details and details.isdisjoint(seen.details):
        return True
    states = frozenset(action.when.state or (BLOCKED,))
    if BLOCKED not in states and BLOCKED in seen.states:
        return True
    if not first or BLOCKED in states or agent not in action.screen or IDLE not in seen.known:
        return False
    return not (seen.has_composer if action.kind == TEXT or IDLE in states else seen.states)


def answers(action: "Action") -> bool:
    """Whether an action answers a dialog."""
    when = action.when
    return when is not None and (when.detail is not None or BLOCKED in (when.state or ()))


def is_stale(facts: "Facts", seen: "Sight | None") -> bool:
    """Whether the screen shows another prompt than the stored claim stands for, which no hook made."""
    if seen is None or (facts.state, facts.stored[stamp.SOURCE]) != (BLOCKED, CAPTURE):
        return False
    return dialog.differs(facts.stored[stamp.DIALOG], seen.dialog)
