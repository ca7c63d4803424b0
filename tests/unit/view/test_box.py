"""Fragments cut, padded, boxed and joined."""

from tma.view.box import beside, boxed, emphasised, fit, padded


def test_fragments_fill_their_cells() -> None:
    """COL-1, COL-2: a unit that would cross the limit is replaced by padding."""
    assert fit([("b", "ab"), ("", "cd")], 6) == (("b", "ab"), ("", "cd"), ("", "  "))
    assert fit([("b", "abc"), ("", "def")], 4) == (("b", "abc"), ("", "…"))
    assert fit([("", "日本")], 3, sign=False) == (("", "日 "),)
    assert fit([("", "abc")], 2, sign=False) == (("", "ab"),)
    assert fit([("", "abc"), ("", "d")], 3) == (("", "abc"),)
    assert fit([], 0) == ()


def test_a_box_has_its_title_in_its_border() -> None:
    """TUI-4."""
    lines = boxed("agents (1)", [(("", "abcdef"),)], 8, 4)
    assert ["".join(text for _, text in line) for line in lines] == ["┌ agen…┐", "│abcdef│", "│      │", "└──────┘"]


def test_blocks_stand_side_by_side() -> None:
    """TUI-4."""
    assert beside([(("", "a"),)], [(("b", "c"),)]) == [(("", "a"), ("b", "c"))]
    assert padded([(("", "a"),)], 1, 2) == [(("", "a"),), (("", " "),)]
    assert emphasised([("", "a"), ("bold", "b")], "reverse") == (("reverse", "a"), ("bold reverse", "b"))
