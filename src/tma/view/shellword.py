"""An argument list as a line that any shell reads back (ATC-4)."""

from collections.abc import Iterable

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=+,@%")


def line(words: Iterable[str]) -> str:
    """The words, each quoted where a shell might see more in it than itself."""
    return " ".join(map(word, words)) + "\n"


def word(text: str) -> str:
    """One word; ``=`` and ``~`` mean something to a shell only at its start."""
    if text and text[0] not in "=~" and _PLAIN.issuperset(text):
        return text
    return "'" + text.replace("'", "'\\''") + "'"
