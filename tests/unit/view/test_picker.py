"""The picker's own answers."""

from frames import drawn, many, marked, picker, text
from rows import NOW, fleet, row
from tma.view.keyboard import MOVE, Key, Paste
from tma.view.picker import LONGEST, Picker
from tma.view.surface import Jump, Leave, OpenMenu, Pointed, RowsFound


def typed(model: Picker, words: str) -> Picker:
    """The picker after these keys."""
    for char in words:
        model.update(Key(char))
    return model


def test_every_printable_character_extends_the_query() -> None:
    """PIK-4: without exception."""
    words = "q jkpg/?日!^$'\\"
    assert typed(picker(), words).query == words


def test_backspace_takes_one_character() -> None:
    """PIK-4, COL-1: one as a person sees it."""
    model = typed(picker(), "ae\u0301")
    model.update(Key("backspace"))
    assert model.query == "a"
    model.update(Key("backspace"))
    model.update(Key("backspace"))
    assert model.query == ""


def test_a_query_filters_and_sorts_by_score() -> None:
    """QRY-1, QRY-4, QRY-5: every searched field counts, and equal scores keep attention order."""
    rows = [row("%1", title="xaxpxi"), row("%2", title="api"), row("%3", title="other"), row("%4", title="api")]
    model = typed(picker(rows), "api")
    assert model.panes == ["%2", "%4", "%1"]
    for words, panes in (("permission", ["%5"]), ("ünï", ["%2"]), ("日本", ["%2"]), ("two words:0", ["%3"])):
        assert typed(picker(), words).panes == panes
    model.update(RowsFound([*rows, row("%9", title="api")], NOW))
    assert model.panes == ["%2", "%4", "%9", "%1"]


def test_a_shorter_list_keeps_the_selection_in_range_and_drops_the_hover() -> None:
    """QRY-5."""
    model = picker(many(9))
    for _ in range(8):
        model.update(Key("down"))
    model.update(Pointed(MOVE, 8, 0))
    typed(model, "task 3")
    assert (model.cursor.index, model.cursor.pane, model.cursor.hover) == (0, "%3", None)


def test_the_scope_is_the_session_of_the_start() -> None:
    """PIK-4: without a session there is one scope."""
    rows = [*fleet()[:4], row("%8", sessions=("two words", "work"))]
    model = picker(rows, session="two words")
    model.update(Key("ctrl-s"))
    assert model.panes == ["%8"]
    assert "[scope: session]" in text(model)[-1]
    model.update(Key("ctrl-s"))
    assert len(model.panes) == 5
    outside = picker(session="")
    outside.update(Key("ctrl-s"))
    assert len(outside.panes) == 5


def test_enter_goes_and_closes_and_closes_an_empty_list() -> None:
    """PIK-4."""
    assert picker(jump_leaves=True).update(Key("enter")) == [Leave(Jump("%5"))]
    assert picker([]).update(Key("enter")) == [Leave(None)]
    assert picker([]).update(Key("tab")) == []
    assert picker(size=(40, 9)).update(Key("tab")) == [OpenMenu("%5")]


def test_a_paste_is_a_query() -> None:
    """TUI-8: cleaned before it comes here, and no jump."""
    model = picker(size=(40, 9))
    assert model.update(Paste("rm -rf ")) == []
    assert model.query == "rm -rf "


def test_a_query_is_not_endless() -> None:
    """TUI-8: a file that comes as keys is cut, and another key costs no search."""
    model = typed(picker(), "ab" * LONGEST)
    model.update(Paste("c" * LONGEST))
    assert model.query == "ab" * (LONGEST // 2)


def test_the_matched_letters_are_marked_where_they_are_shown() -> None:
    """QRY-4: also behind the ellipsis of a locator; not those that were cut."""
    rows = [row("%1", locator="tmux-agents-experiments:2.7", title="x" * 50 + "Z")]
    frame = drawn(typed(picker(rows, (60, 8)), "cl2.7Z"))
    assert marked(frame, "fg:6") == ["cl2.7"]
    assert marked(drawn(picker(fleet())), "fg:6") == []
