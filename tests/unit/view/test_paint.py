"""From one frame to the next."""

import pytest

from tma.view.paint import ALL_COLOURS, FEW_COLOURS, MANY_COLOURS, NO_COLOURS, depth_of, painted, sgr


def test_the_same_frame_writes_nothing() -> None:
    """A11Y-7."""
    lines = [(("bold", "a"),), (("", "b"),)]
    assert painted(lines, list(lines), MANY_COLOURS) == ""
    assert painted([(("", "ab"),)], [(("", "a"), ("", "b"))], MANY_COLOURS) == ""


def test_only_changed_cells_are_written() -> None:
    """A11Y-7: at their place, with their style, and back to none."""
    assert painted([(("", "abcd"),)], [(("", "aXcd"),)], MANY_COLOURS) == "\x1b[1;2H\x1b[0mX\x1b[0m"
    assert painted([(("", "ab"),)], [(("bold", "ab"),)], MANY_COLOURS) == "\x1b[1;1H\x1b[0;1mab\x1b[0m"


def test_the_first_frame_clears_the_terminal() -> None:
    """TUI-2: and so does one of another size."""
    assert painted(None, [(("", "ab"),)], MANY_COLOURS) == "\x1b[0m\x1b[2J\x1b[1;1H\x1b[0mab\x1b[0m"


def test_a_unit_of_several_characters_is_followed_by_a_move() -> None:
    """COL-1: a terminal that draws it wider moves nothing else on the line."""
    family = "\U0001f469\u200d\U0001f467"
    assert painted([(("", "    "),)], [(("", f"{family}ab"),)], NO_COLOURS) == (
        f"\x1b[1;1H\x1b[0m{family}\x1b[1;3Hab\x1b[0m"
    )


def test_half_of_a_wide_unit_is_drawn_over_as_a_whole() -> None:
    """COL-1: both cells are written again."""
    assert painted([(("", "日x"),)], [(("", "abx"),)], NO_COLOURS) == "\x1b[1;1H\x1b[0mab\x1b[0m"


@pytest.mark.parametrize(
    ("style", "depth", "expected"),
    [
        ("", ALL_COLOURS, "0"),
        ("fg:#010203", ALL_COLOURS, "0;38;2;1;2;3"),
        ("bg:#ff0000", MANY_COLOURS, "0;48;5;196"),
        ("fg:#080808", MANY_COLOURS, "0;38;5;232"),
        ("fg:#ff0000", FEW_COLOURS, "0;91"),
        ("bg:#800000", FEW_COLOURS, "0;41"),
        ("fg:244", FEW_COLOURS, "0;37"),
        ("fg:1", MANY_COLOURS, "0;31"),
        ("bg:9", MANY_COLOURS, "0;101"),
        ("fg:1 bg:2 bold dim italic underline reverse", NO_COLOURS, "0;1;2;4;7"),
        ("italic", FEW_COLOURS, "0;3"),
    ],
)
def test_colours_become_what_the_terminal_offers(style: str, depth: int, expected: str) -> None:
    """A11Y-2, A11Y-5: without colors only reverse, underline, bold and dim are left."""
    assert sgr(style, depth) == f"\x1b[{expected}m"


@pytest.mark.parametrize(
    ("term", "colorterm", "no_color", "depth"),
    [
        ("xterm-256color", "", "", MANY_COLOURS),
        ("tmux-256color", "truecolor", "", ALL_COLOURS),
        ("xterm-direct", "", "", ALL_COLOURS),
        ("linux", "", "", FEW_COLOURS),
        ("vt100", "", "", NO_COLOURS),
        ("xterm-256color", "truecolor", "1", NO_COLOURS),
    ],
)
def test_the_terminal_says_how_many_colours_it_has(term: str, colorterm: str, no_color: str, depth: int) -> None:
    """A11Y-2, A11Y-5."""
    assert depth_of(term, colorterm, no_color) == depth
