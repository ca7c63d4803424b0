"""The values that a shell completes."""

from pathlib import Path

import pytest

from gone import world
from tma.core.errors import TmuxGoneError
from tma.services import completing


def test_actions_need_no_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """CMP-1: tma's own and the user's; a name that a line could not hold is left out."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))

    assert completing.values(world(), "actions")[:2] == ["approve", "deny"]


@pytest.mark.parametrize("kind", ["panes", "sessions", "agents"])
def test_the_others_ask_the_server(kind: str) -> None:
    """CMP-1: whoever prints them is silent on this failure."""
    with pytest.raises(TmuxGoneError):
        completing.values(world(), kind)
