"""Where a person is in a list."""

import pytest

from tma.view.cursor import Cursor

PANES = ["%1", "%2", "%3"]


def test_a_pane_is_followed_and_else_its_place_is_kept() -> None:
    """TUI-5: the last row at most."""
    cursor = Cursor()
    cursor.select(2, PANES)
    cursor.follow(["%3", "%1"])
    assert (cursor.index, cursor.pane) == (0, "%3")
    cursor.select(1, PANES)
    cursor.follow(["%1"])
    assert (cursor.index, cursor.pane) == (0, "%1")
    cursor.follow([])
    assert (cursor.index, cursor.pane) == (0, "")


def test_a_press_again_in_time_is_told_once() -> None:
    """TUI-7: the time counts from the press before, on the same pane."""
    cursor = Cursor()
    assert [cursor.press(1, at, PANES) for at in (1000, 1400, 1500, 1901)] == [False, True, False, False]


@pytest.mark.parametrize(
    ("before", "selected", "height", "top"), [(0, 0, 3, 0), (0, 3, 3, 1), (5, 2, 3, 2), (9, 9, 3, 7), (0, 5, 1, 5)]
)
def test_the_list_scrolls_just_far_enough(before: int, selected: int, height: int, top: int) -> None:
    """TUI-5."""
    cursor = Cursor()
    cursor.top = before
    assert cursor.scroll(selected, selected, 10, height) == top
