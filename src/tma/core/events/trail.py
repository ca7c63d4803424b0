"""Where a jump goes (JMP-2 to JMP-4), and a client's trail that leads back, its newest entry last (TRL-1 to TRL-4)."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from tma.core.row import AgentRow, place_key, positional_order
from tma.core.state import BLOCKED, DONE, is_pane_id

MOST = 8
"""Entries of a trail (TRL-3)."""

PREFIX = "@tma_origin_"

_FNV_OFFSET, _FNV_PRIME = 0x811C9DC5, 0x01000193
_WORD = 0xFFFFFFFF


class Place(NamedTuple):
    """A pane by its id and by where it was, ``session:window.pane``."""

    pane: str
    locator: str


def option(client: str) -> str:
    """The server option that holds a client's trail (TRL-1)."""
    raw = client.encode("utf-8", "surrogateescape")
    value = _FNV_OFFSET
    for byte in raw:
        value = (value ^ byte) * _FNV_PRIME & _WORD
    name = "".join(chr(byte) if chr(byte).isascii() and chr(byte).isalnum() else "_" for byte in raw)
    return f"{PREFIX}{name}_{value:08x}"


def parse(text: str) -> list[Place] | None:
    """The entries of a stored trail, oldest first; None for one that cannot be read (TRL-2)."""
    places = []
    for line in text.split("\n") if text else ():
        pane, _, locator = line.partition(" ")
        if not is_pane_id(pane) or not locator:
            return None
        places.append(Place(pane, locator))
    return places


def render(places: Iterable[Place]) -> str:
    """A trail as it is stored."""
    return "\n".join(f"{place.pane} {place.locator}" for place in places)


def pushed(places: Sequence[Place], origin: Place) -> list[Place]:
    """The trail after leaving a pane, which is not noted twice in a row (TRL-3)."""
    if places and places[-1].pane == origin.pane:
        return list(places)
    return [*places, origin][-MOST:]


def back(places: Sequence[Place], find: Callable[[Place], str]) -> tuple[str, list[Place]]:
    """The pane of the newest usable entry, "" for none, and the trail that is left (TRL-4).

    ``find`` gives the pane that an entry means now, "" where there is none.
    """
    left = list(places)
    while left:
        pane = find(left.pop())
        if pane:
            return pane, left
    return "", []


def home(places: Sequence[Place], find: Callable[[Place], str]) -> str:
    """The pane of the oldest usable entry, "" for none; the trail ends there (TRL-4)."""
    return next((pane for place in places if (pane := find(place))), "")


def needing(rows: Sequence[AgentRow], current: str) -> AgentRow | None:
    """Of rows in attention order the first that is blocked or done, or the one after the current pane (JMP-2).

    A snoozed row is left out (POL-6).
    """
    waiting = [row for row in rows if row.shown_class in (BLOCKED, DONE) and not row.snoozed]
    place = next((at for at, row in enumerate(waiting) if row.pane == current), -1)
    return waiting[(place + 1) % len(waiting)] if waiting else None


def longest_blocked(rows: Iterable[AgentRow]) -> AgentRow | None:
    """The blocked row with the oldest known instant (JMP-3)."""
    blocked = [row for row in rows if row.state == BLOCKED]
    return min(blocked, key=lambda row: (row.since == 0, row.since, place_key(row)), default=None)


def following(rows: Iterable[AgentRow], current: str, place: tuple[bytes, int, int]) -> AgentRow | None:
    """The first row after a pane by place, wrapping; a row of that pane says its place itself (JMP-4)."""
    ordered = positional_order(rows)
    after = next((place_key(row) for row in ordered if row.pane == current), place)
    return next((row for row in ordered if place_key(row) > after), ordered[0] if ordered else None)
