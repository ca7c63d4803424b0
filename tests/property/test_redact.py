"""Redaction over any screen: the same width, and nothing left to do."""

import re

from hypothesis import given
from hypothesis import strategies as st

from tma.core import redact as module
from tma.core.redact import redact
from tma.core.screen import strip, width

_CHARS = "ab/~.@ \t\"'│:x-[]redactedpathemail日\u0301👩\u200d\ufe0f\x1b[1m\x07\r"
_TEXT = st.text(st.sampled_from(_CHARS)) | st.text()
_LINES = st.lists(
    _TEXT
    | st.sampled_from(
        ["/home/me", "~/x", "me@example.org", "[redactedxx]", "\x1b[31m", "\x1b]8;;/home/me\x07", "秘密"]
    ),
    max_size=8,
).map("".join)
_PATTERNS = st.lists(
    st.sampled_from(
        ["a", "x+", "[a-z]+", "b.", "^a", "a$", ".", "日|a", "redacted", r"\[", "\u0301", "(?i)PATH", "秘密", "[ab]*"]
    ).map(re.compile),
    max_size=3,
)


@given(_LINES, _PATTERNS)
def test_redacting_again_changes_nothing(text: str, patterns: list[re.Pattern[str]]) -> None:
    """FZ-18: the second run changes nothing."""
    once = redact(text, patterns)

    assert redact(once, patterns) == once


@given(_LINES, _PATTERNS)
def test_every_line_keeps_its_width(text: str, patterns: list[re.Pattern[str]]) -> None:
    """FZ-18, MAN-DBG-2: as a terminal shows it."""
    before, after = text.split("\n"), redact(text, patterns).split("\n")

    assert [width(strip(line)) for line in after] == [width(strip(line)) for line in before]


@given(_LINES, _PATTERNS)
def test_nothing_private_is_left_outside_placeholders(text: str, patterns: list[re.Pattern[str]]) -> None:
    """FZ-18: no path, no address and no match but rows of ``x``."""
    for line in redact(text, patterns).split("\n"):
        for piece in re.split(r"\[(?:redacted|path|email)x*\]", strip(line)):
            left = [
                found.group() for pattern in (*patterns, module.PATH, module.EMAIL) for found in pattern.finditer(piece)
            ]
            assert [match for match in left if match.strip("x")] == []
