"""Cuts, ages and visible control characters."""

import pytest

from rows import HOSTILE_TITLE
from tma.core.screen import width
from tma.view.text import age, cut, cut_locator, shown


@pytest.mark.parametrize(
    ("text", "cells", "expected"),
    [
        ("title", 5, "title"),
        ("titles", 5, "titl…"),
        ("titles", 1, "…"),
        ("titles", 0, ""),
        ("", 0, ""),
        ("日本", 4, "日本"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日 …"),
        ("e\u0301e\u0301e\u0301", 2, "e\u0301…"),
        ("👩\u200d👩x", 2, " …"),
    ],
)
def test_a_text_is_cut_between_its_units(text: str, cells: int, expected: str) -> None:
    """COL-1, COL-2: a unit that would cross the limit is replaced by padding."""
    assert cut(text, cells) == expected


@pytest.mark.parametrize("cells", [40, 80, 200])
def test_a_title_of_wide_characters_fills_its_column(cells: int) -> None:
    """surfaces.md section 15: cut at its cells, column edges aligned."""
    assert width(cut("漢" * 120, cells)) == cells


@pytest.mark.parametrize(
    ("locator", "cells", "expected"),
    [
        ("tmux-agents-experiments:2.0", 16, "tmux-agent…:2.0"),
        ("work:1.0", 16, "work:1.0"),
        ("work:10.10", 7, "work:1…"),
        ("work:10.10", 8, "…:10.10"),
        ("日本語の仕事:1.0", 10, "日本…:1.0"),
    ],
)
def test_a_locator_keeps_its_place_where_that_fits(locator: str, cells: int, expected: str) -> None:
    """COL-3, with its example."""
    assert cut_locator(locator, cells) == expected
    assert width(expected) <= cells


@pytest.mark.parametrize(
    ("ago_ms", "expected"),
    [
        (0, "0s"),
        (999, "0s"),
        (59_999, "59s"),
        (60_000, "1m"),
        (3_599_999, "59m"),
        (3_600_000, "1h"),
        (10**9, "277h"),
        (-5, "0s"),
    ],
)
def test_an_age_is_in_its_coarsest_unit(ago_ms: int, expected: str) -> None:
    """COL-4: an instant of the future is no time ago."""
    assert age(10**10 - ago_ms, 10**10) == expected


def test_no_instant_has_no_age() -> None:
    """COL-4, CLK-2."""
    assert age(0, 5) == "-"


def test_what_acts_unseen_is_written_out() -> None:
    """SAN-2, SAN-3: nothing colors, moves or reverses, and the text can still be read."""
    assert shown(HOSTILE_TITLE) == r"""a\x09b#(touch x)#[fg=red]%H\x1b]0;x\x07\u202ec\x9b31m"'$(id)"""
    assert shown("a\U000e0041\u2028\n") == r"a\U000e0041\u2028\x0a"


@pytest.mark.parametrize("text", ["plain", "ünï ☕ 日本", "👩\u200d👩", "\ufffd"])
def test_what_can_be_seen_stays(text: str) -> None:
    """SAN-1: joiners of emoji and the mark of a bad byte are kept."""
    assert shown(text) == text
