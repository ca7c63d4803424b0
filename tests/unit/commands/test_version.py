"""``tma version``."""

import pytest

from tma import __version__
from tma.cli import main


def test_it_prints_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """VSN-1, CLI-4: the same as the option, with neither a server nor a configuration."""
    assert main.run(["version", "--config", "/nonexistent/broken"]) == 0
    assert main.run(["--version"]) == 0
    assert capsys.readouterr() == (f"tma {__version__}\n" * 2, "")
