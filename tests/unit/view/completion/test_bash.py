"""The script for bash."""

from completion import PROGRAM
from tma.view.completion import bash


def test_live_values_are_never_expanded() -> None:
    """SAN-3: `compgen -W` would run what stands in them, so it is not used at all."""
    script = bash.script(PROGRAM)

    assert "compgen -W" not in script
    assert "eval" not in script
    assert "_tma_offer < <(tma completions --values panes 2>/dev/null)" in script


def test_a_verb_comes_before_its_command_and_an_argument_is_completed_once() -> None:
    """The pattern of a command takes every path that begins like it."""
    script = bash.script(PROGRAM)

    assert script.index('" debug look"|" debug look "*)') < script.index('" debug"|" debug "*)')
    assert '[[ $cur == -* || $path != " act" ]]' in script


def test_fixed_values_and_files_have_their_sources() -> None:
    """CMP-1: fixed value sets are in the script."""
    script = bash.script(PROGRAM)

    assert "--format) _tma_list plain json; return ;;" in script
    assert "--state) _tma_states idle done; return ;;" in script
    assert '--config) _tma_offer < <(compgen -f -- "$cur"); return ;;' in script
    assert "-t|--text) :; return ;;" in script
