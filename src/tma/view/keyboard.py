"""What a terminal sends, as keys, pastes and mouse reports; unknown sequences vanish (TUI-8)."""

from typing import NamedTuple

from tma.core.text import clean

ESCAPE = "\x1b"
PASTE_LIMIT = 4096
"""Characters of one paste that are kept: a query is not longer."""

MOVE, PRESS, WHEEL_UP, WHEEL_DOWN = "move", "press", "wheel-up", "wheel-down"

_CONSOLE_KEY = "\x1b[["
"""Before the letter of a function key on a Linux console."""

_PASTE_START, _PASTE_END = "\x1b[200~", "\x1b[201~"
_CONTROLS = {
    "\r": "enter", "\t": "tab", "\x7f": "backspace", "\x08": "backspace", "\x03": "ctrl-c", "\x13": "ctrl-s",
}  # fmt: skip
_ARROWS = {"A": "up", "B": "down"}
_STRINGS = frozenset("]P_^X")
_BUTTONS = {0: PRESS, 35: MOVE, 64: WHEEL_UP, 65: WHEEL_DOWN}
_MODIFIERS = 4 | 8 | 16
_MOUSE_FIELDS = 3
_OLD_MOUSE_BYTES = 3
_LONGEST = 256


class Key(NamedTuple):
    """A key by its name; a printable character is its own name."""

    name: str


class Paste(NamedTuple):
    """Pasted text, cleaned and on one line."""

    text: str


class Mouse(NamedTuple):
    """A mouse report; cells count from 0."""

    kind: str
    x: int
    y: int


Input = Key | Paste | Mouse


class Keyboard:
    """Reads a terminal's text in any pieces."""

    __slots__ = ("_pasting", "_text")

    def __init__(self) -> None:
        """Start with nothing read."""
        self._text = ""
        self._pasting = False

    @property
    def waits(self) -> bool:
        """Whether a sequence has begun that may be an ESC key alone."""
        return bool(self._text) and not self._pasting

    def feed(self, text: str) -> list[Input]:
        """What the text completes; of several mouse moves in a row the last (TUI-7)."""
        self._text += text
        found: list[Input] = []
        while self._text:
            size, event = self._paste() if self._pasting else self._next()
            if not size:
                break
            self._text = self._text[size:]
            if event is not None:
                if found and _is_move(event) and _is_move(found[-1]):
                    found.pop()
                found.append(event)
        return found

    def flush(self) -> list[Input]:
        """Nothing followed in time: a lone ESC is the key, a longer beginning is dropped."""
        text, self._text = self._text, ""
        return [Key("escape")] if text == ESCAPE else []

    def _next(self) -> tuple[int, Input | None]:
        """How much of the text is one event, 0 for not enough yet, and the event if it means something."""
        text = self._text
        if text[0] != ESCAPE:
            return 1, _key(text[0])
        if len(text) == 1:
            return 0, None
        if text[1] == ESCAPE:
            return 1, Key("escape")
        if text[1] == "[":
            return self._csi()
        if text[1] == "O":
            return (3, _arrow(text[2])) if len(text) > len("\x1bO") else (0, None)
        return _string(text) if text[1] in _STRINGS else (_end_of_escape(text), None)

    def _csi(self) -> tuple[int, Input | None]:
        text = self._text
        if text.startswith(_PASTE_START):
            self._pasting = True
            return len(_PASTE_START), None
        if text.startswith(_CONSOLE_KEY):
            return (len(_CONSOLE_KEY) + 1, None) if len(text) > len(_CONSOLE_KEY) else (0, None)
        for at in range(2, len(text)):
            if "@" <= text[at] <= "~":
                if text[2 : at + 1] == "M":
                    return (0, None) if len(text) < at + 1 + _OLD_MOUSE_BYTES else (at + 1 + _OLD_MOUSE_BYTES, None)
                return at + 1, _sequence(text[2:at], text[at])
            if not " " <= text[at] <= "?":
                return at, None
        return (len(text), None) if len(text) > _LONGEST else (0, None)

    def _paste(self) -> tuple[int, Input | None]:
        end = self._text.find(_PASTE_END)
        if end < 0:
            kept = PASTE_LIMIT + len(_PASTE_END)
            if len(self._text) > 2 * kept:
                self._text = self._text[:PASTE_LIMIT] + self._text[-len(_PASTE_END) :]
            return 0, None
        self._pasting = False
        return end + len(_PASTE_END), Paste(clean(self._text[: min(end, PASTE_LIMIT)]))


def _key(char: str) -> Key | None:
    name = _CONTROLS.get(char) or (clean(char) if char >= " " else "")
    return Key(name) if name else None


def _arrow(letter: str) -> Key | None:
    return Key(_ARROWS[letter]) if letter in _ARROWS else None


def _sequence(parameters: str, final: str) -> Input | None:
    if parameters in {"", "1"}:
        return _arrow(final)
    if parameters.startswith("<") and final == "M":
        return _mouse(parameters[1:].split(";"))
    return None


def _mouse(fields: list[str]) -> Mouse | None:
    """A press of the first button, the wheel, or a move with no button held."""
    if len(fields) != _MOUSE_FIELDS or not all(field.isascii() and field.isdigit() for field in fields):
        return None
    button, x, y = (int(field[-6:]) for field in fields)
    kind = _BUTTONS.get(button & ~_MODIFIERS)
    return Mouse(kind, x - 1, y - 1) if kind and x and y else None


def _string(text: str) -> tuple[int, Input | None]:
    """A terminal's answer up to its end, which is no key."""
    ends = [at + len(mark) for mark in ("\x07", "\x1b\\") if (at := text.find(mark, 2)) >= 0]
    if ends:
        return min(ends), None
    return (len(text), None) if len(text) > _LONGEST else (0, None)


def _end_of_escape(text: str) -> int:
    """Where a short sequence ends, 0 for not yet: one that chooses a character set has a letter behind its sign."""
    at = 1
    while at < len(text) and " " <= text[at] <= "/":
        at += 1
    return at + 1 if at < len(text) else len(text) if at > _LONGEST else 0


def _is_move(event: Input) -> bool:
    return isinstance(event, Mouse) and event.kind == MOVE
