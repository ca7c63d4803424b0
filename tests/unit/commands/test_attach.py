"""The options of ``tma attach``."""

import pytest

from tma.cli import args, table
from tma.core.errors import UsageError


def test_a_pane_is_required_and_printing_is_not() -> None:
    """Section 7 of cli.md."""
    command = table.named("attach")
    assert command is not None

    found = args.parse(["attach", "--pane", "%5"], command)

    assert (found.pane, found.print) == ("%5", False)
    with pytest.raises(UsageError, match="--pane"):
        args.parse(["attach"], command)
