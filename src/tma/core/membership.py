"""Which sessions a control client is to attach to, and in which order (DCC-1 to DCC-3).

A client counts as attached, and attaching is activity. A plain ``tmux attach`` prefers sessions
that nobody is attached to, then the one that was active last. So clients attach the oldest first; and
where nobody is attached and the session used last gets a client, all others get one too.
"""

from collections.abc import Collection, Iterable
from typing import NamedTuple

MAX_CLIENTS = 64
"""Sessions that are attached to; of more, the least recently active are left to the sweep."""


class Session(NamedTuple):
    """One session, last active at an instant in epoch seconds.

    ``group`` is "" for none, ``fragile`` says that its last client's leaving may end it, ``people`` are
    the clients of persons.
    """

    session_id: str
    group: str
    activity: int
    fragile: bool
    people: int


class Choice(NamedTuple):
    """The sessions to attach to, the least recently used first; ``whole`` if none that needs it is left out."""

    sessions: list[str]
    whole: bool


class Membership:
    """Remembers in which order people used the sessions, whatever our own clients do to the server's times."""

    def __init__(self) -> None:
        """Start without having seen a session."""
        self._order: list[str] = []
        self._seen: dict[str, int] = {}

    def observe(self, sessions: Iterable[Session], ours: Collection[str] = ()) -> None:
        """Take what the server says; sessions in ``ours`` were made active by our own clients."""
        listed = sorted(sessions, key=lambda each: (each.activity, len(each.session_id), each.session_id))
        ids = {each.session_id for each in listed}
        self._order = [each for each in self._order if each in ids]
        for each in listed:
            name = each.session_id
            used = name not in ours and each.activity > self._seen.get(name, -1)
            if used and name in self._order:
                self._order.remove(name)
            if name not in self._order:
                self._order.append(name)
        self._seen = {each.session_id: each.activity for each in listed}

    @property
    def last_used(self) -> str:
        """The session that people used last, "" for none."""
        return self._order[-1] if self._order else ""

    def choose(self, sessions: Collection[Session], wanted: Collection[str]) -> Choice:
        """The sessions to attach to, of those that hold a pane which only output can tell of."""
        needed = [each for each in self._by_use(sessions) if each.session_id in wanted]
        kept = self._allowed(needed)
        whole = all(any(_covers(each, one) for each in kept) for one in needed)
        alone = not any(each.people for each in sessions)
        if alone and any(each.session_id == self.last_used for each in kept):
            kept = self._allowed(self._by_use(sessions), first=kept)
        return Choice([each.session_id for each in kept], whole)

    def _by_use(self, sessions: Iterable[Session]) -> list[Session]:
        place = {name: at for at, name in enumerate(self._order)}
        return sorted(sessions, key=lambda each: place.get(each.session_id, -1))

    def _allowed(self, sessions: list[Session], first: Collection[Session] = ()) -> list[Session]:
        """Those that may have a client, ``first`` before all others: one of a group, none that would end by it."""
        groups = {each.group for each in first if each.group}
        chosen = list(first)
        for each in reversed(sessions):
            if len(chosen) >= MAX_CLIENTS or each.fragile or each in chosen or (each.group and each.group in groups):
                continue
            groups.add(each.group)
            chosen.append(each)
        return self._by_use(chosen)


def _covers(attached: Session, session: Session) -> bool:
    """Whether what a session's panes print is told by a client of another one."""
    return attached == session or bool(session.group and attached.group == session.group)
