"""The adapter of cursor."""

import json
from pathlib import Path

from installs import Home


def test_the_wiring_stands_where_the_agent_reads_it(tmp_path: Path) -> None:
    """PAT-2, ADP-1: the file, and commands that name agent and event, without matcher and timeout."""
    home = Home(tmp_path)

    home.install("cursor")

    text = (tmp_path / ".cursor/hooks.json").read_text()
    assert str(home.wrapper) in text
    assert '"matcher"' not in text
    assert '"timeout' not in text


def test_a_version_is_added_beside_foreign_hooks_and_taken_back(tmp_path: Path) -> None:
    """ADP-1, EDT-11: it goes with our last entry because we added it, also where others stay."""
    home = Home(tmp_path)
    file = home.write(".cursor/hooks.json", b'{"hooks": {"stop": [{"command": "x"}]}}\n')
    home.install("cursor")
    assert json.loads(file.read_bytes())["version"] == 1
    file.write_bytes(file.read_bytes().replace(b'"x"', b'"y"'))

    home.uninstall("cursor")

    assert json.loads(file.read_bytes()) == {"hooks": {"stop": [{"command": "y"}]}}
