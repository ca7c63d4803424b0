"""The hidden command that tells notices."""

import pytest

from tma.cli import main, table


def test_it_is_no_command_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    """CLI-7: not in help, and a wrong line is refused."""
    assert "notify" not in [command.name for command in table.visible()]
    assert main.run(["notify", "approve"]) == 2
    assert capsys.readouterr().out == ""
