"""Muting, as far as it needs no server."""

import pytest

from gone import world
from tma.core.errors import TmuxGoneError
from tma.core.selector import Selection
from tma.services import muting


def test_without_a_server_nothing_is_muted() -> None:
    """CLI-9: a gone server is told from a pane that is not there."""
    with pytest.raises(TmuxGoneError):
        muting.exists(world(), "%1")
    with pytest.raises(TmuxGoneError):
        muting.matching(world(), Selection())
    with pytest.raises(TmuxGoneError):
        muting.mute(world(), ["%1"], None)
