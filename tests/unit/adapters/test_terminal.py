"""Bytes to terminals of the user's own, in one piece or not at all."""

import os
import pty
import select
import tty
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tma.adapters import terminal


@pytest.fixture
def pair() -> Iterator[tuple[int, str]]:
    """A terminal: the end that a person sees, and its path."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    yield master, os.ttyname(slave)
    os.close(master)
    os.close(slave)


def seen(master: int) -> bytes:
    """What the terminal received."""
    data = b""
    while select.select([master], [], [], 0.1)[0]:
        data += os.read(master, 65536)
    return data


def test_bytes_arrive_as_they_are(pair: tuple[int, str]) -> None:
    """OSC-3."""
    assert terminal.send(pair[1], b"\x1b]9;x\x07") == "ok"
    assert seen(pair[0]) == b"\x1b]9;x\x07"


def test_a_terminal_that_takes_nothing_is_left_alone(pair: tuple[int, str]) -> None:
    """OSC-3: nobody reads it, and it is not waited for long."""
    slave = os.open(pair[1], os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
    full = 0
    while select.select([], [slave], [], 0.2)[1]:
        with suppress(BlockingIOError):
            full += os.write(slave, b"x")
    os.close(slave)
    assert terminal.send(pair[1], b"\x1b]9;x\x07", wait_s=0.05) in {"client-busy", "partial"}
    assert seen(pair[0])[:full] == b"x" * full


def test_what_is_no_terminal_of_ours_is_not_written_to(pair: tuple[int, str], tmp_path: Path) -> None:
    """OSC-2: a relative path, a link, a file, a FIFO without a reader, nothing at all."""
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(pair[1])
    os.mkfifo(tmp_path / "fifo")
    for path in ("file", "link", "fifo", "gone"):
        assert terminal.send(str(tmp_path / path), b"x") == "bad-tty"
    for odd in ("", "dev/tty", "/dev/null", "/a\0b"):
        assert terminal.send(odd, b"x") == "bad-tty"
    assert (tmp_path / "file").read_text() == ""
    assert seen(pair[0]) == b""


def test_a_terminal_of_somebody_else_is_not_written_to(pair: tuple[int, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """OSC-2, REM-25."""
    monkeypatch.setattr(terminal.posix, "geteuid", lambda: os.geteuid() + 1)
    assert terminal.send(pair[1], b"x") == "bad-tty"


def test_a_sequence_that_was_cut_short_is_ended(pair: tuple[int, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """OSC-3: one attempt, and it counts as partial."""
    written: list[bytes] = []

    def write(_descriptor: int, data: bytes) -> int:
        written.append(data)
        return 2

    monkeypatch.setattr(terminal, "_write", write)
    assert terminal.send(pair[1], b"\x1b]9;x", end=b"\x07") == "partial"
    assert written == [b"\x1b]9;x", b"\x07"]
