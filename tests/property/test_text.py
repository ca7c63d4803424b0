"""Foreign text, whatever it holds."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from tma.core import text

ODD = (
    "\t\n\r\x00\x1b\x7f\x85\x9b\u00ad\u061c\u0301\u200b\u200c\u200d\u202e\u2028"
    "\u2066\ufe0f\ufeff\U000e0041\ud800\udcff☕é#{;"
)
TEXTS = st.text(st.one_of(st.sampled_from(ODD), st.characters(codec="utf-8"), st.characters()))


@given(TEXTS)
def test_cleaning_is_idempotent_and_never_lengthens(foreign: str) -> None:
    """SAN-2: cleaned text is clean."""
    cleaned = text.clean(foreign)
    assert text.clean(cleaned) == cleaned
    assert len(cleaned) <= len(foreign)


@given(TEXTS)
def test_cleaned_text_holds_nothing_that_acts(foreign: str) -> None:
    """SAN-1, SAN-3: no control, no line, no override, nothing that UTF-8 cannot carry."""
    for char in text.clean(foreign):
        assert unicodedata.category(char) not in {"Cc", "Cs", "Zl", "Zp"}
        assert not "\u202a" <= char <= "\u202e"
        assert not "\u2066" <= char <= "\u2069"


@given(TEXTS)
def test_a_base_carries_at_most_three_marks(foreign: str) -> None:
    """SAN-1: counted on what is shown."""
    marks = 0
    for char in text.clean(foreign):
        if "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef" or char in "\u200c\u200d":
            continue
        marks = marks + 1 if unicodedata.category(char) in {"Mn", "Me"} else 0
        assert marks <= 3


@given(st.text(st.characters(codec="ascii", exclude_categories=["Cc"])))
def test_printable_ascii_is_unchanged(plain: str) -> None:
    """SAN-1: nothing to clean."""
    assert text.clean(plain) == text.store_text(plain) == plain


@given(TEXTS)
def test_stored_text_is_one_short_line_that_utf8_can_carry(foreign: str) -> None:
    """WR-6, SEC-T-3: storing it twice changes nothing."""
    stored = text.store_text(foreign)
    assert len(stored.encode()) <= text.MAX_STORED
    assert not any(unicodedata.category(char) == "Cc" for char in stored)
    assert text.store_text(stored) == stored


@given(TEXTS)
def test_a_summary_is_trimmed_and_bounded(foreign: str) -> None:
    """HOOK-15: at most 120 bytes, no edges of blanks, nothing invisible."""
    line = text.summary(foreign)
    assert len(line.encode()) <= text.MAX_SUMMARY
    assert line.removesuffix("…").lstrip() == line.removesuffix("…")
    assert not set(line) & set("\t\n\r\x1b\u200b\u200d\u202e\ufeff")


@given(TEXTS, st.integers(0, 40))
def test_a_cut_is_the_longest_prefix_that_fits(foreign: str, limit: int) -> None:
    """HOOK-15: on a character boundary."""
    whole = text.well_formed(foreign)
    part = text.cut_bytes(whole, limit)
    assert whole.startswith(part)
    assert len(part.encode()) <= limit
    assert part == whole or len(whole[: len(part) + 1].encode()) > limit
