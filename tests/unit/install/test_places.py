"""Which files are meant."""

from pathlib import Path

import pytest

from tma.install import places
from tma.install.places import Places


def test_a_flag_wins_over_variables_and_those_over_the_default() -> None:
    """IHK-1, PAT-1: flag, tma's variable, the agent's own, the default; an empty one counts as unset."""
    env = {"HOME": "/h", "CLAUDE_CONFIG_DIR": "/work", "TMA_CLAUDE_SETTINGS": "/x.json"}

    assert Places(env, {"settings": "/flag.json"}).of(places.CLAUDE) == "/flag.json"
    assert Places(env).of(places.CLAUDE) == "/x.json"
    assert Places(env | {"TMA_CLAUDE_SETTINGS": ""}).of(places.CLAUDE) == "/work/settings.json"
    assert Places({"HOME": "/h", "CLAUDE_CONFIG_DIR": ""}).of(places.CLAUDE) == "/h/.claude/settings.json"


@pytest.mark.parametrize(
    ("name", "path"),
    [
        (places.CODEX_CONFIG, "/c/config.toml"),
        (places.CODEX_HOOKS, "/c/hooks.json"),
        (places.OPENCODE, "/x/opencode/plugin/tma.js"),
        (places.PI, "/p/extensions/tma.js"),
        (places.COPILOT, "/o/hooks/tma.json"),
        (places.GEMINI, "/h/.gemini/settings.json"),
    ],
)
def test_the_agents_own_variables_are_followed(name: str, path: str) -> None:
    """PAT-2."""
    own = {"CODEX_HOME": "/c", "PI_CODING_AGENT_DIR": "/p", "COPILOT_HOME": "/o", "XDG_CONFIG_HOME": "/x"}

    assert Places({"HOME": "/h", **own}).of(name) == path


def test_without_a_home_there_is_no_file() -> None:
    """PTH-11: nothing is made relative to the current directory because of an empty variable."""
    assert Places({"HOME": ""}).of(places.CLAUDE) == ""
    assert Places({}).config_dir() == ""


def test_records_have_a_directory_of_their_own() -> None:
    """PTH-2."""
    assert Places({"HOME": "/h", "TMA_CONFIG_DIR": "/d"}).config_dir() == "/d"
    assert Places({"HOME": "/h"}).config_dir() == "/h/.config/tma"
    assert Places({"HOME": "/h"}, {"config_dir": "/f"}).is_pinned
    assert Places({}, {"wrapper_path": "rel"}).wrapper("/s") == str(Path("rel").absolute())
