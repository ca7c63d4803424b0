"""Foreign text made safe: cleaned for showing, one line for storing, short for a pending call.

It knows characters only; how wide they are is the screen's affair.
"""

MAX_STORED = 1024
"""Bytes of one stored text (SEC-T-3)."""

MAX_SUMMARY = 120
"""Bytes of a pending call's summary (HOOK-15)."""

MAX_MARKS = 3
"""Combining marks that may stand on one base character (SAN-1)."""

REPLACEMENT = "\ufffd"
_LOOKED_AT = 4 * MAX_STORED
"""Characters of a text that are looked at for storing: a payload may be 16 MiB."""

_ELLIPSIS = "…"
_LINE_SEPARATORS = (0x2028, 0x2029)
_JOINERS = (0x200C, 0x200D)


def _table(spaces: "tuple[int, ...]", *removed: "range | tuple[int, ...]") -> dict[int, str | None]:
    table: dict[int, str | None] = {code: None for codes in removed for code in codes}
    table.update(dict.fromkeys(spaces, " "))
    return table


_CONTROLS = (range(0x20), range(0x7F, 0xA0))
_INVISIBLE = (
    (0xAD, 0x61C, 0x200B, 0x200E, 0x200F, 0xFEFF),
    range(0x202A, 0x202F),
    range(0x2060, 0x2065),
    range(0x2066, 0x206A),
    range(0xE0000, 0xE0080),
)
_STORED = _table((0x09, 0x0A, 0x0D), *_CONTROLS)
_SHOWN = _table((0x09, 0x0A, 0x0D, *_LINE_SEPARATORS), *_CONTROLS, *_INVISIBLE)
_SUMMARISED = _table((0x09, 0x0A, 0x0D, *_LINE_SEPARATORS), *_CONTROLS, *_INVISIBLE, _JOINERS)


def clean(text: str) -> str:
    """Text as a person may be shown it: one line, nothing invisible, no stacks of marks (SAN-1).

    Cleaning is idempotent and never lengthens. A byte that was no UTF-8 shows as U+FFFD.
    """
    if text.isascii():
        return text if text.isprintable() else text.translate(_SHOWN)
    return _few_marks(well_formed(text).translate(_SHOWN))


def store_text(text: str) -> str:
    """Text as an option may hold it: no control character, at most 1024 bytes of UTF-8 (WR-6)."""
    return cut_bytes(well_formed(text[:_LOOKED_AT]).translate(_STORED), MAX_STORED)


def summary(text: str) -> str:
    """A pending call in one line of at most 120 bytes (HOOK-15)."""
    start = text.lstrip()[:_LOOKED_AT]
    line = well_formed(start).replace("\r\n", "\n").translate(_SUMMARISED).strip()
    if len(line.encode()) <= MAX_SUMMARY:
        return line
    return cut_bytes(line, MAX_SUMMARY - len(_ELLIPSIS.encode())) + _ELLIPSIS


def cut_bytes(text: str, limit: int) -> str:
    """The longest prefix of at most ``limit`` bytes of UTF-8, ending between characters."""
    if 4 * len(text) <= limit:
        return text
    return text[:limit].encode()[:limit].decode("utf-8", "ignore")


def well_formed(text: str) -> str:
    """Text that UTF-8 can carry: each lone surrogate becomes U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join(REPLACEMENT if "\ud800" <= char <= "\udfff" else char for char in text)
    return text


def _few_marks(text: str) -> str:
    """At most three combining marks on a base; joiners and variation selectors do not count."""
    from unicodedata import category

    kept: list[str] = []
    marks = 0
    for char in text:
        if char.isascii():
            marks = 0
        elif category(char) in {"Mn", "Me"} and not _is_selector(char):
            marks += 1
            if marks > MAX_MARKS:
                continue
        elif ord(char) not in _JOINERS and not _is_selector(char):
            marks = 0
        kept.append(char)
    return "".join(kept)


def _is_selector(char: str) -> bool:
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"
