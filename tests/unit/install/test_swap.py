"""A new file in an old one's place."""

import errno
from pathlib import Path

import pytest

from tma.install import swap


def test_what_was_replaced_can_be_looked_at(tmp_path: Path) -> None:
    """EDT-8: the replaced file has a name until it was compared."""
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("old")
    new.write_text("new")

    former = swap.into_place(str(new), str(old))

    assert old.read_text() == "new"
    assert Path(former).read_text() == "old"


def test_a_file_system_that_cannot_exchange_keeps_a_second_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EDT-8: a hard link to the replaced file."""

    def refuse(one: str, other: str) -> None:
        raise OSError(errno.EINVAL, one, other)

    monkeypatch.setattr(swap, "_exchange", refuse)
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("old")
    new.write_text("new")

    former = swap.into_place(str(new), str(old))

    assert (old.read_text(), Path(former).read_text(), new.exists()) == ("new", "old", False)


def test_a_failure_changes_nothing(tmp_path: Path) -> None:
    """EDT-8: the old file stays."""
    new = tmp_path / "new"
    new.write_text("new")

    with pytest.raises(FileNotFoundError):
        swap.into_place(str(new), str(tmp_path / "gone"))

    assert new.read_text() == "new"
