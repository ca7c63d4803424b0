"""Talking with a person: what is about to be done, the question, and what was done."""

import sys

from tma.adapters import system
from tma.core.text import clean

_YES = frozenset(("y", "yes"))


class Console:
    """Standard error for everything that is not a result; ``--yes`` skips the questions."""

    def __init__(self, *, yes: bool, enter_is_yes: bool = False) -> None:
        """Choose who answers, and what Enter alone means."""
        self._yes = yes
        self._enter = enter_is_yes

    @property
    def color(self) -> bool:
        """Whether diffs are colored (EDT-7)."""
        return sys.stderr.isatty() and not system.env("NO_COLOR")

    def note(self, text: str) -> None:
        """One line, and what follows it indented, all of it cleaned (CLI-1)."""
        first, *rest = [clean(line) for line in text.split("\n")]
        self.show("".join(f"{line}\n" for line in (f"tma: {first}", *(f"  {line}" for line in rest))))

    def show(self, text: str) -> None:
        """A text that is harmless already."""
        sys.stderr.write(text)
        sys.stderr.flush()

    def result(self, text: str) -> None:
        """One line of the command's result."""
        sys.stdout.write(f"{clean(text)}\n")
        sys.stdout.flush()

    def ask(self, question: str, *, enter_is_yes: bool | None = None) -> bool:
        """The answer; a question that nobody can answer is declined."""
        if self._yes:
            return True
        enter = self._enter if enter_is_yes is None else enter_is_yes
        if not sys.stdin.isatty():
            self.note(f"{question}? declined: there is no terminal to answer on (--yes answers every question)")
            return False
        self.show(f"tma: {clean(question)}? {'[Y/n]' if enter else '[y/N]'} ")
        line = sys.stdin.readline()
        answer = line.strip().lower()
        return answer in _YES or (enter and not answer and bool(line))
