"""The daemon as others see it."""

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from gone import world
from harness import private_home
from tma.adapters import system
from tma.core import wire
from tma.services import link

SERVER = "/some/tmux"


@pytest.fixture
def path(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where its daemon would listen."""
    with private_home() as home:
        monkeypatch.setattr(system, "environment", lambda: {"XDG_RUNTIME_DIR": str(home)})
        made = Path(link.path_of(SERVER))
        made.parent.mkdir()
        yield made


def serve(path: Path, *answers: bytes) -> socket.socket:
    """A daemon that answers one connection after another."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()

    def work() -> None:
        for answer in answers:
            connection, _ = listener.accept()
            with connection, suppress(OSError):
                connection.recv(4)
                connection.sendall(answer)

    threading.Thread(target=work, daemon=True).start()
    return listener


def test_alive_is_an_answer_in_time(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """DST-4."""
    assert link.standing(SERVER) == link.ABSENT
    with serve(path, wire.PONG):
        assert link.standing(SERVER) == link.ALIVE
        monkeypatch.setattr(link, "PING_S", 0.01)
        assert link.standing(SERVER) == link.WEDGED


def test_a_document_is_taken_whole_or_not_at_all(path: Path) -> None:
    """DHI-2: an older daemon answers NAK."""
    whole = wire.document(wire.DOCUMENT, "cap=256\trecorded=0\n")
    with serve(path, whole, whole[:-3], wire.NAK, wire.DOCUMENT + b"\xff" * 4):
        assert link.history(SERVER) == "cap=256\trecorded=0\n"
        assert [link.history(SERVER) for _ in range(3)] == [None] * 3
    assert link.history("/other") is None


def test_the_numbers_are_an_object(path: Path) -> None:
    """DWP-1."""
    with serve(path, wire.document(wire.INFORMED, '{"frames":"5"}'), wire.document(wire.INFORMED, "[]"), wire.NAK):
        assert link.info(SERVER) == {"frames": "5"}
        assert [link.info(SERVER) for _ in range(2)] == [None] * 2


def test_a_subscription_needs_its_byte(path: Path) -> None:
    """DSU-1: one that is closed without an answer polls."""
    with serve(path, wire.SUBSCRIBED, b""):
        made = link.subscribe(SERVER)
        assert made is not None
        made.close()
        assert link.subscribe(SERVER) is None


def test_the_likely_server_is_what_was_chosen() -> None:
    """DID-1: no tmux is asked."""
    assert link.likely_server(world()) == "/nonexistent/tmux"
