"""The commands that take marks down."""

import pytest

from tma.services.attention import DEPARTED, lowering


def test_the_pane_and_the_one_that_was_left_are_unmarked() -> None:
    """ATN-3, CH-ATTN: unconditional, in one text."""
    assert lowering("%3", "%1").splitlines() == [
        "if-shell -F 1 {",
        "set-option -pqu -t %3 @agent_attention",
        "set-option -pqu -t %1 @agent_attention",
        "}",
    ]


@pytest.mark.parametrize("left", ["", "%1%2", "x", "%1 ; kill-server"])
def test_an_answer_that_is_no_pane_names_none(left: str) -> None:
    """SEC-T-2: only a checked id enters a command."""
    assert lowering("%3", left).count("set-option") == 1


def test_two_hooks_tell_which_pane_was_left() -> None:
    """ATN-3: any other, a session switch too, tells none."""
    assert set(DEPARTED) == {"after-select-pane", "session-window-changed"}
