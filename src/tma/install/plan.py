"""A change of one file as data, and how it is shown before anybody is asked."""

import difflib
from dataclasses import dataclass

from tma.core.text import clean
from tma.install.target import Target

_RED, _GREEN, _CYAN, _PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[36m", "\x1b[m"
_COLORS = {"+": _GREEN, "-": _RED, "@": _CYAN}


@dataclass(frozen=True)
class Change:
    """A file's new bytes, None for none.

    ``mode`` is a created file's. ``emptied`` are directories to remove with a removed file, the
    outermost first, where they are empty then. ``undoes`` says that nothing of ours is left.
    """

    target: Target
    new: bytes | None
    mode: int = 0o644
    emptied: tuple[str, ...] = ()
    undoes: bool = False

    @property
    def needed(self) -> bool:
        """Whether there is anything to do."""
        return self.new != self.target.data

    def diff(self, *, color: bool = False) -> str:
        """A unified diff with three lines of context, made harmless for a terminal (EDT-7)."""
        old, new = _lines(self.target.data), _lines(self.new)
        names = (self.target.path if self.target.data is not None else "/dev/null", self.target.path)
        lines = difflib.unified_diff(old, new, *names, lineterm="")
        return "".join(f"{_colored(clean(line), color=color)}\n" for line in lines)


def _lines(data: bytes | None) -> list[str]:
    """Lines without their ends; a changed end alone still shows, as a mark."""
    text = (data or b"").decode("utf-8", "replace")
    lines = [line.replace("\r", "␍") for line in text.split("\n")]
    if lines[-1]:
        lines[-1] += " (no newline)"
        return lines
    return lines[:-1]


def _colored(line: str, *, color: bool) -> str:
    code = _COLORS.get(line[:1], "") if color else ""
    return f"{code}{line}{_PLAIN}" if code else line
