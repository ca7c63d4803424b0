"""What the text of a pane is: its lines, its text without escapes, and how many cells text takes."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ESCAPE = "\x1b"
BELL = "\x07"
LINE_CHARS = 4096
CAPTURE_BYTES = 256 * 1024

_JOINER = "\u200d"
_EMOJI_STYLE = "\ufe0f"
_WIDE = 2
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_FLAG_LETTERS = range(0x1F1E6, 0x1F200)
_SYMBOLS = ((0xA9, 0xAE), range(0x2122, 0x2500), range(0x25A0, 0x2C00), range(0x1F000, 0x1FB00))
"""What an emoji can be made of besides wide characters: no letter, blank, punctuation or line drawing."""

_KEYCAPS = "0123456789#*"
_NO_CELLS = frozenset(("Mn", "Me", "Cf", "Cc", "Zl", "Zp"))


def lines_of(capture: str) -> list[str]:
    """The lines of a capture, oldest first and within their limits (CAP-1, SEC-R-1).

    Only a newline ends a line. A line over the limit loses its escapes before it is cut, so
    that styling never costs text.
    """
    lines = capture.split("\n")
    if not lines[-1]:
        lines.pop()
    kept: list[str] = []
    room = CAPTURE_BYTES
    for line in reversed(lines):
        short = _within(line.removesuffix("\r"))
        room -= byte_length(short) + 1
        if room < 0:
            break
        kept.append(short)
    kept.reverse()
    return kept


def byte_length(text: str) -> int:
    """How many bytes a text takes; undecodable bytes of its source count too."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def strip(text: str) -> str:
    """The text without escape sequences (CAP-2): linear, idempotent, and free of escapes."""
    return split_escapes(text)[0]


def split_escapes(text: str) -> tuple[str, bool]:
    """The text without escape sequences, and whether the last sequence came to its end."""
    found = text.find(ESCAPE)
    if found < 0:
        return text, True
    kept: list[str] = []
    at = 0
    while found >= 0:
        kept.append(text[at:found])
        at = end_of_sequence(text, found + 1)
        if at < 0:
            return "".join(kept), False
        found = text.find(ESCAPE, at)
    kept.append(text[at:])
    return "".join(kept), True


def width(text: str) -> int:
    """How many cells a terminal needs for the text (COL-1)."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(cells for _, cells in units(text))


def units(text: str) -> "Iterator[tuple[str, int]]":
    """The pieces that a cut must not split, each with its cells (COL-1)."""
    unit = ""
    cells = 0
    for char in text:
        if unit and _joins(unit, char, cells):
            cells = _joined_cells(unit, char, cells)
            unit += char
        else:
            if unit:
                yield unit, cells
            unit, cells = char, _cells(char)
    if unit:
        yield unit, cells


def _within(line: str) -> str:
    return line if len(line) <= LINE_CHARS else strip(line)[:LINE_CHARS]


def end_of_sequence(text: str, at: int) -> int:
    """Where the sequence whose introducer is at ``at`` ends, or -1 if it never does."""
    kind = text[at : at + 1]
    if not kind:
        return -1
    if kind == "[":
        return _end_of_csi(text, at + 1)
    if kind == "]":
        return _end_of_osc(text, at + 1)
    return at + 1


def _end_of_csi(text: str, at: int) -> int:
    for index in range(at, len(text)):
        if "@" <= text[index] <= "~":
            return index + 1
    return -1


def _end_of_osc(text: str, at: int) -> int:
    """One pass for both terminators: two searches to the far end would make the strip quadratic."""
    for index in range(at, len(text)):
        if text[index] == BELL:
            return index + 1
        if text[index] == ESCAPE and text[index + 1 : index + 2] == "\\":
            return index + 2
    return -1


def _cells(char: str) -> int:
    if char.isascii():
        return int(char.isprintable())
    # Loaded here: the tables are a shared library of their own, and most text is ASCII.
    import unicodedata

    if unicodedata.category(char) in _NO_CELLS or "\u1160" <= char <= "\u11ff":
        return 0
    return _WIDE if unicodedata.east_asian_width(char) in ("W", "F") else 1


def _joins(unit: str, char: str, cells: int) -> bool:
    """Whether a character adds to the unit before it; nothing does to a control character.

    What joins by more than its width joins an emoji alone, so that no field's first or last
    character changes the width of a blank or a border beside it.
    """
    if _is_control(unit[-1]):
        return False
    if ord(char) in _SKIN_TONES:
        return cells == _WIDE
    own = _cells(char)
    if own == 0:
        return True
    if unit[-1] == _JOINER:
        return cells == _WIDE and (own == _WIDE or _is_symbol(char))
    return len(unit) == 1 and ord(unit) in _FLAG_LETTERS and ord(char) in _FLAG_LETTERS


def _is_control(char: str) -> bool:
    return char < " " or "\x7f" <= char <= "\x9f"


def _is_symbol(char: str) -> bool:
    return any(ord(char) in codes for codes in _SYMBOLS)


def _joined_cells(unit: str, char: str, cells: int) -> int:
    if char == _EMOJI_STYLE:
        return _WIDE if unit in _KEYCAPS or _is_symbol(unit[0]) else cells
    return _WIDE if _cells(char) else cells
