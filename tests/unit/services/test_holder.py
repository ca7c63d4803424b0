"""A daemon's lock from outside."""

import fcntl
from pathlib import Path

import pytest

from tma.services import holder
from tma.services.holder import Record


@pytest.mark.parametrize(
    ("body", "record"),
    [
        ("12\nversion=1.2.3\n", Record(12, "1.2.3")),
        ("", Record(0, "")),
        ("12\n", Record(0, "")),
        ("0\nversion=1.2.3\n", Record(0, "")),
        ("-4\nversion=1.2.3\n", Record(0, "")),
        ("12", Record(0, "")),
        ("99999999999\nversion=1.2.3\n", Record(0, "")),
        ("²\nversion=1.2.3\n", Record(0, "")),
    ],
)
def test_a_torn_body_says_nothing(tmp_path: Path, body: str, record: Record) -> None:
    """DID-3: unknown, do nothing."""
    (tmp_path / "lock").write_text(body)
    assert holder.read_record(str(tmp_path / "lock")) == record
    assert holder.read_record(str(tmp_path / "absent")) == Record(0, "")


def test_a_lock_is_held_by_a_lock_and_not_by_a_file(tmp_path: Path) -> None:
    """PTH-8, DLC-7: missing is free, what cannot be opened counts as held."""
    path = tmp_path / "lock"
    assert not holder.is_held(str(path))
    path.write_text("1\nversion=1.2.3\n")
    assert not holder.is_held(str(path))
    with path.open("r+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert holder.is_held(str(path))
    path.unlink()
    path.symlink_to(tmp_path / "other")
    assert holder.is_held(str(path))
