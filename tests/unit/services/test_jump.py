"""Going to a pane, as far as it needs no server."""

import pytest

from gone import world
from tma.adapters.tmux.focus import Client, Shown, Sight
from tma.core.errors import TmuxGoneError
from tma.services import jump

HERE = Shown("%1", "$1", "it's", attached=True, window_id="@1", window_index=3, current=True, pane_index=2, active=True)


def test_a_client_stands_where_its_pane_is() -> None:
    """FOC-2: the origin is the client's active pane."""
    at = jump.Here(Sight("c", [], [HERE]), Client("c", 0, 80, 24, "$1", "%1"))

    assert (at.pane, at.place) == ("%1", (b"it's", 3, 2))
    assert at.origin is HERE


def test_a_client_whose_pane_cannot_be_told_stands_before_all() -> None:
    """TRL-3: it has no origin to go back to."""
    at = jump.Here(Sight("c", [], []), Client("c", 0, 80, 24, "$1", "%1"))

    assert at.origin is None
    assert at.place == (b"", 0, 0)


def test_without_a_server_nothing_is_looked_at() -> None:
    """CLI-9."""
    with pytest.raises(TmuxGoneError):
        jump.here(world())
