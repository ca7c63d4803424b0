"""What the value of a setting may be: types, bounds, offered words, and how each is read."""

from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

from tma.core.screen import width

MOST = 2**31 - 1
"""No number may be more: seconds become milliseconds, which tmux compares exactly up to 2**53."""

_GLYPH_CELLS = 8
_COLOR_NAMES = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "gray", "darkgray")
_COLORS = frozenset(
    ("default", *_COLOR_NAMES, *(f"{tone}{name}" for tone in ("bright", "light") for name in _COLOR_NAMES))
)
_HEX_DIGITS = 6
_HEX_COLOR_LENGTH = 1 + _HEX_DIGITS
_LAST_INDEXED_COLOR = 255

_TYPE_WORDS = {
    bool: "a boolean", int: "an integer", float: "a float", str: "a string", list: "an array", dict: "a table",
}  # fmt: skip


class RefusedError(ValueError):
    """A value is not allowed; the text says why, without naming the key."""


class Kind(NamedTuple):
    """``words`` tells a reader what is allowed. ``read`` gives what is kept, None for as good as unset."""

    words: str
    read: Callable[[Any], Any]


def refuse(reason: str) -> NoReturn:
    """Refuse a value."""
    raise RefusedError(reason)


def refuse_type(wanted: str, value: object) -> NoReturn:
    """Refuse a value of another type."""
    refuse(f"must be {wanted}, not {type_words(value)}")


def integer(least: int = 0, most: int = MOST) -> Kind:
    """A whole number within bounds; a boolean is none (CFG-3)."""

    def read(value: object) -> int:
        if type(value) is not int:
            refuse_type("an integer", value)
        if not least <= value <= most:
            bound = f"at least {least}" if value < least else f"at most {most}"
            refuse(f"must be {bound}, not {value}")
        return value

    return Kind(f"integer, {least}\N{EN DASH}{most}" if most != MOST else f"integer, at least {least}", read)


def one_of(*words: str) -> Kind:
    """One of a closed set of words."""
    offered = " or ".join(f'"{word}"' for word in words)

    def read(value: object) -> str:
        if not isinstance(value, str):
            refuse_type(offered, value)
        if value not in words:
            refuse(f'must be {offered}, not "{value}"')
        return value

    return Kind(offered, read)


def some_of(*words: str) -> Kind:
    """A list out of a closed set of words; order and repeats mean nothing."""
    offered = ", ".join(f'"{word}"' for word in words)

    def read(value: object) -> list[str]:
        for item in _strings(value):
            if item not in words:
                refuse(f'"{item}" is not one of {offered}')
        return [word for word in words if word in _strings(value)]

    return Kind(f"list of {offered}", read)


def switch(on: str, *words: str) -> Kind:
    """A boolean, or one of a closed set of words; true stands for the word ``on``, false for none."""
    chosen = one_of(*words)

    def read(value: object) -> str | bool:
        if isinstance(value, bool):
            return on if value else False
        if not isinstance(value, str):
            refuse_type(f"a boolean or {chosen.words}", value)
        return str(chosen.read(value))

    return Kind(f"boolean or {chosen.words}", read)


def is_picker_color(text: str) -> bool:
    """Whether the full-screen surfaces know a colour: a name, an index, or ``#rrggbb`` (CFG-13)."""
    color = text.lower()
    if color.startswith("#"):
        return len(color) == _HEX_COLOR_LENGTH and set(color[1:]) <= set("0123456789abcdef")
    index = color.removeprefix("colour").removeprefix("color")
    if index.isascii() and index.isdigit():
        return len(index) <= 3 and int(index) <= _LAST_INDEXED_COLOR  # noqa: PLR2004
    return color in _COLORS


def type_words(value: object) -> str:
    """The type of a parsed value in words."""
    return _TYPE_WORDS.get(type(value), "a date or time")


def _boolean(value: object) -> bool:
    if not isinstance(value, bool):
        refuse_type("true or false", value)
    return value


def _string(value: object) -> str:
    if not isinstance(value, str):
        refuse_type("a string", value)
    return value


def _filled(value: object) -> str:
    if not _string(value):
        refuse("must not be empty")
    return _string(value)


def _strings(value: object) -> list[str]:
    if not isinstance(value, list):
        refuse_type("a list of strings", value)
    for item in value:
        if not isinstance(item, str):
            refuse(f"must hold strings only, and holds {type_words(item)}")
    return value


def _names(value: object) -> list[str]:
    if not all(_strings(value)):
        refuse("must not hold an empty name")
    return _strings(value)


def _holds_control(text: str) -> bool:
    return any(char < " " or "\x7f" <= char <= "\x9f" for char in text)


def _glyph(value: object) -> str:
    text = _string(value)
    if _holds_control(text):
        refuse("must not hold control characters")
    if width(text) > _GLYPH_CELLS:
        refuse(f"must be at most {_GLYPH_CELLS} cells wide, not {width(text)}")
    return text


def _status_color(value: object) -> str:
    text = _string(value)
    if _holds_control(text) or any(mark in text for mark in ("]", "#[", "#{", "#(")):
        refuse('must not hold "]", "#[", "#{", "#(" or control characters')
    # tmux takes "#D" and "#F", also of "#DD0000", for short names of its own wherever it expands a format.
    head, *rest = text.split("#")
    return "#".join([head, *(part[:_HEX_DIGITS].lower() + part[_HEX_DIGITS:] for part in rest)])


def _picker_color(value: object) -> str | None:
    text = _string(value)
    return text.lower() if is_picker_color(text) else None


BOOLEAN = Kind("boolean", _boolean)
STRING = Kind("string", lambda value: _string(value) or None)
FILLED = Kind("string, not empty", _filled)
PATH = Kind("path", STRING.read)
NAMES = Kind("list of strings", _names)
GLYPH = Kind(f"string, at most {_GLYPH_CELLS} cells", _glyph)
STATUS_COLOR = Kind("string, a tmux colour or style", _status_color)
PICKER_COLOR = Kind("string: a colour name, `colourN`, or `#rrggbb`", _picker_color)
