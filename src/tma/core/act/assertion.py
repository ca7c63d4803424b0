"""Screen assertions: literal strings, and the patterns by which tmux looks for them (ACT-SCR-1, ACT-SCR-2)."""

LONGEST = 200
MOST = 8
"""Strings of one agent together: the guard that holds them has a size limit (ACT-Q-3)."""

_FORBIDDEN = "#{}"
_OWN_FORMS = {"^": r"\^", "\\": r"\\", "]": "[]]"}


def problem(text: str) -> str:
    """Why a string may not be an assertion, empty for one that may.

    An unbalanced brace would make tmux take the whole test as true.
    """
    if not 0 < len(text) <= LONGEST:
        return f"must have 1 to {LONGEST} characters"
    if not _parts(text)[1]:
        return "names nothing to look for"
    wrong = next((char for char in text if char in _FORBIDDEN or not _is_visible(char)), None)
    return "" if wrong is None else f"may not hold {wrong!r}"


def pattern(text: str) -> str:
    """The extended regular expression of a string: ``^`` first and ``$`` last are anchors, all else is literal."""
    start, body, end = _parts(text)
    return ("^ *" if start else "") + "".join(map(_literal, body)) + ("$" if end else "")


def _parts(text: str) -> tuple[bool, str, bool]:
    body = text.removeprefix("^")
    literal = body.removesuffix("$")
    return body != text, literal, literal != body


def _literal(char: str) -> str:
    if not char.isascii() or char.isalnum() or char == " ":
        return char
    return _OWN_FORMS.get(char) or f"[{char}]"


def _is_visible(char: str) -> bool:
    return char >= " " and not "\x7f" <= char <= "\x9f"
