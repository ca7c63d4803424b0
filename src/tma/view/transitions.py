"""A daemon's history as text and as a document."""

from tma.view import jsonline
from tma.view.text import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.ring import History


def text(history: "History") -> str:
    """A heading with the counts, then a line for each, the oldest first."""
    held = len(history.transitions)
    lines = [f"{held} held, {history.capacity} kept at most, {history.recorded} recorded"]
    lines += [
        f"{each.pane}  {each.was or '-'} -> {each.now}  at={each.at}  src={each.source}" for each in history.transitions
    ]
    return "".join(f"{shown(line)}\n" for line in lines)


def document(history: "History") -> str:
    """The same as one JSON document."""
    found = [
        {"pane": each.pane, "from": each.was or None, "to": each.now, "at": each.at, "source": each.source}
        for each in history.transitions
    ]
    pairs = (("cap", history.capacity), ("recorded", history.recorded), ("transitions", found))
    return jsonline.document(pairs)
