"""The table of commands."""

from importlib import import_module

from tma.cli import table


def test_every_command_can_be_imported_and_called() -> None:
    """Imports by string are seen by no import contract: each entry names a module with its two functions."""
    for command in table.COMMANDS:
        module = import_module(command.module)
        assert callable(module.declare), command.name
        assert callable(module.run), command.name


def test_hook_commands_are_bare_and_hidden() -> None:
    """CLI-7: event and clear-attention stay out of help and completions."""
    hooks = [command for command in table.COMMANDS if command.hook]

    assert [command.name for command in hooks] == ["event", "clear-attention"]
    assert all(command.bare for command in hooks)
    assert not set(hooks) & set(table.visible())


def test_a_command_is_found_by_its_exact_name() -> None:
    """CLI-2: no abbreviations."""
    found = table.named("ls")
    assert found is not None
    assert found.module == "tma.commands.ls"
    assert table.named("l") is None
