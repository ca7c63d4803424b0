"""What a terminal sends, read as events."""

import pytest

from tma.view.keyboard import MOVE, PRESS, WHEEL_DOWN, WHEEL_UP, Key, Keyboard, Mouse, Paste


@pytest.mark.parametrize(
    ("sent", "event"),
    [
        ("a", Key("a")),
        (" ", Key(" ")),
        ("é", Key("é")),
        ("\r", Key("enter")),
        ("\t", Key("tab")),
        ("\x7f", Key("backspace")),
        ("\x03", Key("ctrl-c")),
        ("\x13", Key("ctrl-s")),
        ("\x1b[A", Key("up")),
        ("\x1bOB", Key("down")),
        ("\x1b[<0;3;4M", Mouse(PRESS, 2, 3)),
        ("\x1b[<35;1;1M", Mouse(MOVE, 0, 0)),
        ("\x1b[<64;1;1M", Mouse(WHEEL_UP, 0, 0)),
        ("\x1b[<65;1;1M", Mouse(WHEEL_DOWN, 0, 0)),
        ("\x1b[200~rm -rf\nx\x1b[31m\x1b[201~", Paste("rm -rf x[31m")),
    ],
)
def test_what_means_something_is_an_event(sent: str, event: object) -> None:
    """TUI-7, TUI-8, PIK-4: in one piece or byte by byte."""
    assert Keyboard().feed(sent) == [event]
    keyboard = Keyboard()
    assert [found for char in sent for found in keyboard.feed(char)] == [event]


@pytest.mark.parametrize(
    "sent",
    [
        "\x1b[99;5z", "\x1b[1;5A", "\x1b[I", "\x1b[3~", "\x1bOP", "\x1bx", "\x1b[M !!", "\x1b]11;rgb:0/0/0\x1b\\",
        "\x1bP1$r0m\x1b\\", "\x1b[<0;3;4m", "\x1b[<32;3;4M", "\x1b[<2;3;4M", "\x1b[<:;3;4M", "\x1b[<0;0;0M", "\x01",
        "\x0a", "\u202e", "\u009b", "\x1b(B", "\x1b%G", "\x1b $(B", "\x1b[[A",
    ],
)  # fmt: skip
def test_what_means_nothing_leaves_nothing(sent: str) -> None:
    """TUI-8: unknown sequences, drags, releases and other buttons are never typed as text."""
    keyboard = Keyboard()
    assert keyboard.feed(sent) == []
    assert keyboard.feed("b") == [Key("b")]


def test_a_lone_escape_is_a_key_when_nothing_follows() -> None:
    """TUI-8: only the time tells; a half sequence is dropped."""
    keyboard = Keyboard()
    assert keyboard.feed("\x1b") == []
    assert keyboard.waits
    assert keyboard.flush() == [Key("escape")]
    assert not keyboard.waits
    keyboard.feed("\x1b[1")
    assert keyboard.flush() == []


def test_two_escapes_are_two_keys() -> None:
    """TUI-8: the first is alone as soon as another begins."""
    keyboard = Keyboard()
    assert keyboard.feed("\x1b\x1b") + keyboard.flush() == [Key("escape")] * 2


def test_queued_moves_collapse_into_the_last() -> None:
    """TUI-7: a press between them stays."""
    sent = "\x1b[<35;1;1M\x1b[<35;2;2M\x1b[<0;2;2M\x1b[<35;5;5M\x1b[<35;6;6M"
    assert Keyboard().feed(sent) == [Mouse(MOVE, 1, 1), Mouse(PRESS, 1, 1), Mouse(MOVE, 5, 5)]


def test_an_endless_paste_is_bounded_and_ends() -> None:
    """SEC-R-1: what is kept of it does not grow with it."""
    keyboard = Keyboard()
    keyboard.feed("\x1b[200~")
    for _ in range(100):
        assert keyboard.feed("x" * 4096) == []
    (paste,) = keyboard.feed("\x1b[201~")
    assert isinstance(paste, Paste)
    assert 0 < len(paste.text) <= 4096
    assert keyboard.feed("y") == [Key("y")]


@pytest.mark.parametrize("start", ["\x1b[", "\x1b]0;"])
def test_a_sequence_without_end_is_given_up(start: str) -> None:
    """TUI-8: it does not swallow every later key."""
    keyboard = Keyboard()
    keyboard.feed(start + "1" * 400)
    assert keyboard.feed("a") == [Key("a")]
