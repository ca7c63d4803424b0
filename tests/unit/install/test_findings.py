"""Single findings of doctor."""

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from installs import Home
from tma.install.findings import faults, tmux, tmux_version
from tma.install.places import Places


@pytest.mark.parametrize(
    ("version", "numbers"), [("3.3a", (3, 3)), ("next-3.6", (3, 6)), ("3.10", (3, 10)), ("openbsd-7", ()), ("", ())]
)
def test_a_version_is_read_or_counts_as_newest(version: str, numbers: tuple[int, ...]) -> None:
    """TCP-1."""
    assert tmux_version(version) == numbers


def test_an_old_version_lacks_features_or_is_unsupported() -> None:
    """CDO-4."""
    assert tmux("3.1c")["below_min"] is True
    assert tmux("3.3a")["missing_features"] == ["clickable segments", "literal messages"]
    assert tmux("strange")["missing_features"] == []


def test_a_plugin_is_double_only_where_two_files_are(tmp_path: Path) -> None:
    """CDO-3, ADP-7: the one in ``plugins`` may be the only one; what is no file there is nothing to read."""
    home = Home(tmp_path, {"XDG_RUNTIME_DIR": str(tmp_path)})
    directory = tmp_path / ".config" / "opencode"

    def found(**given: str) -> list[str]:
        setup: Any = SimpleNamespace(env=home.env, places=Places(home.env, given))
        return faults(setup)

    home.install("opencode")
    second = directory / "plugins" / "tma.js"
    second.parent.mkdir()
    os.mkfifo(second)
    assert found() == []
    second.unlink()
    (directory / "plugin" / "tma.js").rename(second)
    assert found(opencode_plugin=str(second)) == []
    (directory / "plugin" / "tma.js").write_bytes(second.read_bytes())
    assert "opencode loads" in found()[0]
