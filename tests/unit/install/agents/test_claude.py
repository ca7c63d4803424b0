"""The adapter of claude."""

from pathlib import Path

from installs import Home


def test_the_wiring_stands_where_the_agent_reads_it(tmp_path: Path) -> None:
    """PAT-2, ADP-1: the file, and commands that name agent and event, without matcher and timeout."""
    home = Home(tmp_path)

    home.install("claude")

    text = (tmp_path / ".claude/settings.json").read_text()
    assert str(home.wrapper) in text
    assert '"matcher"' not in text
    assert '"timeout' not in text
