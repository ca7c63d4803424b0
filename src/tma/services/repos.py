"""Repository labels of directories, kept for a few seconds so that a stream does not read them each time."""

from tma.adapters import git, system
from tma.adapters.tmux import client

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tma.core.row import RepoLabel

KEPT_MS = 5000
"""How long an answer stands, a negative one too (ROW-3)."""


class Labels:
    """The labels of one process; make one and keep it for its life."""

    def __init__(self, now_ms: "Callable[[], int]" = system.now_ms) -> None:
        """Start without answers."""
        self._now_ms = now_ms
        self._kept: dict[str, tuple[int, RepoLabel | None]] = {}
        self._git: str | None = None

    def of(self, directories: "Iterable[str]") -> "dict[str, RepoLabel | None]":
        """The label of each directory; None where there is no repository, or nothing can be said of it."""
        wanted = set(directories)
        now = self._now_ms()
        self._kept = {path: kept for path, kept in self._kept.items() if 0 <= now - kept[0] < KEPT_MS}
        labels, asked = self._read(sorted(wanted - self._kept.keys()))
        late = self._ask(labels, asked)
        self._kept |= {path: (now, label) for path, label in labels.items() if path not in late}
        return {path: labels[path] if path in labels else self._kept[path][1] for path in wanted}

    def _read(self, directories: list[str]) -> "tuple[dict[str, RepoLabel | None], list[str]]":
        """The labels that files give, and the directories whose branch only git can tell."""
        labels: dict[str, RepoLabel | None] = {}
        asked = []
        for path in directories:
            found = git.find(path)
            labels[path] = found.label if found else None
            if found and found.needs_git:
                asked.append(path)
        return labels, asked

    def _ask(self, labels: "dict[str, RepoLabel | None]", asked: list[str]) -> set[str]:
        """Fill in the branches that git tells; the directories for which it was too late."""
        if not asked or not self._program():
            return set()
        answers = git.ask(self._program(), asked)
        for path, answer in answers.items():
            label = labels[path]
            if label is not None:
                label.branch = answer.branch
        return {path for path, answer in answers.items() if answer.late}

    def _program(self) -> str:
        """Git's path, or "" where there is none; looked for once."""
        if self._git is None:
            self._git = client.find_binary("git", system.env("PATH"))
        return self._git
