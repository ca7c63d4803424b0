"""The options of ``tma subscribe``."""

import pytest

from tma.cli import args, main, table


def test_it_looks_every_second_by_default() -> None:
    """SUB-1."""
    command = table.named("subscribe")
    assert command is not None

    found = args.parse(["subscribe", "--json"], command)

    assert (found.interval, found.events, found.changes_only) == (1, False, False)


@pytest.mark.parametrize("words", [[], ["--events"], ["--json", "--interval", "0"], ["--json", "--interval", "0.5"]])
def test_a_wrong_line_is_refused_before_tmux_is_asked(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    """SUB-1, CLI-3."""
    assert main.run(["subscribe", "--socket-path", "/nonexistent/s", *words]) == 2
    assert capsys.readouterr().out == ""
