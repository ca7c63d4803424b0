"""What one fire asks the world to do, in order; whoever runs the fire answers each (ACT-SEQ-1).

| effect | answer |
|---|---|
| ``Read`` | the pane's ``Facts``, None when it is gone |
| ``Refresh`` | nothing; one detection cycle on the pane has run where one can |
| ``See`` | what the screen shows, a ``Sight``, or None where it cannot be read |
| ``Stand`` | how the agent stands in the pane: a word of ``gate`` |
| ``Acquire`` | whether the pane's lock is ours |
| ``Press`` | ``sent``, ``typed``, or the word of the condition that failed |
| ``Pause`` | nothing |
| ``Drain`` | whether the agent has read what was typed so far, or that cannot be told |
| ``Count`` | nothing; the repeat counter is stored |
| ``Post`` | the HTTP status, 0 where the address is refused |
| ``Forget`` | nothing; the option is gone if it still holds that value |
| ``Run`` | the child's exit code, None when it was killed at its deadline |
| ``Supervise`` | whether the supervisor has the order and the lock |

Whatever fails beyond that is raised into the fire's runner, which lets go of the lock.
"""

from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from tma.core.act.facts import Facts
    from tma.core.act.guarded import Condition
    from tma.core.endpoint import Endpoint


class Read(NamedTuple):
    """Look at the pane."""


class Refresh(NamedTuple):
    """Detect anew what the pane's agent does."""


class See(NamedTuple):
    """Have the agent's rules read its screen."""

    facts: "Facts"


class Stand(NamedTuple):
    """Ask whether what is typed reaches the agent."""

    facts: "Facts"


class Acquire(NamedTuple):
    """Take the pane's lock for a fire that lasts so long."""

    bound_ms: int


class Stroke(NamedTuple):
    """One ``send-keys``: key arguments, or one text taken letter by letter."""

    words: tuple[str, ...]
    literal: bool = False


class Press(NamedTuple):
    """Type, if every condition still holds, and leave a result; the last step also counts and lets go.

    ``episode`` is the one that the keys are for.
    """

    pane: str
    conditions: "list[Condition]"
    strokes: tuple[Stroke, ...]
    repeat: str
    episode: int
    last: bool
    leave_mode: bool


class Pause(NamedTuple):
    """Wait between two steps."""

    ms: int


class Drain(NamedTuple):
    """Wait a while until nothing typed is left unread in a terminal."""

    terminal: str


class Count(NamedTuple):
    """Store the repeat counter, just before an effect that is no keystroke (ACT-REP-1)."""

    text: str


class Post(NamedTuple):
    """Call an agent's interface once."""

    address: "Endpoint"
    path: str
    body: str
    timeout_ms: int


class Forget(NamedTuple):
    """Unset a spent id."""

    key: str
    value: str


class Run(NamedTuple):
    """Run a shell command with these variables, until its deadline."""

    command: str
    variables: dict[str, str]
    timeout_ms: int


class Supervise(NamedTuple):
    """Hand a shell command to a process that outlives this one."""

    command: str
    variables: dict[str, str]
    timeout_ms: int


Effect: "TypeAlias" = (
    Read | Refresh | See | Stand | Acquire | Press | Pause | Drain | Count | Post | Forget | Run | Supervise
)
