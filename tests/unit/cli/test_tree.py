"""The parsers as records."""

from tma.cli import table, tree
from tma.view.completion import tree as kinds


def test_every_visible_command_is_there_and_nothing_hidden() -> None:
    """CMP-1, CLI-7."""
    program = tree.program()

    assert [node.name for node in program.commands] == [command.name for command in table.visible()]
    names = {name for _, node in program.nodes for option in node.all_options for name in option.names}
    assert "--until" in names
    assert not {"--values", "--from-menu"} & names


def test_values_are_known_by_type_name_and_place() -> None:
    """CMP-1: panes, sessions, agents, actions, states, fixed sets and files."""
    nodes = dict(tree.program().nodes)
    found = {option.names[-1]: option.kind for node in nodes.values() for option in node.all_options}

    assert {name: found[name] for name in ("--pane", "--session", "--agent", "--state", "--until")} == {
        "--pane": kinds.PANES,
        "--session": kinds.SESSIONS,
        "--agent": kinds.AGENTS,
        "--state": kinds.STATES,
        "--until": kinds.STATES,
    }
    assert (found["--format"], found["--config"], found["--manifest-dir"]) == (
        kinds.CHOICES,
        kinds.FILES,
        kinds.DIRECTORIES,
    )
    assert (found["--json"], found["--repo"]) == (kinds.NOTHING, kinds.ANYTHING)
    assert [each.kind for each in nodes["act"].arguments] == [kinds.ACTIONS]
    assert [each.kind for each in nodes["debug explain"].arguments] == [kinds.PANES]


def test_the_global_options_are_the_programs_and_shared_by_commands() -> None:
    """CLI-2, section 2 of cli.md: they may stand before the command and behind it."""
    program = tree.program()
    options = {option for option in program.options if "--socket-name" in option.names or "--client" in option.names}

    assert len(options) == 2
    assert all(options <= set(node.shared) for node in program.commands)
