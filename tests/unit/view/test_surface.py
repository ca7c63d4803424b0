"""What both surfaces answer to events, tried on the picker."""

import pytest

from frames import many, picker, watch
from rows import NOW, fleet, row
from tma.view.keyboard import MOVE, PRESS, WHEEL_DOWN, WHEEL_UP, Key, Paste
from tma.view.surface import (
    Capture,
    Captured,
    ConfigJudged,
    Jump,
    Leave,
    LookFailed,
    OpenMenu,
    Pointed,
    Resized,
    RowsFound,
)

NARROW = (40, 12)


def test_the_selection_follows_its_pane_and_else_its_place() -> None:
    """TUI-5: a pane that is gone leaves its place to the next, the last row at most."""
    model = picker(many(5), NARROW)
    for _ in range(4):
        model.update(Key("down"))
    rows = many(5)
    model.update(RowsFound([rows[4], *rows[:4]], NOW))
    assert model.cursor.pane == "%4"
    model.update(RowsFound(rows[:3], NOW))
    assert model.cursor.pane == "%0"
    model.update(RowsFound([], NOW))
    assert (model.cursor.pane, model.selected) == ("", None)


def test_arrows_wrap_and_the_wheel_stops() -> None:
    """TUI-6."""
    model = picker(many(5), NARROW)
    model.update(Key("up"))
    assert model.cursor.index == 4
    model.update(Key("down"))
    assert model.cursor.index == 0
    model.update(Pointed(WHEEL_DOWN, None, 0))
    assert model.cursor.index == 3
    model.update(Pointed(WHEEL_DOWN, None, 0))
    assert model.cursor.index == 4
    for _ in range(3):
        model.update(Pointed(WHEEL_UP, 2, 0))
    assert model.cursor.index == 0


def test_keys_on_an_empty_list_do_nothing() -> None:
    """TUI-6, WAT-4."""
    model = watch([], NARROW)
    for name in ("up", "down", "enter", "tab", "a", "j"):
        assert model.update(Key(name)) == []


def test_a_second_press_in_time_is_enter_and_a_third_starts_over() -> None:
    """TUI-7."""
    model = watch(many(3), NARROW)
    assert model.update(Pointed(PRESS, 1, 1000)) == []
    assert model.cursor.pane == "%1"
    assert model.update(Pointed(PRESS, 1, 1400)) == [Jump("%1")]
    assert model.update(Pointed(PRESS, 1, 1500)) == []
    assert model.update(Pointed(PRESS, 2, 1600)) == []
    assert model.update(Pointed(PRESS, 2, 2001)) == []
    assert model.update(Pointed(PRESS, None, 2100)) == []
    assert model.update(Pointed(PRESS, 2, 2200)) == [Jump("%2")]


def test_a_move_hovers_and_any_key_ends_it() -> None:
    """TUI-7: without an effect, and so without a tmux call."""
    model = picker(many(3))
    assert model.update(Pointed(MOVE, 2, 0)) == []
    assert model.cursor.hover == 2
    model.update(Key("f1"))
    assert model.cursor.hover is None
    model.update(Pointed(MOVE, 2, 0))
    model.update(RowsFound(many(1), NOW))
    assert model.cursor.hover is None


def test_the_preview_is_captured_on_change_and_refresh_where_it_is_seen() -> None:
    """PRV-1, TUI-4: not below 76 cells."""
    model = picker(many(3))
    assert model.update(Key("down")) == [Capture("%1")]
    assert model.update(Key("f1")) == []
    assert model.update(RowsFound(many(3), NOW)) == [Capture("%1")]
    model.update(Resized(75, 20))
    assert model.update(Key("down")) == []
    assert model.update(Resized(76, 20)) == [Capture("%2")]
    model.update(Captured("%2", [(("", "x"),)]))
    assert model.preview.pane == "%2"


def test_trouble_is_told_after_two_failures_and_ends_with_a_look() -> None:
    """TUI-3, CFG-11: the rows stay."""
    model = picker(fleet())
    model.update(LookFailed(NOW + 1000, gone=False))
    assert model.trouble == ""
    model.update(LookFailed(NOW + 7000, gone=False))
    assert model.trouble == "stale 7s"
    model.update(ConfigJudged(broken=True))
    assert model.trouble == "stale 7s, config error"
    model.update(LookFailed(NOW, gone=True))
    assert model.trouble.startswith("no tmux server")
    assert len(model.rows) == 5
    model.update(RowsFound(fleet(), NOW))
    model.update(ConfigJudged(broken=False))
    assert model.trouble == ""


@pytest.mark.parametrize("name", ["escape", "ctrl-c"])
def test_leaving_keys_leave(name: str) -> None:
    """PIK-4, WAT-4."""
    assert picker().update(Key(name)) == [Leave(None)]
    assert watch().update(Key(name)) == [Leave(None)]


def test_how_it_was_opened_decides_what_leaves() -> None:
    """MNU-8, TUI-10, TMP-2: a menu opens over a pane but not over a popup."""
    rows = [row("%1")]
    assert watch(rows, NARROW).update(Key("enter")) == [Jump("%1")]
    assert watch(rows, NARROW, jump_leaves=True).update(Key("enter")) == [Leave(Jump("%1"))]
    assert picker(rows, NARROW).update(Key("tab")) == [OpenMenu("%1")]
    assert picker(rows, NARROW, menu_leaves=True).update(Key("tab")) == [Leave(OpenMenu("%1"))]


def test_hidden_panes_are_not_listed() -> None:
    """PIK-2."""
    assert picker([row("%1"), row("%2")], hidden=frozenset(["%1"])).panes == ["%2"]


def test_pasted_text_never_acts() -> None:
    """TUI-8: the watcher drops it."""
    model = watch(many(3), NARROW)
    assert model.update(Paste("q\n")) == []
    assert model.cursor.index == 0
