"""``tma reload`` takes no options of its own."""

import pytest

from tma.cli import args, table
from tma.core.errors import UsageError


def test_it_takes_nothing() -> None:
    """CRL-1."""
    command = table.named("reload")
    assert command is not None
    with pytest.raises(UsageError):
        args.parse(["reload", "now"], command)
