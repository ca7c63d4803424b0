"""One pane's cycle before an action."""

import pytest

from acting import fake_runtime
from tma.core.errors import TmaError
from tma.services import recheck


def test_a_pane_that_is_not_there_is_an_error() -> None:
    """ACT-FRESH-2: and nothing is written."""
    runtime, server = fake_runtime(lambda _: "")
    with pytest.raises(TmaError, match="%5"):
        recheck.recheck(runtime, "%5")
    assert len(server.calls) == 1
