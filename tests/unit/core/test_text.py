"""Foreign text: cleaned for showing, made one line for storing, cut for a summary."""

import pytest

from tma.core import text

HOSTILE = "a\tb#(touch x)#[fg=red]%H\x1b]0;x\x07\u202ec\u009b31m\"'$(id)"


def test_the_hostile_title_loses_what_acts_and_keeps_what_shows() -> None:
    """SAN-1, SAN-3: no escape, no override, no line or column; the printable rest stays."""
    assert text.clean(HOSTILE) == "a b#(touch x)#[fg=red]%H]0;xc31m\"'$(id)"


@pytest.mark.parametrize("char", ["\t", "\n", "\r", "\u2028", "\u2029"])
def test_line_breaks_and_tabs_become_one_space(char: str) -> None:
    """SAN-1: each becomes one space."""
    assert text.clean(f"a{char}b") == "a b"


@pytest.mark.parametrize(
    "code", [0x00, 0x1F, 0x7F, 0x85, 0x9F, 0xAD, 0x61C, 0x200B, 0x200E, 0x202A, 0x202E, 0x2060, 0x2066, 0x2069, 0xE0041]
)
def test_controls_and_invisible_characters_are_removed(code: int) -> None:
    """SAN-1: other controls, bidirectional controls, and what shows nothing."""
    assert text.clean(f"é{chr(code)}b") == "éb"


@pytest.mark.parametrize("char", ["\u200c", "\u200d", "\ufe0f"])
def test_joiners_and_variation_selectors_stay(char: str) -> None:
    """SAN-1: scripts and emoji need them."""
    assert text.clean(f"a{char}b") == f"a{char}b"


def test_at_most_three_marks_stand_on_a_base() -> None:
    """SAN-1: a stack of marks climbs out of its line; a joiner does not start a new base."""
    assert text.clean("a" + "\u0301" * 9 + "b\u0301") == "a" + "\u0301" * 3 + "b\u0301"
    assert text.clean("a\u0301\u0301\u200d\u0301\u0301") == "a\u0301\u0301\u200d\u0301"


def test_bytes_that_were_no_utf8_show_as_the_replacement_character() -> None:
    """SAN-1: a lone surrogate, whether from a bad byte or from JSON, becomes U+FFFD."""
    assert text.clean("a\udcffb\ud800") == "a\ufffdb\ufffd"


def test_plain_text_comes_back_as_it_is() -> None:
    """SAN-1: nothing to clean, nothing changed."""
    assert text.clean("tma: ✳ Fix paging") == "tma: ✳ Fix paging"
    assert text.clean("plain") == "plain"


def test_stored_text_is_one_line_without_controls() -> None:
    """WR-6: tab, CR and LF become one space, other controls go; the rest is stored verbatim."""
    assert text.store_text("a\tb\r\nc\x1b[0m\u202ed") == "a b  c[0m\u202ed"
    assert text.store_text("#(touch x) a,b}c;") == "#(touch x) a,b}c;"


def test_stored_text_is_cut_between_characters() -> None:
    """SEC-T-3: at most 1,024 bytes."""
    assert text.store_text("é" * 600) == "é" * 512
    assert text.store_text("x" + "€" * 600) == "x" + "€" * 341
    assert text.store_text("x" * 1024) == "x" * 1024


def test_text_that_utf8_cannot_carry_is_still_stored() -> None:
    """FZ-2: a lone surrogate of a payload must not fail the write."""
    assert text.store_text("S\ud800") == "S\ufffd"


def test_a_summary_is_one_trimmed_line() -> None:
    """HOOK-15: line breaks and tabs to one space, controls and zero-width characters removed, trimmed."""
    assert text.summary("  rm -rf x\r\n\tls\u200b\u200d\u202e\x07 ") == "rm -rf x  ls"


@pytest.mark.parametrize("length", [119, 120])
def test_a_summary_that_fits_is_whole(length: int) -> None:
    """HOOK-15: only over 120 bytes is it cut."""
    assert text.summary("x" * length) == "x" * length


def test_a_long_summary_ends_in_an_ellipsis_on_a_character_boundary() -> None:
    """HOOK-15: at most 117 bytes and the ellipsis."""
    assert text.summary("x" * 121) == "x" * 117 + "…"
    assert text.summary("é" * 61) == "é" * 58 + "…"


def test_a_summary_of_blanks_and_a_long_text_shows_the_text() -> None:
    """HOOK-15: leading blanks do not push the call out of sight."""
    assert text.summary(" " * 9000 + "ls") == "ls"
