"""Text of a pane: lines, escapes, cells."""

import pytest

from tma.core.screen import CAPTURE_BYTES, LINE_CHARS, byte_length, lines_of, split_escapes, strip, units, width


def test_lines_end_at_newlines_only() -> None:
    """CAP-1: Unicode separators stay inside a line, a trailing empty piece and one return go."""
    assert lines_of("a\u2028b\x0cc\r\r\nd\r\n\n") == ["a\u2028b\x0cc\r", "d", ""]


def test_a_capture_of_nothing_has_no_lines() -> None:
    """CAP-1: the trailing empty piece is no line."""
    assert lines_of("") == []
    assert lines_of("\n") == [""]


def test_an_overlong_line_loses_its_styles_before_its_text() -> None:
    """SEC-R-1: the limit counts what can be seen, so colours cost nothing."""
    styled = "".join(f"\x1b[38;5;{n % 256}mx" for n in range(LINE_CHARS + 9))

    assert lines_of(styled) == ["x" * LINE_CHARS]


def test_an_overlong_capture_keeps_its_newest_lines() -> None:
    """SEC-R-1: the oldest lines are dropped, whole."""
    lines = lines_of("\n".join(f"{n:04}" + "é" * 1000 for n in range(300)))

    assert sum(byte_length(line) + 1 for line in lines) <= CAPTURE_BYTES
    assert lines[-1].startswith("0299")
    assert len(lines) == CAPTURE_BYTES // 2005


def test_a_capture_that_just_fits_keeps_every_line() -> None:
    """SEC-R-1: 256 KiB with the newlines; one byte more costs the oldest line."""
    full = ["x" * 1023] * 256

    assert lines_of("\n".join(full)) == full
    assert lines_of("\n".join(["x", *full])) == full
    assert CAPTURE_BYTES == 256 * 1024


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b[38:2::1:2:3mx\x1b[m", "x"),
        ("\x1b]8;;http://h/\x1b\\link\x1b]8;;\x1b\\ end", "link end"),
        ("\x1b]0;title\x07x", "x"),
        ("\x1b(Bx\x1b7y", "Bxy"),
        ("\x1b\x1b[31mx", "[31mx"),
        ("a\x1b[31\nb", "a"),
        ("a\x1b]0;never\nb", "a"),
        ("a\x1b", "a"),
        ("plain ❯ text", "plain ❯ text"),
    ],
)
def test_each_kind_of_sequence_is_removed(text: str, plain: str) -> None:
    """CAP-2: CSI to its final byte, OSC to BEL or ST, any other ESC with one character; unfinished swallows all."""
    assert strip(text) == plain


def test_an_unfinished_sequence_is_told_from_a_finished_one() -> None:
    """CAP-2: only a finished text may be joined to another after it was stripped."""
    assert split_escapes("a\x1b[0mb") == ("ab", True)
    assert split_escapes("ab\x1b]0;x") == ("ab", False)


def test_many_sequences_that_never_end_are_stripped_in_linear_time() -> None:
    """FZ-1: 256 KiB of openings end; the deadline of the run stops a hang only."""
    assert strip("\x1b]x\x1b" * 60_000) == ""
    assert strip("\x1b[" * 120_000) == ""
    assert strip("\x1b]0;x\x1b\\" * 40_000) == ""


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("", 0),
        ("plain", 5),
        ("a\tb\x00", 2),
        ("漢字", 4),
        ("ﾊﾝ", 2),
        ("e\u0301", 1),
        ("·…●", 3),
        ("🚀", 2),
        ("👩\u200d💻", 2),
        ("❤\ufe0f", 2),
        ("❤\ufe0f\u200d🔥", 2),
        ("✳\ufe0e", 1),
        ("👍🏽", 2),
        ("🇳🇱🇳🇱", 4),
        ("\U0001f3fa", 2),
        ("🚀\U0001f3fa", 4),
        ("🚀\U0001f3ff", 2),
        (" \U0001f3fb", 3),
        (" \ufe0f", 1),
        ("3\ufe0f\u20e3", 2),
        ("👩\u200d⚕\ufe0f", 2),
        ("👩\u200d…", 3),
        ("a\u200d漢", 3),
        ("\U0001f1e6\U0001f1ff", 2),
        ("\U0001f1e6🈀", 3),
        ("क\u200dष", 2),
        ("\u200b\u200d", 0),
        ("\u1112\u1161", 2),
    ],
)
def test_width_counts_cells(text: str, cells: int) -> None:
    """COL-1: wide and emoji 2, combining and zero-width 0, ambiguous 1, a joined emoji one unit of 2."""
    assert width(text) == cells


def test_units_are_what_a_cut_must_not_split() -> None:
    """COL-1: marks, joined emoji and flags stay with their base."""
    assert list(units("ae\u0301👩\u200d💻🇳🇱b")) == [("a", 1), ("e\u0301", 1), ("👩\u200d💻", 2), ("🇳🇱", 2), ("b", 1)]


def test_nothing_joins_a_character_across_a_control_character() -> None:
    """COL-1: a terminal has moved on by then."""
    assert width("1\ufe0f") == 2
    assert width("1\r\ufe0f") == 1
