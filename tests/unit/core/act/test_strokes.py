"""Keys and lines as bursts."""

from tma.core.act import strokes
from tma.core.act.effects import Stroke
from tma.core.act.schema import Typing


def test_keys_go_together_or_one_by_one() -> None:
    """ACT-KEY-1, ACT-KEY-4, ACT-SEND-8: a delay between one thing and nothing is none."""
    both = ("Escape", "Escape")
    assert strokes.presses(both, apart=False) == [(Stroke(both),)]
    assert strokes.presses(both, apart=True) == [(Stroke(("Escape",)),), (Stroke(("Escape",)),)]
    assert strokes.presses(("y",), apart=True) == [(Stroke(("y",)),)]
    assert strokes.presses((), apart=True) == [()]


def test_a_lines_end_comes_later_where_it_has_one() -> None:
    """ACT-TEXT-2, ACT-TEXT-3."""
    text, end = Stroke(("go",), literal=True), Stroke(("Enter",))
    typing = Typing(prefix=("i",), suffix=("Enter",), steer_now=False, suffix_delay_ms=150)
    assert strokes.line(typing, "go") == [(Stroke(("i",)), text), (end,)]
    assert strokes.line(typing._replace(prefix=(), suffix_delay_ms=0), "go") == [(text, end)]
    assert strokes.line(typing._replace(prefix=(), suffix=()), "go") == [(text,)]


def test_what_went_out_is_told() -> None:
    """ACT-TEXT-4, ACT-KEY-4."""
    assert strokes.told(1, is_line=True) == "the line was typed and not submitted"
    assert strokes.told(2, is_line=False) == "2 of the keys went out"
