"""Patterns as Python compiles them, and what its compiler made of them, kept for later processes.

The compiler takes longer to load than all else that a look loads. What it makes of a pattern is a
list of numbers for the search engine; a process that is given the numbers of an equal interpreter
needs neither the compiler nor the pattern's parser. The engine looks at them, but not closely
enough for numbers that no compiler made: who keeps them must know that they are as they were, as
Python must of its own compiled files.
"""

import _sre  # type: ignore[import-not-found]
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable

Code = str
"""Numbers as text, so that only what is used is read: a pattern's flags, how many groups it has, and what is run."""

ENGINE = f"{sys.implementation.cache_tag} {sys.hexversion:x} {_sre.MAGIC} {_sre.CODESIZE} {sys.byteorder}"
"""Whose codes these are: another engine's mean something else, and another release may compile otherwise."""

MOST_GROUPS = 100
"""Groups of a pattern whose code is used; the engine makes room for as many as it is told."""

_WARNED_OF = ("[[", "[^[", "--", "&&", "~~", "||")


class Codes:
    """Codes by pattern: ``load`` gives those of earlier processes when first asked; ``made`` are this one's."""

    __slots__ = ("_kept", "_load", "made")

    def __init__(self, load: "Callable[[], dict[str, Code]]" = dict) -> None:
        """Start with nothing made."""
        self._load = load
        self._kept: dict[str, Code] | None = None
        self.made: dict[str, Code] = {}

    def compiled(self, pattern: str) -> "re.Pattern[str]":
        """The pattern to search with; errors are those of ``re.compile``."""
        if self._kept is None:
            self._kept = self._load()
        found = _restored(pattern, self._kept.get(pattern))
        if found is None:
            code = _made(pattern)
            found = _restored(pattern, code)
            if found is None or code is None:
                return compiled(pattern)
            self._kept[pattern] = self.made[pattern] = code
        return found


def _restored(pattern: str, code: Code | None) -> "re.Pattern[str] | None":
    """A pattern from its code; it serves searches alone, since it does not know its groups' names."""
    if code is None:
        return None
    try:
        flags, groups, *words = map(int, code.split())
        if not 0 <= groups <= MOST_GROUPS:
            return None
        found: re.Pattern[str] = _sre.compile(pattern, flags, words, groups, {}, (None,) * (groups + 1))
    except (TypeError, ValueError, OverflowError, RuntimeError):
        return None
    return found


def _made(pattern: str) -> Code | None:
    """The code of a pattern, None where it cannot be had in silence or this Python has another compiler."""
    if _warns(pattern):
        return None
    try:
        from re import _compiler, _parser  # type: ignore[attr-defined]

        tree = _parser.parse(pattern)
        numbers = [tree.state.flags, tree.state.groups - 1, *_compiler._code(tree, 0)]  # noqa: SLF001
        return " ".join(str(int(number)) for number in numbers)
    except (ImportError, AttributeError, TypeError):
        return None


def compiled(pattern: str) -> "re.Pattern[str]":
    """The pattern as Python searches for it, without a word on sets that Python may read otherwise one day."""
    import re

    if not _warns(pattern):
        return re.compile(pattern)
    # Loaded here: few patterns hold such a set.
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return re.compile(pattern)


def _warns(pattern: str) -> bool:
    return any(mark in pattern for mark in _WARNED_OF)
