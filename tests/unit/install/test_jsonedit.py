"""Spans inserted, deleted and replaced in a JSON text."""

import pytest

from tma.install.dialect import FaultError
from tma.install.jsonedit import Block, Edit
from tma.install.jsontree import Node, parse


def root(text: str) -> tuple[Edit, Node]:
    """An edit of a text, and its root."""
    tree = parse(text)
    assert tree.root is not None
    return Edit(tree, "\n"), tree.root


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("[]", "[\n  1\n]"),
        ("[0]", "[0,\n  1\n]"),
        ("[\n    0\n]", "[\n    0,\n    1\n]"),
        ("[\n  0, // c\n]", "[\n  0, // c\n  1,\n]"),
        ("[\n  0 // c\n]", "[\n  0, // c\n  1\n]"),
        ("[ ]", "[\n  1\n ]"),
    ],
)
def test_an_appended_entry_follows_the_dialect(text: str, new: str) -> None:
    """EDT-5: a last entry in the text's own hand."""
    edit, node = root(text)
    edit.append(node, 1)

    assert edit.text() == new


@pytest.mark.parametrize(
    ("text", "index", "new"),
    [
        ("[1, 2, 3]", 0, "[2, 3]"),
        ("[1, 2, 3]", 1, "[1, 3]"),
        ("[1, 2, 3]", 2, "[1, 2]"),
        ("[\n  1,\n  2\n]", 1, "[\n  1\n]"),
        ("[\n  1, // c\n  2,\n]", 1, "[\n  1, // c\n]"),
        ("[// c\n1]", 0, "[// c\n]"),
        ("[1]", 0, "[]"),
    ],
)
def test_a_dropped_entry_takes_its_comma_and_leaves_comments(text: str, index: int, new: str) -> None:
    """EDT-11: what is left parses and keeps its lines."""
    edit, node = root(text)
    edit.drop(node, index)

    assert edit.text() == new


def test_a_value_is_swapped_in_place() -> None:
    """EDT-10: a stale command is replaced where it stands."""
    edit, node = root('{"a": "old", "b": 1.0}')
    edit.swap(node.entries[0].node, "new é")

    assert edit.text() == '{"a": "new é", "b": 1.0}'


def test_a_block_has_a_line_for_each_member() -> None:
    """EDT-5: a new object follows the unit of the file."""
    edit, node = root('{\n\t"a": 1\n}')
    edit.append(node, Block({"x": [1], "y": {"z": "w"}}), "b")

    assert edit.text() == '{\n\t"a": 1,\n\t"b": {\n\t\t"x": [1],\n\t\t"y": {"z": "w"}\n\t}\n}'


def test_an_object_with_a_double_key_is_not_edited() -> None:
    """EDT-2."""
    edit, node = root('{"a": 1, "a": 2}')
    edit.append(node, 1, "b")

    with pytest.raises(FaultError, match="lines 1 and 1"):
        edit.text()


def test_the_indent_of_a_comment_is_no_unit() -> None:
    """EDT-2: the first indented line of the document itself sets the unit."""
    edit, node = root('{\n/*\n      drawing */\n   "a": {}}')
    edit.append(node.entries[0].node, 1, "b")

    assert '\n      "b": 1' in edit.text()
