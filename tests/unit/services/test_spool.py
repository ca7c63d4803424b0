"""Events kept as files."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import private_home
from tma.services import intake, spool
from tma.services.cache import Options

NOW = int(time.time() * 1000)


@pytest.fixture
def path() -> Iterator[str]:
    """The directory of a server's kept events, not made yet."""
    with private_home() as home:
        yield str(home / "tma" / "key.spool")


def call(at: int = NOW, *, server: int = 0) -> intake.Call:
    """A hook that could not stamp."""
    made = intake.Call(Options(), at=at, began=0)
    made.agent, made.kind, made.pane, made.server_pid = "claude", "Stop", "%1", server
    return made


def keep(path: str, at: int = NOW, raw: str = "{}", *, server: int = 0) -> bool:
    """Keep one event."""
    return spool.keep(path, call(at, server=server), intake.Origin(session=1, known=[], pid=1), raw)


def test_there_is_room_for_64(path: str) -> None:
    """DEV-6."""
    assert [keep(path, NOW + number) for number in range(spool.MOST + 1)] == [True] * spool.MOST + [False]


def test_a_payload_is_cut(path: str) -> None:
    """DEV-6: at 64 KiB."""
    assert keep(path, raw="\u00e9" * 60_000)
    (file,) = Path(path).iterdir()
    assert file.stat().st_size < spool.MAX_PAYLOAD + 1000
