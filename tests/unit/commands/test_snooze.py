"""The options of ``tma snooze``."""

import pytest

from tma.cli import main


@pytest.mark.parametrize(
    "words",
    [
        ["--pane", "%1"],
        ["--pane", "%1", "--for", "1w"],
        ["--pane", "%1", "--for", "1h", "--clear"],
        ["--pane", "%1", "--state", "done", "--for", "1h"],
    ],
)
def test_a_wrong_line_is_refused_before_tmux_is_asked(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    """MUT-5: how long, or no longer, must be said."""
    assert main.run(["snooze", "--socket-path", "/nonexistent/s", *words]) == 2
    assert capsys.readouterr().out == ""
