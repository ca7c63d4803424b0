"""``tma clear-attention`` where there is nothing to do."""

import pytest

from tma.commands import clear_attention
from tma.services.cache import Options


@pytest.mark.parametrize("pane", ["#{pane_id}", "%", "%1x", "%1234567890"])
def test_anything_but_a_pane_id_asks_nothing(pane: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """CLI-5, ATN-3: neither a configuration nor a server is looked for."""
    from argparse import Namespace

    monkeypatch.setenv("TMA_TMUX_BIN", "/nonexistent/tmux")

    assert clear_attention.run(Namespace(pane=pane), Options()) == 0
