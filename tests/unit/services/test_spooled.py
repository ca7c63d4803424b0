"""Kept events, applied."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gone import world
from harness import private_home
from kept import NOW, keep
from tma.core.pane import ServerFacts
from tma.services import frames, spooled
from tma.services.frames import Outcome

FACTS = ServerFacts("/s", "3.3a", "host", 77, 0)


@pytest.fixture
def path() -> Iterator[str]:
    """The directory of a server's kept events, not made yet."""
    with private_home() as home:
        yield str(home / "tma" / "key.spool")


@pytest.fixture
def applied(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The instants of the frames that were applied."""
    instants: list[int] = []

    def take(_runtime: object, frame: frames.Frame, _pid: int) -> Outcome:
        instants.append(frame.ext.at)
        return Outcome(accepted=True)

    monkeypatch.setattr(frames, "apply", take)
    return instants


def test_what_was_kept_is_applied_in_time_order_and_gone(path: str, applied: list[int]) -> None:
    """DEV-6: files of the user alone."""
    for at in (NOW - 5, NOW - 9, NOW - 7):
        assert keep(path, at)
    assert [file.stat().st_mode & 0o777 for file in Path(path).iterdir()] == [0o600] * 3
    assert Path(path).stat().st_mode & 0o777 == 0o700
    assert spooled.apply(path, world(), FACTS) == 3
    assert applied == [NOW - 9, NOW - 7, NOW - 5]
    assert not Path(path).exists()
    assert spooled.apply(path, world(), FACTS) == 0


def test_what_is_too_old_or_no_frame_is_deleted_unread(path: str, applied: list[int]) -> None:
    """DEV-6: ten minutes."""
    keep(path, NOW - spooled.OLDEST_MS - 60_000)
    (Path(path) / f"{NOW}-1").write_bytes(b"garbage")
    (Path(path) / "x").write_bytes(b"")
    spooled.apply(path, world(), FACTS)
    assert applied == []
    assert not Path(path).exists()


def test_an_event_of_another_server_stamps_nothing(path: str) -> None:
    """DEV-6, DWP-5."""
    keep(path, server=5)
    assert spooled.apply(path, world(), FACTS) == 1
    assert not Path(path).exists()


def test_what_tmux_does_not_take_stays(path: str) -> None:
    """DEV-6: the server is gone or slow."""
    keep(path)
    assert spooled.apply(path, world(), FACTS) == 0
    assert len(list(Path(path).iterdir())) == 1


def test_a_directory_that_others_can_write_is_not_read(path: str, applied: list[int]) -> None:
    """PTH-5."""
    keep(path)
    Path(path).chmod(0o777)
    assert spooled.apply(path, world(), FACTS) == 0
    assert applied == []


def test_what_is_still_being_written_is_left_to_its_writer(path: str, applied: list[int]) -> None:
    """DEV-6: it gets its name when it is whole; one that nobody finished goes when it is too old."""
    assert keep(path)
    half = Path(path) / f"{NOW}-7.0123456789abcdef.tmp"
    half.write_bytes(b"TMAE")
    old = Path(path) / "1000-7.0123456789abcdef.tmp"
    old.write_bytes(b"TMAE")
    spooled.apply(path, world(), FACTS)
    assert applied == [NOW]
    assert list(Path(path).iterdir()) == [half]
