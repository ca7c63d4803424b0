"""The script for fish."""

from completion import PROGRAM
from tma.view.completion import fish


def test_each_command_offers_its_own_options() -> None:
    """CMP-1: global ones are offered everywhere, once."""
    lines = fish.script(PROGRAM).splitlines()

    assert "complete -c tma -l config -r -F -d 'a file'" in lines
    assert sum("-l config" in line for line in lines) == 1
    assert (
        "complete -c tma -n '__tma_in \\'ls\\'' -l pane -x -a '(tma completions --values panes 2>/dev/null)'"
        " -d 'a pane'" in lines
    )
    assert "complete -c tma -n '__tma_in \\'act\\'' -s t -l text -x -d 'a text'" in lines


def test_commands_verbs_and_arguments_are_offered_in_their_place() -> None:
    """CMP-1."""
    lines = fish.script(PROGRAM).splitlines()

    assert "complete -c tma -n '__tma_at \\'\\'' -a ls -d 'List: all.'" in lines
    assert "complete -c tma -n '__tma_at \\'debug\\'' -a look -d 'Look at a pane.'" in lines
    assert "complete -c tma -n '__tma_at \\'act\\'' -a '(tma completions --values actions 2>/dev/null)'" in lines


def test_help_is_quoted() -> None:
    """A quote in it ends nothing."""
    assert "complete -c tma -s h -l help -d 'show: [it\\'s] help'" in fish.script(PROGRAM).splitlines()
