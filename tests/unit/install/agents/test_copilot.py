"""The adapter of copilot."""

from pathlib import Path

import pytest

from installs import Home
from tma.install.dialect import RefusedError


def test_the_wiring_stands_where_the_agent_reads_it(tmp_path: Path) -> None:
    """PAT-2, ADP-1: the file, and commands that name agent and event, without matcher and timeout."""
    home = Home(tmp_path)

    home.install("copilot")

    text = (tmp_path / ".copilot/hooks/tma.json").read_text()
    assert str(home.wrapper) in text
    assert '"matcher"' not in text
    assert '"timeout' not in text


def test_a_file_nested_too_deep_is_not_ours(tmp_path: Path) -> None:
    """EDT-2, ADP-7: it is left alone, and said so."""
    home = Home(tmp_path)
    file = home.write(".copilot/hooks/tma.json", b"[" * 100_000)

    with pytest.raises(RefusedError, match="not tma's"):
        home.install("copilot")

    assert file.read_bytes() == b"[" * 100_000
