"""JSON with comments, read with places."""

import pytest

from tma.install.dialect import FaultError
from tma.install.jsontree import ARRAY, NUMBER, OBJECT, Tree, parse, plain


def test_entries_know_their_span_and_comma() -> None:
    """EDT-4: a span is what an edit copies around."""
    text = '{"a": [1, 2,], // x\n "b": 3}'
    tree = parse(text)
    assert tree.root is not None

    first, second = tree.root.entries
    assert (first.key, text[first.node.start : first.node.end], text[first.comma]) == ("a", "[1, 2,]", ",")
    assert (second.key, second.comma, text[second.start : second.node.end]) == ("b", -1, '"b": 3')
    assert [text[place : place + 4] for place in tree.comments] == ["// x"]


def test_values_compare_by_what_they_say() -> None:
    """EDT-1: order, duplicates and numbers as written count; blanks and comments do not."""
    one, other = parse('{"a": [1.0] /* x */}').root, parse('{"a":[1.0,],}').root

    assert one is not None
    assert other is not None
    assert plain(one) == plain(other) == (OBJECT, (("a", (ARRAY, ((NUMBER, "1.0"),))),))


def test_a_text_of_nothing_has_no_root() -> None:
    """EDT-2: an empty file is an empty document."""
    assert parse(" \n").root is None


@pytest.mark.parametrize(
    ("text", "place"),
    [("{", (1, 2)), ('{"a" 1}', (1, 6)), ('["a" "b"]', (1, 6)), ("nul", (1, 1)), ("[\n}", (2, 1)), ('"a', (1, 1))],
)
def test_a_fault_has_a_place(text: str, place: tuple[int, int]) -> None:
    """EDT-1: line and column."""
    with pytest.raises(FaultError) as fault:
        parse(text)

    assert (fault.value.line, fault.value.column) == place


def test_a_key_that_stands_twice_is_named_by_both_lines() -> None:
    """EDT-2: only where it is asked for."""
    tree = parse('{"a": 1,\n"a": 2,\n"b": 3}')
    assert tree.root is not None

    assert tree.member(tree.root, "b") is not None
    with pytest.raises(FaultError, match="lines 1 and 2"):
        tree.member(tree.root, "a")


def test_many_keys_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """EDT-2: a large object is searched for doubles in one pass; only a double is looked up."""
    tree = parse("{" + ", ".join(f'"k{number}": 1' for number in range(100)) + ', "k7": 2}')
    assert tree.root is not None
    asked: list[str] = []
    found = Tree.member
    monkeypatch.setattr(Tree, "member", lambda self, node, key: asked.append(key) or found(self, node, key))

    with pytest.raises(FaultError, match='"k7"'):
        tree.refuse_doubles(tree.root)

    assert asked == ["k7"]
