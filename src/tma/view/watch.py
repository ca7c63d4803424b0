"""The watcher: a list with a preview or a table, grouped by repository or flat (WAT-1 to WAT-6)."""

from typing import TYPE_CHECKING

from tma.core.state import ATTENTION_ORDER
from tma.view.surface import Effect, Event, Leave, Options, Surface

if TYPE_CHECKING:
    from tma.core.row import AgentRow

NO_REPO = "(no repo)"

Group = tuple[str, "list[AgentRow]"]


class Watch(Surface):
    """The watcher's state; ``table`` and ``flat`` are its person's choice and count where there is room."""

    def __init__(self, options: Options, *, table: bool) -> None:
        """Start grouped, with a preview or the table."""
        super().__init__(options)
        self.table = table
        self.flat = False

    @property
    def has_preview(self) -> bool:
        """Whether a preview is shown."""
        return self.is_wide and not self.table

    @property
    def groups(self) -> list[Group]:
        """The listed rows by repository; one group without a name where they are not grouped."""
        return [("", self.rows)] if self.flat or not self.is_wide else grouped(self.rows)

    @property
    def shown(self) -> "list[AgentRow]":
        """The listed rows as they stand below one another."""
        return [row for _, rows in self.groups for row in rows]

    def on_key(self, name: str) -> list[Effect]:
        """Answer to the watcher's own keys (WAT-4)."""
        if name in {"j", "k"}:
            self.cursor.step(1 if name == "j" else -1, self.panes)
        elif name == "q":
            return [Leave(None)]
        elif name == "a":
            return self.open_menu()
        elif name == "p" and self.is_wide:
            self.table = not self.table
        elif name == "g" and self.is_wide:
            self.flat = not self.flat
            self.cursor.follow(self.panes)
        return []

    def _react(self, event: Event) -> list[Effect]:
        effects = super()._react(event)
        self.cursor.follow(self.panes)
        return effects


def grouped(rows: "list[AgentRow]") -> list[Group]:
    """Rows in attention order by repository, the group that needs a person most first (WAT-3)."""
    groups: dict[str | None, list[AgentRow]] = {}
    for row in rows:
        groups.setdefault(row.repo, []).append(row)
    named = [(NO_REPO if repo is None else repo, members) for repo, members in groups.items()]
    return sorted(named, key=_urgency)


def _urgency(group: Group) -> tuple[int, float, str]:
    name, members = group
    ranks = [ATTENTION_ORDER.index(row.shown_class) for row in members]
    best = min(ranks)
    known = [row.since for row, rank in zip(members, ranks, strict=True) if rank == best and row.since]
    return best, min(known, default=float("inf")), name
