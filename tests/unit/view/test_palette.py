"""Colors by name and the theme."""

import pytest

from tma.view.palette import colour, localised, plain, theme

STYLES = {
    "blocked": ("⚑", "red"),
    "working": ("W#", "nope"),
    "done": ("", "default"),
    "idle": ("o", "#00ff00"),
    "unknown": ("?", "colour244"),
}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("red", "1"), ("Red", "1"), ("brightred", "9"), ("lightblue", "12"), ("darkgray", "8"), ("gray", "7"),
        ("white", "15"), ("brightwhite", "15"), ("default", ""), ("colour12", "12"), ("color255", "255"), ("7", "7"),
        ("#AaBb01", "#aabb01"), ("colour256", None), ("256", None), ("#abc", None), ("", None), ("mauve", None),
        ("brightmauve", None), ("²", None), ("#gggggg", None),
    ],
)  # fmt: skip
def test_a_name_is_a_colour_or_none(name: str, expected: str | None) -> None:
    """CFG-13: names ignore case."""
    assert colour(name) == expected


def test_a_bad_colour_falls_back_to_the_class() -> None:
    """CFG-13; an empty glyph and the terminal's own color are choices."""
    made = theme(STYLES, ascii_only=False)
    assert made.glyphs["working"] == ("W#", "fg:3")
    assert made.glyphs["done"] == ("", "")
    assert made.glyphs["idle"] == ("o", "fg:#00ff00")
    assert made.glyph_cells == 2


def test_without_utf8_glyphs_are_ascii() -> None:
    """A11Y-4: configured ones stay if they are."""
    made = theme(STYLES, ascii_only=True)
    assert [glyph for glyph, _ in made.glyphs.values()] == ["!", "W#", "", "o", "?"]


def test_foreign_text_keeps_its_cells_in_ascii() -> None:
    """A11Y-4: wide is two signs, and nothing is left to be encoded."""
    assert plain("│é日x…›") == "|???x~>"
    assert plain("e\u0301") == "?"
    assert localised("… 2 more", ascii_only=True) == "~ 2 more"
    assert localised("… 2 more", ascii_only=False) == "… 2 more"
