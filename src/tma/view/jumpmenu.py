"""What the entries of the jump menu say (MNU-2)."""

from tma.core.screen import width
from tma.core.text import clean
from tma.view.text import age, cut, cut_locator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.row import AgentRow

_AGENT, _LOCATOR = 10, 20


def label(row: "AgentRow", glyph: str, now: int) -> str:
    """Glyph, agent, locator and age of a row, in columns."""
    agent = _padded(cut(clean(row.agent), _AGENT), _AGENT)
    locator = _padded(cut_locator(clean(row.locator), _LOCATOR), _LOCATOR)
    return f"{glyph} {agent} {locator} {age(row.since, now)}"


def _padded(text: str, cells: int) -> str:
    return text + " " * max(0, cells - width(text))
