"""Escapes, lines and cells of any text."""

from hypothesis import example, given
from hypothesis import strategies as st

from tma.core.screen import CAPTURE_BYTES, LINE_CHARS, byte_length, lines_of, strip, units, width

PIECES = st.sampled_from(
    [
        "\x1b",
        "\x1b[",
        "\x1b]",
        "\x1b\\",
        "\x07",
        "\x1b[31m",
        "\x1b]8;;u\x1b\\",
        "m",
        "[",
        "]",
        ";",
        "\n",
        "\r",
        "é",
        "❯",
        "\ud800",
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=4), max_size=40).map("".join)
PRINTABLE = st.text(st.characters(exclude_characters="\x1b", exclude_categories=()))


@given(TEXTS)
@example("\x1b\x1b\x1b")
def test_stripped_text_has_no_escape_and_stays_as_it_is(text: str) -> None:
    """FZ-1: no ESC in the output, and a second run changes nothing."""
    once = strip(text)

    assert "\x1b" not in once
    assert strip(once) == once


@given(PRINTABLE)
def test_text_without_escapes_is_unchanged(text: str) -> None:
    """FZ-1: printable text unchanged."""
    assert strip(text) == text


@given(PRINTABLE, PRINTABLE)
def test_text_around_a_finished_sequence_is_kept(before: str, after: str) -> None:
    """FZ-1, CAP-2: only the sequence goes."""
    assert strip(f"{before}\x1b[1;31m{after}\x1b]0;t\x07") == before + after


@given(TEXTS)
def test_lines_hold_no_newline_and_stay_within_the_limits(text: str) -> None:
    """CAP-1, SEC-R-1: whatever is captured."""
    lines = lines_of(text)

    assert not any("\n" in line for line in lines)
    assert len(lines) <= text.count("\n") + 1


@given(st.integers(0, 9000), st.integers(0, 200))
def test_long_captures_stay_within_the_limits(length: int, count: int) -> None:
    """SEC-R-1: 4,096 characters a line, 256 KiB in all, newest lines kept."""
    lines = lines_of("\n".join(["\x1b[1m" + "é" * length] * count + ["last"]))

    assert all(len(line) <= max(LINE_CHARS, length if length + 4 <= LINE_CHARS else 0) for line in lines)
    assert sum(byte_length(line) + 1 for line in lines) <= CAPTURE_BYTES
    assert lines[-1] == "last"


@given(st.text())
def test_units_put_together_are_the_text(text: str) -> None:
    """COL-1: cutting into units loses nothing, and their cells add up."""
    parts = list(units(text))

    assert "".join(unit for unit, _ in parts) == text
    assert width(text) == sum(cells for _, cells in parts)
    assert all(cells in (0, 1, 2) for _, cells in parts)
