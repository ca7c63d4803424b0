"""Appending to a log that may not be what it seems."""

import os
from pathlib import Path

from tma.adapters import audit


def test_lines_are_appended_and_parents_made(tmp_path: Path) -> None:
    """PTH-10: the file is the user's alone, and an existing one keeps its mode."""
    log = tmp_path / "a" / "b" / "act.log"
    assert audit.append(str(log), "one\n")
    assert audit.append(str(log), "two\n")
    assert log.read_text() == "one\ntwo\n"
    assert log.stat().st_mode & 0o777 == 0o600
    assert log.parent.stat().st_mode & 0o777 == 0o700
    log.chmod(0o640)
    assert audit.append(str(log), "three\n")
    assert log.stat().st_mode & 0o777 == 0o640


def test_what_is_no_file_of_ours_is_left_alone(tmp_path: Path) -> None:
    """SEC-F-5: a symlink, a FIFO without a reader, a directory, a path with a NUL."""
    real = tmp_path / "real"
    real.touch()
    (tmp_path / "link").symlink_to(real)
    os.mkfifo(tmp_path / "fifo")
    for name in ("link", "fifo", ".", "a\0b"):
        assert not audit.append(f"{tmp_path}/{name}", "x\n")
    assert real.read_text() == ""
    assert not audit.append(f"{real}/below", "x\n")
