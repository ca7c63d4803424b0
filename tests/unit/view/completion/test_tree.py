"""What there is to complete."""

from completion import LOOK, PROGRAM


def test_every_node_is_listed_with_the_words_that_name_it() -> None:
    """CMP-1: verbs follow their command."""
    assert [path for path, _ in PROGRAM.nodes] == ["ls", "act", "debug", "debug look"]


def test_the_options_that_take_a_value_are_known_by_every_spelling() -> None:
    """What follows one of them is no command."""
    assert PROGRAM.valued == ["--config", "--format", "--pane", "--state", "--text", "-t"]
    assert [option.names[-1] for option in LOOK.all_options] == ["--help", "--config"]
