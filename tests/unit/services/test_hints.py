"""When to look again, with a daemon that wakes and without one."""

import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gone import world
from harness import private_home
from tma.adapters import files, system
from tma.core import wire
from tma.services import hints
from tma.services.hints import Cause, Hints

SERVER = "/some/tmux"
LONG_S = 60.0


class FakeDaemon:
    """Something that takes one subscriber."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen()
        self.accepted: list[socket.socket] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            connection.recv(4)
            self.accepted.append(connection)
            connection.send(wire.SUBSCRIBED)

    def close(self) -> None:
        """Be gone."""
        for connection in self.accepted:
            connection.close()
        self.listener.close()


@pytest.fixture
def path(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where a daemon of the server would listen."""
    with private_home() as home:
        monkeypatch.setattr(system, "environment", lambda: {"XDG_RUNTIME_DIR": str(home)})
        yield Path(files.daemon_file({"XDG_RUNTIME_DIR": str(home)}, SERVER, "sock"))


def known() -> Hints:
    """Hints that know the server."""
    made = Hints(world())
    made.know(SERVER)
    return made


@pytest.mark.usefixtures("path")
def test_without_a_daemon_the_interval_counts() -> None:
    """WAI-3: and never more than what is left."""
    assert known().pause(0.01) is Cause.CLOCK
    assert known().pause(LONG_S, most_s=0.01) is Cause.CLOCK
    assert known().pause(-1.0) is Cause.CLOCK


def test_a_wake_ends_the_pause_and_several_are_one(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """DSU-2: wakes within 100 ms merge."""
    daemon = FakeDaemon(path)
    made = known()
    monkeypatch.setattr(hints, "FALLBACK_S", 0.05)
    for _ in range(3):
        daemon.accepted[0].send(wire.WAKE)
    assert made.pause(LONG_S) is Cause.WAKE
    assert made.pause(LONG_S) is Cause.FALLBACK
    daemon.close()


def test_with_a_daemon_the_fallback_counts_and_not_the_interval(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """DSU-2."""
    daemon = FakeDaemon(path)
    monkeypatch.setattr(hints, "FALLBACK_S", 0.02)
    assert known().pause(LONG_S) is Cause.FALLBACK
    daemon.close()


def test_a_daemon_that_goes_away_leaves_the_interval(path: Path) -> None:
    """DSU-3: silently, and it is looked for again."""
    daemon = FakeDaemon(path)
    made = known()
    daemon.close()
    assert made.pause(0.01) is Cause.CLOCK
    path.unlink()
    again = FakeDaemon(path)
    made._probe_at = time.monotonic()
    made.know(SERVER)
    again.accepted[0].send(wire.WAKE)
    assert made.pause(LONG_S) is Cause.WAKE
    again.close()


def test_a_reader_that_left_ends_the_pause(path: Path) -> None:
    """SUB-7: without a byte written, with a daemon and without."""
    reading, writing = os.pipe()
    os.close(reading)
    assert known().pause(LONG_S, reader=writing) is Cause.LEFT
    daemon = FakeDaemon(path)
    assert known().pause(LONG_S, reader=writing) is Cause.LEFT
    os.close(writing)
    daemon.close()


@pytest.mark.usefixtures("path")
def test_a_reader_that_is_there_is_waited_with() -> None:
    """SUB-7."""
    reading, writing = os.pipe()
    assert known().pause(0.01, reader=writing) is Cause.CLOCK
    os.close(reading)
    os.close(writing)
