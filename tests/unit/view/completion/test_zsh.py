"""The script for zsh."""

from completion import PROGRAM
from tma.view.completion import zsh


def test_help_is_escaped_for_every_reader_it_passes() -> None:
    """Quotes for the shell, brackets and colons for the spec."""
    assert r"'(-h --help)'{-h,--help}'[show\: \[it'\''s\] help]'" in zsh.script(PROGRAM)


def test_values_have_their_sources() -> None:
    """CMP-1: an action that begins with a blank is run with its own words only."""
    script = zsh.script(PROGRAM)

    assert "'(--pane)'--pane='[a pane]:ID: _tma_live panes'" in script
    assert "'(--state)'--state='[states]:LIST: _values -s , state idle done'" in script
    assert "'(--format)'--format='[a format]:plain|json:(plain json)'" in script
    assert "{-t,--text=}'[a text]:S:'" in script
    assert "'1:NAME: _tma_live actions'" in script


def test_commands_and_verbs_have_functions_of_their_own() -> None:
    """CMP-1."""
    script = zsh.script(PROGRAM)

    assert script.startswith("#compdef tma\n")
    assert "        'ls:List: all.'\n" in script
    assert "    debug) _tma_debug ;;\n" in script
    assert "    look) _tma_debug_look ;;\n" in script
