"""Captures of several panes in one client."""

from tma.adapters.tmux import capture

MARK = "0123abcd"


def test_a_capture_stands_under_a_test_of_its_pane() -> None:
    """CAP-1: a command that fails would end the whole chain."""
    commands, mark = capture.commands_for(["%1", "%2"])
    assert commands[:5] == ["if-shell", "-F", "-t", "%1", "#{pane_id}"]
    assert commands.count(";") == 1
    assert f"|{mark}|" in commands[5]


def test_captures_are_split_by_pane() -> None:
    """CAP-1: the text of each pane that was still there."""
    text = f"|{MARK}|%1\nline\n\n|{MARK}|%2\n"
    assert capture.parse(text, MARK) == {"%1": "line\n\n", "%2": ""}
