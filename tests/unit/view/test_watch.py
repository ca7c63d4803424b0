"""The watcher's own answers and its groups."""

from frames import many, text, watch
from rows import NOW, fleet, row
from tma.view.keyboard import Key
from tma.view.surface import Capture, Leave, OpenMenu, Resized
from tma.view.watch import grouped


def test_groups_order_by_urgency() -> None:
    """WAT-3: best rank, then the longest known in it, then the name; rows without a repository are one group."""
    rows = [
        row("%1", state="blocked", since=NOW - 9, repo="b"),
        row("%2", state="blocked", since=NOW - 5, repo=None),
        row("%3", state="blocked", since=0, repo="a"),
        row("%4", state="blocked", since=0, repo="0"),
        row("%5", state="working", repo="b"),
    ]
    assert [(name, [each.pane for each in members]) for name, members in grouped(rows)] == [
        ("b", ["%1", "%5"]),
        ("(no repo)", ["%2"]),
        ("0", ["%4"]),
        ("a", ["%3"]),
    ]


def test_g_and_p_change_what_is_seen_and_keep_the_pane() -> None:
    """WAT-1, WAT-3: a table has no preview to capture."""
    rows = [row("%1", repo="a", state="blocked"), row("%2", state="working"), row("%3", repo="a")]
    model = watch(rows)
    assert model.panes == ["%1", "%3", "%2"]
    model.update(Key("j"))
    assert model.cursor.pane == "%3"
    model.update(Key("g"))
    assert (model.panes, model.cursor.pane) == (["%1", "%2", "%3"], "%3")
    assert model.update(Key("p")) == []
    assert model.update(Key("p")) == [Capture("%3")]


def test_narrow_watchers_are_flat_and_stay_so() -> None:
    """WAT-1: p and g do nothing below 76 cells."""
    model = watch(size=(75, 12))
    for name in "pg":
        model.update(Key(name))
    assert (model.table, model.flat) == (False, False)
    assert "p=" not in text(model)[-1]
    assert not any("▸" in line for line in text(model))
    model.update(Resized(76, 12))
    assert any("▸ app" in line for line in text(model))


def test_own_keys() -> None:
    """WAT-4."""
    model = watch(fleet(), (40, 12))
    assert model.update(Key("q")) == [Leave(None)]
    assert model.update(Key("a")) == [OpenMenu("%5")]
    model.update(Key("k"))
    assert model.cursor.index == 4
    assert model.update(Key("x")) == []


def test_the_footer_names_what_the_keys_do_now() -> None:
    """WAT-5."""
    model = watch(many(2))
    assert text(model)[-1].strip() == "enter=jump a=act p=table g=flat q=quit"
    model.update(Key("p"))
    model.update(Key("g"))
    assert text(model)[-1].strip() == "enter=jump a=act p=preview g=group q=quit"
