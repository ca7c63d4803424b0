"""The files of the key bindings; installing them is tested on real servers."""

from types import SimpleNamespace
from typing import Any

import pytest

from tma.core.errors import TmaError
from tma.install.keybindings import Keybindings
from tma.install.places import Places


def bindings(env: dict[str, str], **given: str) -> Keybindings:
    """The files under an environment."""
    setup: Any = SimpleNamespace(places=Places(env, given), env=env)
    return Keybindings(setup)


def test_the_first_configuration_that_is_there_is_used(tmp_path: Any) -> None:
    """IKY-4: else the one to make."""
    home = {"HOME": str(tmp_path)}
    assert bindings(home).conf == f"{tmp_path}/.tmux.conf"
    (tmp_path / ".config").mkdir()
    assert bindings(home).conf == f"{tmp_path}/.config/tmux/tmux.conf"
    assert bindings(home | {"XDG_CONFIG_HOME": "/x"}).conf == "/x/tmux/tmux.conf"
    (tmp_path / ".tmux.conf").write_text("")
    assert bindings(home | {"XDG_CONFIG_HOME": "/x"}).conf == f"{tmp_path}/.tmux.conf"


def test_without_a_home_nothing_is_named() -> None:
    """PTH-11."""
    with pytest.raises(TmaError, match="HOME"):
        bindings({})


def test_a_chosen_directory_is_pinned() -> None:
    """IKY-3."""
    assert bindings({"HOME": "/h"}, config_dir="/d").line == 'source-file "/d/tmux.conf" # tma keys'
