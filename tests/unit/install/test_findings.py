"""Single findings of doctor."""

import pytest

from tma.install.findings import tmux, tmux_version


@pytest.mark.parametrize(
    ("version", "numbers"), [("3.3a", (3, 3)), ("next-3.6", (3, 6)), ("3.10", (3, 10)), ("openbsd-7", ()), ("", ())]
)
def test_a_version_is_read_or_counts_as_newest(version: str, numbers: tuple[int, ...]) -> None:
    """TCP-1."""
    assert tmux_version(version) == numbers


def test_an_old_version_lacks_features_or_is_unsupported() -> None:
    """CDO-4."""
    assert tmux("3.1c")["below_min"] is True
    assert tmux("3.3a")["missing_features"] == ["clickable segments", "literal messages"]
    assert tmux("strange")["missing_features"] == []
