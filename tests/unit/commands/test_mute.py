"""The options of ``tma mute``."""

import pytest

from tma.cli import main


@pytest.mark.parametrize(
    "words",
    [
        ["--pane", "%1", "--for", "1w"],
        ["--pane", "%1", "--for", "1h", "--for", "2h"],
        ["--pane", "%1", "--for", "1h", "--clear"],
        ["--pane", "%1", "--state", "done"],
        ["--pane", "%"],
    ],
)
def test_a_wrong_line_is_refused_before_tmux_is_asked(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    """MUT-1 to MUT-3, CLI-3."""
    assert main.run(["mute", "--socket-path", "/nonexistent/s", *words]) == 2
    assert capsys.readouterr().out == ""
