"""Where things stand in a frame."""

import pytest

from frames import ASCII_THEME, THEME, drawn, is_exact, many, marked, picker, text, watch
from rows import fleet
from tma.view.frame import draw_watch
from tma.view.keyboard import MOVE, Key
from tma.view.surface import Captured, LookFailed, Pointed

SIZES = [(1, 1), (1, 5), (7, 9), (8, 2), (19, 9), (20, 4), (40, 3), (75, 9), (76, 9), (80, 1), (200, 50)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("style", [THEME, ASCII_THEME])
def test_any_size_is_filled_exactly(size: tuple[int, int], style: object) -> None:
    """A11Y-6: with rows and without."""
    for rows in (fleet(), [], many(100)):
        for model in (picker(rows, size), watch(rows, size), watch(rows, size, table=True)):
            model.update(Captured(model.cursor.pane, [(("", "日" * 300),)] * 99))
            assert is_exact(drawn(model, style), size)  # type: ignore[arg-type]


def test_the_selected_row_is_reversed_and_seen() -> None:
    """TUI-5: also when the list is longer than the terminal, and when it is all there is room for."""
    for size in ((40, 8), (40, 3), (7, 9), (40, 1), (100, 8)):
        model = picker(many(30), size)
        for _ in range(20):
            model.update(Key("down"))
        (line,) = marked(drawn(model), "reverse")
        assert line.startswith("● work"[: len(line) - 1]) or "●" in line
        assert drawn(model).rows_at[next(iter([y for y, at in drawn(model).rows_at.items() if at == 20]))] == 20


def test_a_cell_is_hit_where_its_row_was_drawn() -> None:
    """TUI-7: borders, headers, preview and footer are no rows."""
    frame = drawn(watch(fleet(), (100, 12)))
    assert frame.row_at(5, 2) == 0
    assert [frame.row_at(5, y) for y in (0, 1, 4, 11)] == [None] * 4
    assert [frame.row_at(x, 2) for x in (0, 33, 34, 60)] == [None] * 4
    table = drawn(watch(fleet(), (100, 12), table=True))
    assert [table.row_at(0, y) for y in range(4)] == [None, None, 0, 1]


def test_the_hovered_row_is_underlined() -> None:
    """TUI-5."""
    model = picker(fleet(), (40, 9))
    model.update(Pointed(MOVE, 2, 0))
    (line,) = marked(drawn(model), "underline")
    assert "pi" in line


def test_the_preview_shows_the_last_lines_that_fit() -> None:
    """PRV-1, PRV-2: of the selected pane only."""
    model = picker(fleet(), (100, 6))
    model.update(Captured("%5", [(("", f"line {at}"),) for at in range(9)]))
    assert [f"line {at}" in line for at, line in zip((6, 7, 8), text(model)[1:4], strict=True)] == [True] * 3
    assert "work:1.0" in text(model)[0]
    model.update(Captured("%2", [(("", "another"),)]))
    assert not any("another" in line for line in text(model))
    assert "preview" in text(picker([], (100, 6)))[0]


def test_an_empty_list_says_what_to_do() -> None:
    """TUI-9: the second line names the doctor."""
    for model, words in (
        (picker([]), "no agent panes"),
        (watch([]), "no agent panes"),
        (picker(session="none"), "no agents in scope"),
    ):
        if words.endswith("scope"):
            model.update(Key("ctrl-s"))
        body = text(model)
        assert "agents (0)" in body[0]
        assert words in body[1]
        assert "tma doctor" in body[2]
    searched = picker()
    for char in "zzz":
        searched.update(Key(char))
    assert "no match" in text(searched)[1]
    assert "no agents in scope" in "".join(part for _, part in draw_watch(watch([]), THEME, selecting=True).lines[1])


def test_a_long_query_shows_its_end_beside_the_scope() -> None:
    """PIK-3: the hints give way."""
    model = picker(fleet(), (40, 9))
    for char in "abcdefghijklmnopqrstuvwxyz":
        model.update(Key(char))
    assert text(model)[-1].startswith("› ijklmnopqrstuvwxyz  [scope: all]")


def test_the_longest_paste_is_drawn_in_linear_time() -> None:
    """TUI-1, TUI-8: drawing it ends; the deadline of the run stops a hang only."""
    model = picker(fleet(), (40, 9))
    model.query = "日" * 100_000 + "z"
    assert text(model)[-1].startswith(f"› {'日' * 8}z  [scope: all]")


def test_trouble_stands_before_the_hints() -> None:
    """TUI-3."""
    for model in (picker(), watch()):
        model.update(LookFailed(0, gone=True))
        assert "no tmux server" in text(model)[-1][:25]


def test_the_model_column_is_there_for_a_row_that_has_a_model() -> None:
    """COL-6: in the table, and only while such a row is listed."""
    rows = fleet()
    assert " model " not in text(watch(rows, (120, 12), table=True))[0]
    rows[0].model = "opus"
    lines = text(watch(rows, (120, 12), table=True))
    assert " model " in lines[0]
    assert any(" opus " in line for line in lines)
    assert not any(" opus " in line for line in text(watch(rows, (120, 12))))
