"""A single pane that is not there."""

from pathlib import Path

import pytest

from tma.adapters.tmux.client import Server
from tma.core.errors import TmaError
from tma.services import cache, observe
from tma.services.runtime import Runtime


def test_an_unknown_pane_is_named(tmp_path: Path) -> None:
    """EXP-1, DBG-2: exit 1 with its id and what shows the ids."""
    fake = tmp_path / "tmux"
    fake.write_text("#!/bin/sh\nexit 0\n")
    fake.chmod(0o755)
    runtime = Runtime(cache.Options(), cache.load(env={}), Server((), str(fake)))
    with pytest.raises(TmaError, match="%99") as caught:
        observe.find_pane(runtime, "%99")
    assert "list-panes" in caught.value.hint
