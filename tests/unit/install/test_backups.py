"""Copies and records of edits."""

import errno
import os
from pathlib import Path

import pytest

from tma.install.backups import KEPT, Backups, Record, digest
from tma.install.dialect import RefusedError

NOW = 1_795_980_231_948


def test_copies_are_private_named_by_time_and_ten(tmp_path: Path) -> None:
    """EDT-8, SEC-F-2: mode 0600, the newest ten stay."""
    backups = Backups({"HOME": str(tmp_path)})

    with backups.locked("/x/settings.json"):
        copies = [Path(backups.keep("/x/settings.json", b"%d" % n, NOW)) for n in range(KEPT + 3)]

    assert copies[0].name == "20261129T192351.948-settings.json"
    kept = list(copies[0].parent.iterdir())
    assert (len(kept), copies[-1] in kept) == (KEPT, True)
    assert {copy.stat().st_mode & 0o777 for copy in kept} == {0o600}
    assert copies[0].parent.stat().st_mode & 0o777 == 0o700


def test_a_chain_of_edits_leads_back_to_the_first(tmp_path: Path) -> None:
    """EDT-12: two edits in a row are undone together; a stranger's edit breaks the chain."""
    backups = Backups({"XDG_STATE_HOME": str(tmp_path)})
    with backups.locked("/x/f"):
        first = backups.keep("/x/f", b"one", NOW)
        second = backups.keep("/x/f", b"two", NOW)
        backups.record("/x/f", Record(digest(b"one"), digest(b"two"), first))
        backups.record("/x/f", Record(digest(b"two"), digest(b"three"), second))

    found = backups.original("/x/f", b"three")
    assert found is not None
    assert found[0] == b"one"
    assert backups.original("/x/f", b"other") is None
    backups.forget("/x/f")
    assert backups.original("/x/f", b"three") is None


def test_a_damaged_copy_or_record_is_none(tmp_path: Path) -> None:
    """EDT-12: bytes that are not the recorded ones are never put back."""
    backups = Backups({"XDG_STATE_HOME": str(tmp_path)})
    with backups.locked("/x/f"):
        copy = backups.keep("/x/f", b"one", NOW)
        backups.record("/x/f", Record(digest(b"one"), digest(b"two"), copy))
    Path(copy).write_bytes(b"changed")

    assert backups.original("/x/f", b"two") is None
    (Path(backups.directory) / "backups.json").write_text("[broken")
    assert backups.records("/x/f") == []


def test_without_a_place_nothing_may_be_written(tmp_path: Path) -> None:
    """EDT-8, PTH-11: no backup, no edit."""
    with pytest.raises(RefusedError, match="no backup"), Backups({}).locked("/x"):
        pass
    os.mkfifo(tmp_path / "tma")
    with pytest.raises(RefusedError, match="no backup"), Backups({"XDG_STATE_HOME": str(tmp_path)}).locked("/x"):
        pass


def test_half_a_copy_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """EDT-8: one that could not be written does not count among the ten."""
    backups = Backups({"XDG_STATE_HOME": str(tmp_path)})

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)

    with backups.locked("/x/f"), pytest.raises(RefusedError, match="No space left"):
        backups.keep("/x/f", b"one", NOW)

    assert list(Path(backups.directory).rglob("*-f")) == []
