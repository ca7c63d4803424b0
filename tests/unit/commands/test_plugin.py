"""The hidden command behind the plugin entry."""

from tma.cli import table


def test_the_command_is_hidden() -> None:
    """CLI-7."""
    command = table.named("plugin")

    assert command is not None
    assert command.hidden
