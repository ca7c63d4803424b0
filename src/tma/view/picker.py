"""The picker: what is typed narrows the list, and Enter goes to the selected row (PIK-1 to PIK-6, QRY-5)."""

from typing import TYPE_CHECKING

from tma.core.screen import units
from tma.core.text import clean
from tma.view import fuzzy
from tma.view.surface import Effect, Leave, Options, Surface

if TYPE_CHECKING:
    from tma.core.row import AgentRow

SEARCHED = ("agent", "locator", "title", "repo", "branch", "detail")
"""What a query is matched against, by attribute, joined by single spaces (QRY-1)."""

LONGEST = 512
"""Characters of a query: a terminal that does not mark pastes sends a whole file as keys."""


class Picker(Surface):
    """The picker's state. ``session`` is the session that the client was in at the start, "" for none."""

    def __init__(self, options: Options, session: str) -> None:
        """Start with every session and no query."""
        super().__init__(options)
        self.session = session
        self.in_session = False
        self.query = ""
        self._texts: list[tuple[AgentRow, fuzzy.Haystack]] = []
        self._found: tuple[object, list[tuple[AgentRow, fuzzy.Match]]] = (None, [])

    @property
    def shown(self) -> "list[AgentRow]":
        """The rows of the scope that match, best first."""
        return [row for row, _ in self._matches()]

    def marks(self, row: "AgentRow") -> dict[str, frozenset[int]]:
        """Which letters of a row's cleaned fields matched, by attribute."""
        found = next((match for shown, match in self._matches() if shown is row), None)
        marks: dict[str, frozenset[int]] = {}
        start = 0
        for name, text in _fields(row):
            if found and found.marks:
                marks[name] = frozenset(at - start for at in found.marks if start <= at < start + len(text))
            start += len(text) + 1
        return marks

    def on_key(self, name: str) -> list[Effect]:
        """Edit the query, or change the scope (PIK-4)."""
        if name == "ctrl-s":
            self.in_session = not self.in_session and bool(self.session)
            self.cursor.follow(self.panes)
        elif name == "backspace":
            self._ask("".join(unit for unit, _ in [*units(self.query)][:-1]))
        elif len(name) == 1:
            self._ask(self.query + name)
        return []

    def on_paste(self, text: str) -> None:
        """Pasted text extends the query."""
        self._ask(self.query + text)

    def enter(self) -> list[Effect]:
        """Go to the selected row and close; close where there is none."""
        return super().enter() or [Leave(None)]

    def _ask(self, query: str) -> None:
        """Search for another query; the selection keeps its place, a mouse position is stale."""
        self.query = clean(query[:LONGEST])
        self.cursor.hover = None
        self.cursor.select(self.cursor.index, self.panes)

    def _take(self, rows: "list[AgentRow]", now: int) -> None:
        """Put the searched texts together once, and not for every key; a text that is known is folded already."""
        known = {haystack.text: haystack for _, haystack in self._texts}
        self._texts = []
        for row in rows:
            text = " ".join(text for _, text in _fields(row))
            self._texts.append((row, known.get(text) or fuzzy.Haystack(text)))
        super()._take(rows, now)

    def _matches(self) -> "list[tuple[AgentRow, fuzzy.Match]]":
        key = (self.rows, self.query, self.in_session)
        if self._found[0] != key:
            self._found = (key, self._search())
        return self._found[1]

    def _search(self) -> "list[tuple[AgentRow, fuzzy.Match]]":
        atoms = fuzzy.parse(self.query)
        found = []
        for row, haystack in self._texts:
            if row.pane in self.options.hidden or (self.in_session and self.session not in row.sessions):
                continue
            matched = fuzzy.match(haystack, atoms)
            if matched is not None:
                found.append((row, matched))
        return sorted(found, key=lambda each: -each[1].score)


def _fields(row: "AgentRow") -> list[tuple[str, str]]:
    """The searched fields that the row has, cleaned."""
    named = [(name, clean(getattr(row, name) or "")) for name in SEARCHED]
    return [(name, text) for name, text in named if text]
