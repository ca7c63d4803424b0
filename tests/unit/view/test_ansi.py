"""A captured screen as styled text."""

import pytest

from tma.view.ansi import styled


@pytest.mark.parametrize(
    ("code", "style"),
    [
        ("1", "bold"), ("2", "dim"), ("3", "italic"), ("4", "underline"), ("7", "reverse"), ("31", "fg:1"),
        ("44", "bg:4"), ("97", "fg:15"), ("100", "bg:8"), ("38;5;200", "fg:200"), ("48;5;999", "bg:255"),
        ("38;2;1;2;300", "fg:#0102ff"), ("38;5;", "fg:0"), ("1;31", "bold fg:1"), ("31;1", "bold fg:1"), ("31;", ""),
        ("1;22", ""), ("31;39", ""), ("5", ""), ("8", ""), ("4:3", ""), ("4:3;1", "bold"), ("38;5", ""),
            ("38;9;1", "bold"),
        ("58;5;1", ""), ("58;2;1;4;7", ""), ("38;2;1;2", ""),
    ],
)  # fmt: skip
def test_a_parameter_has_its_effect_or_none(code: str, style: str) -> None:
    """PRV-3."""
    assert styled([f"\x1b[{code}mx"]) == [((style, "x"),)]


@pytest.mark.parametrize(
    "line", ["\x1b]8;;http://x\x1b\\a\x1b]8;;\x1b\\", "\x1b[2Ka", "\x1b(Ba", "a\x1b[3", "a\x1b]0;t", "\x1b[?25la\x07"]
)
def test_other_sequences_are_consumed(line: str) -> None:
    """PRV-3: links too; an unfinished one is dropped."""
    assert styled([line]) == [(("", "a"),)]


def test_style_runs_on_and_blank_ends_are_dropped() -> None:
    """PRV-2, PRV-3: a reset ends it, at the latest the last line."""
    assert styled(["\x1b[32ma", "b\x1b[0m", "", "c", "  ", ""]) == [
        (("fg:2", "a"),),
        (("fg:2", "b"),),
        (),
        (("", "c"),),
    ]


def test_text_is_cleaned() -> None:
    """SAN-2: no control character and no reversed order reaches the terminal."""
    assert styled(["a\tb\u202ec\u009b31m"]) == [(("", "a bc31m"),)]
