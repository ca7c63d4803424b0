"""The gate: which action may be fired at a pane now, or the one reason why not (ACT-GATE-1 to ACT-GATE-5).

The order of reasons is part of the contract, and all of it stands here: who, coverage of the
gauge, what is required, the gate itself, the interface's needs, the pane's condition, the lock.
"""

from typing import NamedTuple

from tma.core import stamp
from tma.core.act.facts import is_command
from tma.core.act.schema import TEXT
from tma.core.detect.identity import agent_process, in_foreground
from tma.core.names import REMOTE_COMMANDS, is_shell, out_of_scope
from tma.core.state import WORKING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from tma.core.act.facts import Facts
    from tma.core.act.schema import Action
    from tma.core.detect.agent import Manifest
    from tma.core.pane import ProcInfo

WRONG_AGENT = "wrong-agent"
NO_COVERAGE = "no-coverage"
REQUIRES_UNMET = "requires-unmet"
GATED = "gated"
PANE_DEAD = "pane-dead"
INPUT_OFF = "input-off"
IN_MODE = "pane-in-mode"
SYNCHRONIZED = "synchronized"
LOCKED = "locked"
EPISODE_CHANGED = "episode-changed"
REQUEST_GONE = "request-gone"
SCREEN_MISMATCH = "screen-mismatch"
EMPTY = "empty"
TOO_LONG = "too-long"
CONTROL_BYTES = "control-bytes"
SIGIL = "sigil"

LONGEST_TEXT = 4096
"""Bytes of one line of text (ACT-TEXT-1)."""

_UNSEEN = frozenset(("Cc", "Cf", "Mn", "Me", "Zs", "Zl", "Zp"))
_BLANK_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that Unicode counts as letters or signs, and that show nothing."""

ABSENT = "absent"
PROVEN = "proven"
CLAIMED = "claimed"
"""How the agent stands in a pane: not there, seen in front, or only its reports say so."""


class Binders(NamedTuple):
    """What the caller saw when the answer was chosen; empty parts bind nothing (ACT-BIND-1)."""

    episode: int | None = None
    request: str = ""
    call: str = ""


class Needs(NamedTuple):
    """What the pane's surroundings say of an action: gauge declared, interface reachable, agent in front."""

    has_gauge: bool
    has_endpoint: bool
    standing: str


def identity_refusal(action: "Action", facts: "Facts", standing: str) -> str:
    """Why an action is not for the pane's agent, empty when it is.

    A dead pane has no agent in front either, but says so by its own name.
    """
    absent = action.types(facts.agent) and standing == ABSENT and not facts.dead
    return WRONG_AGENT if absent or not action.covers(facts.agent) else ""


def refusal(action: "Action", facts: "Facts", needs: Needs, *, force: bool = False) -> str:
    """Why an action may not be fired at a pane, empty when it may; the lock is asked for by itself."""
    wrong = identity_refusal(action, facts, needs.standing)
    if wrong:
        return wrong
    gated = "" if force else _gated(action, facts, has_gauge=needs.has_gauge)
    if gated == NO_COVERAGE:
        return gated
    if not all(_has(facts, required) for required in action.requires):
        return REQUIRES_UNMET
    if gated:
        return gated
    if facts.agent in action.api and not (needs.has_endpoint and facts.stored[stamp.PERMISSION_REQUEST]):
        return REQUIRES_UNMET
    return _pane_refusal(action, facts) if action.types(facts.agent) else ""


def bound(facts: "Facts", binders: Binders) -> str:
    """Why what the caller saw is over, empty when it stands."""
    if binders.episode is not None and facts.episode != binders.episode:
        return EPISODE_CHANGED
    wanted = {stamp.PERMISSION_REQUEST: binders.request, stamp.PENDING_CALL: binders.call}
    return REQUEST_GONE if any(text and facts.stored[key] != text for key, text in wanted.items()) else ""


def text_refusal(text: str, sigils: tuple[str, ...]) -> str:
    """Why a line may not be typed, empty when it may (ACT-TEXT-1)."""
    shown = _visible(text)
    if not shown:
        return EMPTY
    if len(text.encode("utf-8", "surrogatepass")) > LONGEST_TEXT:
        return TOO_LONG
    if any(char < " " or "\x7f" <= char <= "\x9f" or "\ud800" <= char <= "\udfff" for char in text):
        return CONTROL_BYTES
    return SIGIL if shown[0] in sigils else ""


def _visible(text: str) -> str:
    """A line from the first character that shows: an agent may skip, too, what a person cannot see."""
    from unicodedata import category

    for index, char in enumerate(text):
        if not char.isspace() and char not in _BLANK_LETTERS and category(char) not in _UNSEEN:
            return text[index:]
    return ""


def standing_of(
    facts: "Facts",
    manifest: "Manifest | None",
    tree: "list[ProcInfo] | None",
    remote: "Collection[str]" = REMOTE_COMMANDS,
) -> str:
    """Whether what is typed reaches the agent (ACT-GATE-5).

    ``tree`` is the pane's processes, None where they are out of sight. A pane of whose agent no
    process can be judged stands by its reports, as long as no shell is in front.
    """
    if manifest is None or not is_command(facts.command):
        return ABSENT
    behind = out_of_scope(facts.command, remote)
    if behind:
        return ABSENT if facts.agent_pid else CLAIMED
    if tree is None:
        return _unless_shell(facts.command)
    if facts.agent_pid:
        agent = next((each for each in tree if each.pid == facts.agent_pid), None)
        if agent is None or set(agent.names).isdisjoint(manifest.process_names):
            return ABSENT
    else:
        agent = agent_process(tree, manifest.process_names)
        if agent is None:
            return _unless_shell(facts.command)
    return PROVEN if in_foreground(agent, tree, facts.command, manifest.process_names) else ABSENT


def _unless_shell(command: str) -> str:
    return ABSENT if is_shell(command) else CLAIMED


def _gated(action: "Action", facts: "Facts", *, has_gauge: bool) -> str:
    when = action.when
    if when is not None and when.bounds_context and not has_gauge:
        return NO_COVERAGE
    if action.kind == TEXT and facts.state == WORKING and not action.typing[facts.agent].steer_now:
        return GATED
    if when is None:
        return ""
    in_set = (when.state is None or facts.state in when.state) and (
        when.detail is None or (facts.detail != "" and facts.detail in when.detail)
    )
    return "" if in_set and _context_fits(facts.context, when.context_min, when.context_max) else GATED


def _context_fits(context: int | None, low: int | None, high: int | None) -> bool:
    if low is None and high is None:
        return True
    return context is not None and (low is None or low <= context) and (high is None or context <= high)


def _has(facts: "Facts", required: str) -> bool:
    return bool({
        "session": facts.stored[stamp.SESSION],
        "cwd": facts.path,
        "pid": facts.agent_pid,
        "title": facts.title,
    }[required])  # fmt: skip


def _pane_refusal(action: "Action", facts: "Facts") -> str:
    if facts.dead:
        return PANE_DEAD
    if facts.input_off:
        return INPUT_OFF
    if facts.in_mode and not action.leave_mode:
        return IN_MODE
    return SYNCHRONIZED if facts.synchronized else ""
