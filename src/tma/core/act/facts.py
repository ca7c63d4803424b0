"""What one look at a pane tells of it before an action: the fields asked for, and their values checked (ACT-FACT-1).

Any process of the user may have written the options; a value that fails its check counts as absent.
"""

from typing import NamedTuple

from tma.core import stamp
from tma.core.state import ID_CHARS, SOURCES, STATES, UNKNOWN, is_id, is_token, number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

CALL_CHARS = ID_CHARS | frozenset(".:")
_COMMAND_CHARS = ID_CHARS | frozenset(".+")
_LONGEST_COMMAND = 64
_LONGEST_CALL = 128
_MAX_PERCENT = 100

_PLAIN = (
    "pane_id", "pane_dead", "pane_input_off", "pane_in_mode", "pane_synchronized", "pane_pid",
    "pane_height", "pane_tty", "pane_current_command", "session_name", "window_index", "pane_index", "host", "pid",
)  # fmt: skip
_OPTIONS = (
    stamp.NAME, stamp.STATE, stamp.DETAIL, stamp.PID, stamp.SESSION, stamp.SOURCE, stamp.SINCE, stamp.TURN_AT,
    stamp.EVIDENCE_AT, stamp.STAMPED_AT, stamp.CONTEXT_PCT, stamp.PERMISSION_REQUEST, stamp.API_ENDPOINT,
    stamp.PENDING_TOOL, stamp.PENDING_CALL, stamp.ACT_REPEAT, stamp.ACTION, stamp.DIALOG, stamp.ACTED,
)  # fmt: skip
FIELDS = (*_PLAIN, *_OPTIONS, "pane_current_path", "pane_title")
"""The formats of one look, in order; the free text stands last."""


class Facts(NamedTuple):
    """One pane as it was at the instant ``at`` (epoch ms).

    ``stored`` holds the options' texts that passed their check, empty for the others: what a
    guard may compare with. ``command`` is the foreground command as tmux tells it.
    """

    at: int
    pane: str
    dead: bool
    input_off: bool
    in_mode: bool
    synchronized: bool
    pane_pid: int
    height: int
    terminal: str
    command: str
    locator: str
    server: tuple[str, int]
    stored: dict[str, str]
    path: str
    title: str

    @property
    def agent(self) -> str:
        """The agent's name, empty for none."""
        return self.stored[stamp.NAME]

    @property
    def state(self) -> str:
        """The state; an absent one is ``unknown`` (ACT-FACT-2)."""
        return self.stored[stamp.STATE] or UNKNOWN

    @property
    def detail(self) -> str:
        """The detail, empty for none."""
        return self.stored[stamp.DETAIL]

    @property
    def agent_pid(self) -> int:
        """The agent's process, 0 where none is known."""
        return self.number(stamp.PID)

    @property
    def episode(self) -> int:
        """The instant that names this state run or turn (CLK-5, ACT-FACT-3)."""
        return max(self.number(stamp.SINCE), self.number(stamp.TURN_AT))

    @property
    def context(self) -> int | None:
        """The context gauge in percent."""
        return number(self.stored[stamp.CONTEXT_PCT])

    def number(self, key: str) -> int:
        """A stored number, 0 for an absent one."""
        return number(self.stored[key]) or 0

    def repeats(self, action: str) -> int:
        """How often an action has been fired in this episode, the next time included (ACT-REP-1)."""
        episode, _, rest = self.stored[stamp.ACT_REPEAT].partition(":")
        name, _, count = rest.rpartition(":")
        return (number(count) or 0) + 1 if number(episode) == self.episode and name == action else 1

    def is_stale(self, freshness_ms: int) -> bool:
        """Whether the stamp is too old to gate on, lies in the future, or is not there (ACT-FRESH-1)."""
        stamped = self.number(stamp.STAMPED_AT)
        return not stamped or stamped > self.at or self.at - stamped >= freshness_ms

    def is_overtaken(self, since: int, settle_ms: int) -> bool:
        """Whether a fire pressed its keys here after ``since``, or in this very episode not ``settle_ms`` before it.

        An instant far ahead is of a clock that was set back.
        """
        text, _, episode = self.stored[stamp.ACTED].partition(":")
        pressed = number(text) or 0
        again = number(episode) == self.episode
        return since - (settle_ms if again else 0) < pressed <= self.at + stamp.LEAP_MS


def parse(values: "Sequence[str]", at: int) -> Facts | None:
    """The facts of the values of ``FIELDS``; None for a pane that is not there."""
    if len(values) != len(FIELDS) or not values[0]:
        return None
    plain = dict(zip(FIELDS, values, strict=True))
    return Facts(
        at=at,
        pane=plain["pane_id"],
        dead=_is_on(plain["pane_dead"]),
        input_off=_is_on(plain["pane_input_off"]),
        in_mode=_is_on(plain["pane_in_mode"]),
        synchronized=_is_on(plain["pane_synchronized"]),
        pane_pid=number(plain["pane_pid"]) or 0,
        height=number(plain["pane_height"]) or 0,
        terminal=plain["pane_tty"],
        command=plain["pane_current_command"],
        locator=f"{plain['session_name']}:{plain['window_index']}.{plain['pane_index']}",
        server=(plain["host"], number(plain["pid"]) or 0),
        stored={key: plain[key] if _CHECKS[key](plain[key]) else "" for key in _OPTIONS},
        path=plain["pane_current_path"],
        title=plain["pane_title"],
    )


def is_call(text: str) -> bool:
    """Whether a text may be a pending call's id or tool: ``[A-Za-z0-9_.:-]{1,128}``."""
    return 0 < len(text) <= _LONGEST_CALL and CALL_CHARS.issuperset(text)


def is_command(text: str) -> bool:
    """Whether a foreground command may stand in a guard: ``[A-Za-z0-9_.+-]{1,64}`` (ACT-GATE-5)."""
    return 0 < len(text) <= _LONGEST_COMMAND and _COMMAND_CHARS.issuperset(text)


def _is_on(text: str) -> bool:
    return text not in {"", "0"}


def _is_number(text: str) -> bool:
    return number(text) is not None


def _is_percent(text: str) -> bool:
    value = number(text)
    return value is not None and value <= _MAX_PERCENT


_NUMBERS = (stamp.PID, stamp.SINCE, stamp.TURN_AT, stamp.EVIDENCE_AT, stamp.STAMPED_AT)
_CHECKS: "dict[str, Callable[[str], bool]]" = {
    stamp.NAME: is_token,
    stamp.STATE: STATES.__contains__,
    stamp.SOURCE: SOURCES.__contains__,
    stamp.DETAIL: is_token,
    **dict.fromkeys(_NUMBERS, _is_number),
    stamp.CONTEXT_PCT: _is_percent,
    stamp.SESSION: is_id,
    stamp.PERMISSION_REQUEST: is_id,
    stamp.API_ENDPOINT: str.isascii,
    stamp.PENDING_TOOL: is_call,
    stamp.PENDING_CALL: is_call,
    stamp.ACT_REPEAT: str.isascii,
    stamp.ACTION: str.isascii,
    stamp.DIALOG: is_call,
    stamp.ACTED: is_call,
}
