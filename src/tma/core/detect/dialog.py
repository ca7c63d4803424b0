"""Which dialog stands on a screen: a digest of what it asks about, so that the next one is told from it.

Two prompts in a row may never let the screen show work between them. What a dialog asks about stands
between its head and its first answer; answers, highlight, footer and spinner change while one dialog
stands, and width only moves line breaks, so none of these counts.
"""

from tma.core.state import BLOCKED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tma.core.detect.rules import Reading

PERMISSION = "permission"
DIGITS = 16
MOST_LINES = 40
"""How far above its first answer a dialog is looked for."""

_FIRST_ANSWERS = ("1.", "1)", "Allow once", "→ Run (once)")
_CURSORS = "❯›●>▸→ "
_SIDES = "│┃║█▌▐ "
_HEADS = "╭┌●•◦⏺✻✢✳✶✽∙◆○⎿└■"
_INNER_HEADS = ("△",)
_RULE = "─" * 10
_DRAWN = ("\u2500", "\u259f")
_BRAILLE = ("\u2800", "\u28ff")


def mark(reading: "Reading", lines: "Sequence[str]", height: int) -> str:
    """What is stored of an open permission dialog: ``<digest>.<height>``, empty for any other screen.

    Only a permission is ever answered (STO-8). A pane of another height may show another part of the same dialog.
    """
    if not any(seen.state == BLOCKED and seen.detail == PERMISSION for seen in reading.evidence):
        return ""
    found = digest(lines)
    return f"{found}.{height}" if found else ""


def differs(stored: str, seen: str) -> bool:
    """Whether two marks are of two dialogs; an absent mark, or one of another height, tells nothing."""
    (before, _, high), (now, _, height) = stored.partition("."), seen.partition(".")
    return bool(before and now) and high == height and before != now


def digest(lines: "Sequence[str]") -> str:
    """The sixteen hex digits of the lowest dialog on a screen without escapes, empty where no dialog is told apart."""
    answer = next((index for index in range(len(lines) - 1, -1, -1) if _is_first_answer(lines[index])), 0)
    subject = ""
    for line in reversed(lines[max(0, answer - MOST_LINES) : answer]):
        if _is_above(line):
            break
        subject = _words(line) + subject
        if line.lstrip(_SIDES).startswith(_INNER_HEADS):
            break
    if not subject:
        return ""
    # Loaded here: most screens show no dialog.
    from hashlib import sha256

    return sha256(subject.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def _is_first_answer(line: str) -> bool:
    return line.lstrip(_SIDES).lstrip(_CURSORS).startswith(_FIRST_ANSWERS)


def _is_above(line: str) -> bool:
    """Whether a line is the dialog's upper edge, or belongs to what stands above it."""
    text = line.strip()
    return text.startswith((*_HEADS, _RULE))


def _words(line: str) -> str:
    return "".join(char for char in line if not _is_drawing(char))


def _is_drawing(char: str) -> bool:
    return char.isspace() or any(low <= char <= high for low, high in (_DRAWN, _BRAILLE))
