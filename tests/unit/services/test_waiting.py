"""The loop of a wait, as far as it needs no server."""

import pytest

from gone import world
from tma.core.errors import TmuxGoneError
from tma.core.events.goals import AnyRow, Wanted
from tma.core.selector import Selection
from tma.services import waiting


def test_a_server_that_is_gone_ends_the_wait_whatever_time_is_left() -> None:
    """CLI-9: only a server that is slow is waited out."""
    with pytest.raises(TmuxGoneError):
        waiting.wait(world(), AnyRow(Wanted(frozenset(("idle",)))), Selection(), None)
