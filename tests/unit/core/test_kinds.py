"""What each kind of setting takes and refuses."""

import pytest

from tma.core import kinds


@pytest.mark.parametrize("value", [0, 1, kinds.MOST])
def test_whole_numbers_within_bounds_are_kept(value: int) -> None:
    """Zero and the largest number are allowed where nothing else is said (CFG-3)."""
    assert kinds.integer().read(value) == value


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (True, "must be an integer, not a boolean"),
        ("3", "must be an integer, not a string"),
        (3.0, "must be an integer, not a float"),
        ([3], "must be an integer, not an array"),
        ({}, "must be an integer, not a table"),
        (object(), "must be an integer, not a date or time"),
        (-1, "must be at least 0, not -1"),
        (2**31, "must be at most 2147483647, not 2147483648"),
    ],
)
def test_other_types_and_numbers_out_of_bounds_are_refused(value: object, reason: str) -> None:
    """Types are strict and integers non-negative; seconds stay exact as milliseconds in tmux (CFG-3)."""
    _refuses(kinds.integer(), value, reason)


def test_a_number_is_no_boolean() -> None:
    """``1`` does not stand for true (CFG-3)."""
    _refuses(kinds.BOOLEAN, 1, "must be true or false, not an integer")


def test_a_list_of_words_ignores_order_and_repeats() -> None:
    """Only which words are there counts."""
    assert kinds.some_of("blocked", "done").read(["done", "blocked", "done"]) == ["blocked", "done"]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (["finished"], '"finished" is not one of "blocked", "done"'),
        ("done", "must be a list of strings, not a string"),
        ([1], "must hold strings only, and holds an integer"),
    ],
)
def test_a_list_names_the_offered_words_when_it_refuses(value: object, reason: str) -> None:
    """A wrong word is answered with the right ones (CFG-4)."""
    _refuses(kinds.some_of("blocked", "done"), value, reason)


@pytest.mark.parametrize(
    ("value", "reason"),
    [("relative", 'must be "bare" or "absolute", not "relative"'), (1, 'must be "bare" or "absolute", not an integer')],
)
def test_a_choice_names_the_offered_words_when_it_refuses(value: object, reason: str) -> None:
    """A closed set of words is told in the refusal (CFG-4)."""
    _refuses(kinds.one_of("bare", "absolute"), value, reason)


def test_an_empty_text_is_as_good_as_unset() -> None:
    """An empty command or path is no command or path (RTE-1)."""
    assert kinds.STRING.read("") is None
    assert kinds.PATH.read("") is None


def test_empty_names_are_refused() -> None:
    """A process without a readable name would match an empty one."""
    _refuses(kinds.FILLED, "", "must not be empty")
    _refuses(kinds.NAMES, ["a", ""], "must not hold an empty name")


@pytest.mark.parametrize("glyph", ["", "⚑", "12345678", "漢字漢字", "👩\u200d💻x"])
def test_glyphs_up_to_eight_cells_are_kept(glyph: str) -> None:
    """Cells are counted, not characters (CFG-13)."""
    assert kinds.GLYPH.read(glyph) == glyph


@pytest.mark.parametrize(
    ("glyph", "reason"),
    [
        ("123456789", "must be at most 8 cells wide, not 9"),
        ("漢字漢字漢", "must be at most 8 cells wide, not 10"),
        ("a\nb", "must not hold control characters"),
        ("\x7f", "must not hold control characters"),
        ("\x9b31m", "must not hold control characters"),
    ],
)
def test_wide_or_controlling_glyphs_are_refused(glyph: str, reason: str) -> None:
    """A glyph neither breaks the line nor fills it (CFG-13)."""
    _refuses(kinds.GLYPH, glyph, reason)


@pytest.mark.parametrize("color", ["red", "colour244", "#ff8800,bold", ""])
def test_status_colors_are_any_tmux_style(color: str) -> None:
    """The text goes into the style as it is (CFG-13)."""
    assert kinds.STATUS_COLOR.read(color) == color


def test_a_status_color_means_no_name_of_tmux() -> None:
    """CFG-13, STL-3: where tmux expands a format, ``#D`` and ``#F`` would be names; the color is the same."""
    assert kinds.STATUS_COLOR.read("#DD0000,bg=#FF00aa,BOLD") == "#dd0000,bg=#ff00aa,BOLD"


@pytest.mark.parametrize("color", ["red]", "#[bg=red", "#{pane_title}", "#(id)", "re\x1bd"])
def test_status_colors_that_leave_their_style_are_refused(color: str) -> None:
    """A colour cannot end its style, begin another, or hold control characters (CFG-13)."""
    _refuses(kinds.STATUS_COLOR, color, 'must not hold "]", "#[", "#{", "#(" or control characters')


@pytest.mark.parametrize(
    "color", ["red", "DarkGray", "brightred", "lightdarkgray", "default", "colour0", "color255", "17", "#0aF9cC"]
)
def test_picker_colors_are_names_indexes_and_hex(color: str) -> None:
    """Names ignore case; an index may stand alone (CFG-13)."""
    assert kinds.PICKER_COLOR.read(color) == color.lower()


@pytest.mark.parametrize("color", ["", "rde", "brightdefault", "colour256", "colour", "²", "#12345", "#12345g", "-1"])
def test_an_unreadable_picker_color_counts_as_unset(color: str) -> None:
    """It falls back to the default of its class and is no error (CFG-13)."""
    assert kinds.PICKER_COLOR.read(color) is None


def _refuses(kind: kinds.Kind, value: object, reason: str) -> None:
    with pytest.raises(kinds.RefusedError) as caught:
        kind.read(value)

    assert str(caught.value) == reason
