"""The line and the bytes of a notice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rows import HOSTILE_TITLE
from tma.core.screen import width
from tma.view import banner


def test_a_line_names_agent_state_and_title() -> None:
    """MSG-1, SAN-1: without a title the pane."""
    assert banner.line("claude", "blocked", title="fix it", pane="%3") == "tma: claude blocked — fix it"
    assert banner.line("claude", "done", title=" \x1b", pane="%3") == "tma: claude done in %3"
    shown = banner.line("claude", "done", title=HOSTILE_TITLE * 50, pane="%3")
    assert shown.isprintable()
    assert width(shown) <= 200


@pytest.mark.parametrize(
    ("termtype", "termname", "sent"),
    [
        ("kitty(0.26)", "xterm-kitty", ("99",)),
        ("", "xterm-ghostty", ("777",)),
        ("WezTerm 2024", "xterm-256color", ("777",)),
        ("iTerm2 3.5", "xterm-256color", ("9",)),
        ("foot(1.16)", "foot", ("99",)),
        ("XTerm(370)", "xterm-256color", ("9", "777", "99")),
        ("", "", ("9", "777", "99")),
    ],
)
def test_a_known_terminal_gets_one_form(termtype: str, termname: str, sent: tuple[str, ...]) -> None:
    """OSC-5: an unknown one gets each that is on."""
    assert banner.forms_for(termtype, termname, ("9", "777", "99")) == sent


def test_a_form_that_is_not_on_is_never_sent() -> None:
    """OSC-5."""
    assert banner.forms_for("kitty", "", ("9",)) == ("9",)
    assert banner.forms_for("iTerm2", "", ("777",)) == ()
    assert banner.forms_for("foot", "", ("9",)) == ()


def test_sequences_are_as_terminals_read_them() -> None:
    """OSC-4."""
    made = {form: banner.sequence(form, "claude", "blocked", key="ab12", pane="%5") for form in ("9", "777", "99")}
    assert made["9"] == b"\x1b]9;claude blocked\x07"
    assert banner.sequence("9", "a\u200db", "\ud800", key="", pane="%1") == "\x1b]9;ab \ufffd\x07".encode()
    assert made["777"] == b"\x1b]777;notify;claude;blocked\x07"
    assert made["99"] == (b"\x1b]99;i=tma-ab12-5:d=0:p=title;claude\x1b\\\x1b]99;i=tma-ab12-5:d=1:p=body;blocked\x1b\\")


@given(st.text(), st.text(), st.sampled_from(["9", "777", "99"]))
def test_no_text_leaves_its_frame(agent: str, state: str, form: str) -> None:
    """OSC-3, OSC-4, OSC-7: nothing but the frame's own controls, no added field, and never too long."""
    frame = banner.sequence(form, "", "", key="0123456789abcdef", pane="%123456")
    made = banner.sequence(form, agent, state, key="0123456789abcdef", pane="%123456")
    count = sum(char < " " or "\x7f" <= char <= "\x9f" for char in made.decode())
    assert count == sum(byte < 32 for byte in frame)
    assert made.count(b";") == frame.count(b";")
    assert len(banner.wrapped(made)) <= banner.MAX_SEQUENCE


def test_a_multiplexer_is_known_by_its_name() -> None:
    """OSC-6: and every inner escape is doubled."""
    assert banner.is_multiplexer("tmux 3.4", "xterm-256color")
    assert banner.is_multiplexer("", "screen-256color")
    assert not banner.is_multiplexer("kitty", "xterm-kitty")
    assert banner.wrapped(b"\x1b]9;x\x07") == b"\x1bPtmux;\x1b\x1b]9;x\x07\x1b\\"
