"""What waits in a terminal, read off real ones."""

import os
import pty
import tty
from pathlib import Path

import pytest

from harness import until
from tma.adapters import typeahead


def test_what_nobody_read_is_counted_and_stays() -> None:
    """ACT-TEXT-4: looking takes nothing away."""
    leader, follower = pty.openpty()
    try:
        tty.setraw(follower)
        path = os.ttyname(follower)
        assert typeahead.unread(path) == 0
        os.write(leader, b"go on")
        until(lambda: typeahead.unread(path) == len(b"go on"), what="the line in the terminal")
        assert typeahead.unread(path) == len(b"go on")
        assert os.read(follower, 9) == b"go on"
        assert typeahead.unread(path) == 0
    finally:
        os.close(leader)
        os.close(follower)


@pytest.mark.parametrize("path", ["", "x", "/dev/none", "/dev/null", "/dev/\0", "/etc/passwd"])
def test_what_is_no_terminal_of_ours_says_nothing(path: str) -> None:
    """Nor does a path of another machine."""
    assert typeahead.unread(path) == 0


def test_a_fifo_is_not_waited_for(tmp_path: Path) -> None:
    """SEC-F-6: whatever the path names."""
    os.mkfifo(tmp_path / "fifo")
    assert typeahead.unread(str(tmp_path / "fifo")) == 0
