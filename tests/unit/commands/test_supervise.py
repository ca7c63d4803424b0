"""The hidden command."""

from tma.cli import args, table


def test_it_is_hidden_and_takes_nothing() -> None:
    """CLI-7, ACT-DET-1: the order never comes by the command line."""
    command = table.named("supervise")
    assert command is not None
    assert command not in table.visible()
    assert args.parse(["supervise"], command).command == "supervise"
