"""Which processes work in a directory."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tma.adapters import working

LSOF = """p412
fcwd
n/Users/me/work
p977
fcwd
n/Users/me/a b
px
fcwd
"""


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")
def test_a_process_is_found_by_any_path_to_its_directory(tmp_path: Path) -> None:
    """OWN-5: compared by device and inode, so a link names the same place."""
    work = tmp_path / "work"
    work.mkdir()
    (tmp_path / "link").symlink_to(work)
    child = subprocess.Popen(["/bin/sleep", "600"], cwd=work)
    try:
        for path in (work, tmp_path / "link"):
            assert working.working_in(str(path), os.geteuid(), timeout_s=1) == [child.pid]
        assert working.working_in(str(work), os.geteuid() + 1, timeout_s=1) == []
        assert working.working_in(str(tmp_path), os.geteuid(), timeout_s=1) == []
    finally:
        child.kill()
        child.wait()


@pytest.mark.parametrize("directory", ["/nonexistent", "", "a\0b", "/dev/null/x"])
def test_a_directory_that_cannot_be_seen_holds_nobody(directory: str) -> None:
    """OWN-5: a payload may name anything."""
    assert working.working_in(directory, os.geteuid(), timeout_s=1) == []


def test_a_process_that_ends_meanwhile_is_passed_over(tmp_path: Path) -> None:
    """PROC-1: the list and the look are not one step."""
    root = tmp_path / "proc"
    (root / "12").mkdir(parents=True)
    (root / "self").mkdir()
    assert working.working_in(str(tmp_path), os.geteuid(), timeout_s=1, root=str(root)) == []


def test_lsof_output_gives_process_and_directory() -> None:
    """OWN-5: where there is no /proc; names may hold blanks, broken lines are skipped."""
    assert working.parse_lsof(LSOF) == [(412, "/Users/me/work"), (977, "/Users/me/a b")]
