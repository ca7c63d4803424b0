"""What failed calls mean."""

import os
from pathlib import Path

import pytest

from tma.core.errors import TmuxError, TmuxGoneError, TmuxTimeoutError
from tma.daemon.log import Log
from tma.daemon.trouble import Trouble

ABSENT = 2**22 + 5


class Told:
    """A judge with an open log; the reasons to end are kept."""

    def __init__(self, path: Path, pid: int) -> None:
        """For one server."""
        self.path = path
        self.ends: list[str] = []
        self.log = os.open(path, os.O_RDWR | os.O_CREAT)
        self.trouble = Trouble(pid, Log(self.log, dated=False), self.ends.append)

    @property
    def said(self) -> str:
        """The log."""
        return self.path.read_text()


def told(tmp_path: Path, pid: int = 0) -> Told:
    """One for this process, or another."""
    return Told(tmp_path / "log", pid or os.getpid())


def test_three_time_outs_rest_until_one_call_succeeds(tmp_path: Path) -> None:
    """DSW-5: each said once."""
    one = told(tmp_path)
    for _ in range(4):
        one.trouble.failed(TmuxTimeoutError("slow"), 0.0)
    assert one.trouble.breaker.is_open
    assert one.said.count("does not answer") == 1
    assert [one.trouble.recovered(), one.trouble.recovered()] == [True, False]
    assert one.said.count("answers again") == 1


@pytest.mark.parametrize("alive", [True, False])
def test_a_server_that_is_gone_ends_it_and_a_lost_socket_does_not(tmp_path: Path, *, alive: bool) -> None:
    """Section 14: the cure is named once, and not to somebody who has just ended the server."""
    one = told(tmp_path, os.getpid() if alive else ABSENT)
    one.trouble.failed(TmuxGoneError("gone"), 0.0)
    assert one.said == ""
    for _ in range(2):
        one.trouble.failed(TmuxGoneError("gone"), 0.0)
    assert bool(one.ends) is not alive
    assert one.trouble.breaker.is_open is alive
    assert one.said.count("kill -USR1") == (1 if alive else 0)


def test_another_server_at_the_path_ends_it(tmp_path: Path) -> None:
    """DLC-13, DCC-6: silence is not another one."""
    one = told(tmp_path)
    one.trouble.met(os.getpid())
    one.trouble.met(0)
    assert one.ends == []
    one.trouble.met(1)
    assert one.ends == ["another tmux server has the socket"]


def test_anything_else_is_said_and_nothing_rests(tmp_path: Path) -> None:
    """DEL-6."""
    one = told(tmp_path)
    one.trouble.failed(TmuxError("protocol version mismatch"), 0.0)
    assert one.said == "tma: protocol version mismatch\n"
    assert not one.trouble.breaker.is_open
