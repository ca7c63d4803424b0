"""The last changes of panes' states that a daemon saw, and their text form (DHI-1, DHI-2)."""

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

CAPACITY = 256


class Transition(NamedTuple):
    """A pane entered a state; ``was`` is "" at its first sight, ``at`` the state's ``since`` in epoch ms."""

    pane: str
    was: str
    now: str
    at: int
    source: str


class Sight(NamedTuple):
    """A pane's state as one pass saw it."""

    pane: str
    state: str
    since: int
    source: str


class History(NamedTuple):
    """What a daemon answered: how much it keeps, how much it ever saw, and what it has."""

    capacity: int
    recorded: int
    transitions: list[Transition]


class Ring:
    """Remembers each pane's last state, and the transitions between them."""

    def __init__(self) -> None:
        """Start with no pane seen."""
        self.recorded = 0
        self._last: dict[str, str] = {}
        self._kept: deque[Transition] = deque(maxlen=CAPACITY)

    def observe(self, sights: Iterable[Sight]) -> int:
        """Take a pass over all panes; how many transitions it showed. Panes that it lacks are forgotten."""
        last = {}
        before = self.recorded
        for sight in sights:
            was = self._last.get(sight.pane, "")
            last[sight.pane] = sight.state
            if was != sight.state:
                self.recorded += 1
                self._kept.append(Transition(sight.pane, was, sight.state, sight.since, sight.source))
        self._last = last
        return self.recorded - before

    def document(self) -> str:
        """The history as one text, the oldest first."""
        lines = [f"cap={CAPACITY}\trecorded={self.recorded}"]
        lines += [
            f"pane={each.pane}\tfrom={each.was}\tto={each.now}\tat={each.at}\tsource={each.source}"
            for each in self._kept
        ]
        return "".join(f"{line}\n" for line in lines)


def parse(text: str) -> History:
    """A document as it was written; lines of another form are skipped.

    Raises:
        ValueError: it does not begin as a history does.
    """
    head, *lines = text.split("\n")
    counts = _fields(head)
    if not {"cap", "recorded"} <= counts.keys():
        message = "no history"
        raise ValueError(message)
    found = [each for line in lines if (each := _transition(_fields(line)))]
    return History(int(counts["cap"]), int(counts["recorded"]), found)


def _fields(line: str) -> dict[str, str]:
    return {name: value for name, equals, value in (word.partition("=") for word in line.split("\t")) if equals}


def _transition(fields: dict[str, str]) -> Transition | None:
    at = fields.get("at", "")
    if not {"pane", "from", "to", "source"} <= fields.keys() or not at.isdecimal():
        return None
    return Transition(fields["pane"], fields["from"], fields["to"], int(at), fields["source"])
