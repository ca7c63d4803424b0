"""What the sinks are given: one shape for notices and for the ends of detached actions (TRG-8)."""

from typing import NamedTuple

from tma.core.events import alerts
from tma.core.state import BLOCKED
from tma.core.text import clean
from tma.view import jsonline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.events.alerts import Notice

COMPLETION = "completion"
"""What stands for a trigger where an action has ended; no configuration names it."""

COMPLETION_VARIABLES = ("TMA_ACTION", "TMA_PANE", "TMA_AGENT", "TMA_OUTCOME", "TMA_EXIT_CODE", "TMA_LOCATOR")

_HEADING = {BLOCKED: "warning", alerts.CONTEXT_HIGH: "warning", alerts.STALL: "warning", alerts.DONE: "success"}


class Telling(NamedTuple):
    """One thing to tell.

    ``trigger`` chooses the sinks; ``agent`` and ``state`` are the words that every sink may say,
    ``place`` where it is. ``title`` is the pane's, for this host's status line and, where ``opted``,
    for what leaves it. ``pairs`` are the payload, ``variables`` the environment, ``removed`` what
    is not to be inherited. ``at`` is epoch ms.
    """

    trigger: str
    agent: str
    state: str
    pane: str
    title: str
    place: str
    at: int
    pairs: list[tuple[str, object]]
    variables: dict[str, str]
    removed: tuple[str, ...]
    opted: bool = False

    @property
    def summary(self) -> str:
        """The heading of a banner (DSK-3)."""
        return clean(f"{self.agent} {self.state}")

    @property
    def kind(self) -> str:
        """What it is to a push service (URL-2)."""
        return _HEADING.get(self.trigger, "info")

    @property
    def is_urgent(self) -> bool:
        """Whether somebody waits for a person (DSK-3)."""
        return self.trigger == BLOCKED

    def document(self) -> str:
        """What a command reads (NTF-1)."""
        return jsonline.document(self.pairs)

    def log_line(self) -> str:
        """What the log keeps: the same with the instant in second place (NTF-3)."""
        return jsonline.document([("at", self.at), *self.pairs])


def of_notice(notice: "Notice", *, title: bool) -> Telling:
    """A notice for the sinks; ``title`` lets the pane's title into what leaves tmux."""
    branch = f"@{notice.branch}" if notice.branch else ""
    place = " ".join(part for part in (f"{notice.repo}{branch}", notice.locator) if part)
    return Telling(
        notice.trigger,
        notice.agent,
        notice.trigger,
        notice.pane,
        notice.title,
        clean(place),
        notice.at,
        alerts.payload(notice, title=title),
        alerts.variables(notice, title=title),
        alerts.VARIABLES,
        opted=title,
    )
