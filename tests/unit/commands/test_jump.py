"""The options of ``tma jump``."""

import pytest

from tma.cli import args, main, table


def test_nothing_given_means_the_next_one() -> None:
    """JMP-1."""
    command = table.named("jump")
    assert command is not None

    found = args.parse(["jump"], command)

    assert not any((found.attention, found.blocked, found.back, found.home, found.menu, found.pane))


@pytest.mark.parametrize(
    "words",
    [
        ["--attention", "--blocked"],
        ["--next", "--back"],
        ["--home", "--pane", "%1"],
        ["--menu", "--next"],
        ["--pane", "1"],
        ["--pane", "%1", "--pane", "%1"],
        ["--attention=yes"],
        ["--atten"],
        ["somewhere"],
    ],
)
def test_a_wrong_line_is_refused_before_tmux_is_asked(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    """JMP-1, CLI-2, CLI-3, CLI-5."""
    assert main.run(["jump", "--socket-path", "/nonexistent/s", *words]) == 2
    assert capsys.readouterr().out == ""
