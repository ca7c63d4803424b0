"""Events kept as files."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import private_home
from kept import NOW, keep
from tma.adapters import owned
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


def test_a_directory_that_goes_meanwhile_is_made_again(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """DEV-6: whoever applied the last event takes the empty directory away."""
    replace, taken = owned.replace, []

    def first_gone(name: str, data: bytes, **more: int) -> None:
        if not taken:
            taken.append(name)
            Path(path).rmdir()
        replace(name, data, **more)

    monkeypatch.setattr(owned, "replace", first_gone)
    assert keep(path)
    assert len(list(Path(path).iterdir())) == 1
