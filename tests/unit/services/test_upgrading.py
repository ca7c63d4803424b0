"""Versions, and the cool-down of replacements."""

from pathlib import Path

import pytest

from tma import __version__
from tma.core.errors import TmaError
from tma.services import upgrading


@pytest.mark.parametrize(
    ("version", "numbers"),
    [
        ("1.2.3", (1, 2, 3)),
        ("1.2.3-rc1", (1, 2, 3)),
        ("1.2.3+x", (1, 2, 3)),
        ("1.2", None),
        ("", None),
        ("1.2.x", None),
    ],
)
def test_versions_are_three_numbers(version: str, numbers: tuple[int, ...] | None) -> None:
    """DLC-9: a suffix is dropped."""
    assert upgrading.numbers(version) == numbers


def test_only_a_lower_version_is_older() -> None:
    """CFG-14: equal and unreadable ones are not."""
    assert upgrading.is_older("0.0.0")
    assert not any(upgrading.is_older(version) for version in (__version__, f"{__version__}-rc1", "99.0.0", "x"))


def test_a_replacement_cools_down(tmp_path: Path) -> None:
    """DLC-9: 60 s; a stamp in the future counts as just now."""
    path = str(tmp_path / "restart")
    assert upgrading.may_replace(path, 1_000_000)
    upgrading.write_stamp(path, 1_000_000)
    assert not upgrading.may_replace(path, 1_059_999)
    assert upgrading.may_replace(path, 1_060_000)
    assert not upgrading.may_replace(path, 900_000)
    with pytest.raises(TmaError):
        upgrading.write_stamp("/nonexistent/restart", 1)
