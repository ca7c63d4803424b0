"""The options of ``tma ls``."""

from tma.cli import args, table


def test_its_options_have_defaults() -> None:
    """Section 4 of cli.md: text, every pane, every selector absent."""
    command = table.named("ls")
    assert command is not None

    found = args.parse(["ls"], command)

    assert (found.json, found.pane) == (False, None)
    assert not found.selection.needs_labels
