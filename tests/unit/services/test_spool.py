"""Events kept as files."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import private_home
from kept import NOW, keep
from tma.services import spool


@pytest.fixture
def path() -> Iterator[str]:
    """The directory of a server's kept events, not made yet."""
    with private_home() as home:
        yield str(home / "tma" / "key.spool")


def test_there_is_room_for_64(path: str) -> None:
    """DEV-6."""
    assert [keep(path, NOW + number) for number in range(spool.MOST + 1)] == [True] * spool.MOST + [False]


def test_a_payload_is_cut(path: str) -> None:
    """DEV-6: at 64 KiB."""
    assert keep(path, raw="\u00e9" * 60_000)
    (file,) = Path(path).iterdir()
    assert file.stat().st_size < spool.MAX_PAYLOAD + 1000
