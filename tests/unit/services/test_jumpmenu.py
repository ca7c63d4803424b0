"""The jump menu, as far as it needs no server."""

import pytest

from gone import world
from rows import fleet
from tma.adapters.tmux.focus import Client, Sight
from tma.core.errors import TmuxGoneError
from tma.services import jumpmenu
from tma.services.jump import Here


def test_a_server_that_went_away_shows_no_menu() -> None:
    """CLI-9: rows of every class have a label by then."""
    at = Here(Sight("c", [], []), Client("c", 0, 80, 24, "$1", "%1"))

    with pytest.raises(TmuxGoneError):
        jumpmenu.show(world(), at, fleet())
