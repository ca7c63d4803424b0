"""The way in, as far as it needs no server."""

import pytest

from gone import world
from tma.core.errors import TmuxGoneError
from tma.services import attach


def test_without_a_server_there_is_nothing_to_attach_to() -> None:
    """ATC-5: that is exit 1 and no vanished pane."""
    with pytest.raises(TmuxGoneError):
        attach.select(world(), "%1")
