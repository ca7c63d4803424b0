"""A Unix socket from the client's side."""

import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import private_home
from tma.adapters import sock

LONG_S = 20.0


@pytest.fixture
def path() -> Iterator[Path]:
    """A short path."""
    with private_home() as home:
        yield home / "s"


def listening(path: Path, backlog: int = 5) -> socket.socket:
    """A listener."""
    made = socket.socket(socket.AF_UNIX)
    made.bind(str(path))
    made.listen(backlog)
    return made


def test_nobody_there_is_no_connection(path: Path) -> None:
    """DEV-2: absent, refusing, no socket, too long a path."""
    assert sock.connect(str(path), LONG_S) is None
    listening(path).close()
    assert sock.connect(str(path), LONG_S) is None
    path.unlink()
    path.write_text("")
    assert sock.connect(str(path), LONG_S) is None
    assert sock.connect("/" + "x" * 300, LONG_S) is None
    assert sock.connect("/a\0b", LONG_S) is None


def test_a_full_backlog_is_no_connection(path: Path) -> None:
    """DEV-2: connecting never waits."""
    with listening(path, 0):
        made = [sock.connect(str(path), LONG_S) for _ in range(20)]
        assert made[-1] is None
        for each in made:
            if each:
                each.close()


def test_much_is_sent_and_read_in_pieces(path: Path) -> None:
    """DWP-1: up to 1 MiB."""
    with listening(path) as listener:

        def echo() -> None:
            connection, _ = listener.accept()
            whole = b""
            while len(whole) < 1 << 20:
                whole += connection.recv(5000)
            connection.sendall(whole)
            connection.close()

        thread = threading.Thread(target=echo)
        thread.start()
        made = sock.connect(str(path), LONG_S)
        assert made is not None
        assert made.send(b"x" * (1 << 20))
        assert made.read(1 << 20) == b"x" * (1 << 20)
        assert made.read(1) == b""
        made.close()
        thread.join()


def test_whoever_does_not_answer_or_read_is_waited_for_so_long(path: Path) -> None:
    """DEV-2: write and read share one deadline."""
    with listening(path):
        made = sock.connect(str(path), 0.05)
        assert made is not None
        began = time.monotonic()
        assert made.read(1) == b""
        assert not made.send(b"x" * (4 << 20))
        assert time.monotonic() - began < LONG_S
        made.close()


def test_what_came_is_drained(path: Path) -> None:
    """DSU-2: wakes carry nothing; the end is noticed."""
    with listening(path) as listener:
        made = sock.connect(str(path), LONG_S)
        assert made is not None
        connection, _ = listener.accept()
        assert made.drain()
        connection.sendall(b"abc")
        assert made.drain()
        connection.close()
        assert not made.drain()
        made.close()
