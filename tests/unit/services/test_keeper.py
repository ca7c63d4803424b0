"""Seeing to a daemon where no server runs, or where it need not be replaced."""

import os
from pathlib import Path

import pytest

from gone import world
from tma import __version__
from tma.core.errors import TmaError
from tma.services import keeper, link
from tma.services.keeper import Keeper


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Keeper:
    """A keeper whose server is known by its text, with a runtime directory of its own; nothing may be started."""
    monkeypatch.setattr(keeper.system, "environment", lambda: {"XDG_RUNTIME_DIR": str(tmp_path)})
    monkeypatch.setattr(keeper.launch, "start", lambda *_: pytest.fail("started"))
    (tmp_path / "tma").mkdir(0o700)
    return Keeper(world(), "/tmp/server")


def says(kept: Keeper, pid: int, version: str) -> None:
    """A lock file's body."""
    Path(kept.path("lock")).write_text(f"{pid}\nversion={version}\n")


def test_without_a_server_there_is_nothing_to_see_to() -> None:
    """CDM-2, DLC-8: silence for most, an error for who asked for a new one."""
    none = Keeper(world())
    assert keeper.facts_of(world()) is None
    assert none.socket_text == ""
    none.ensure()
    assert (none.stop(), none.reload()) == (False, False)
    with pytest.raises(TmaError, match="no tmux server running"):
        none.restart()
    keeper.attend(world())


@pytest.mark.parametrize("version", [__version__, "99.0.0", "x.y.z"])
def test_a_daemon_that_is_not_older_is_left_alone(kept: Keeper, version: str) -> None:
    """CFG-14, DLC-9."""
    says(kept, os.getpid(), version)
    assert not kept.upgrade()
    assert not Path(kept.path("restart")).exists()


def test_an_older_daemon_is_replaced_once_a_minute(kept: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    """DLC-9: noted before it is tried."""
    done: list[bool] = []
    monkeypatch.setattr(Keeper, "restart", lambda self: done.append(Path(self.path("restart")).exists()))
    says(kept, os.getpid(), "0.0.0")
    assert [kept.upgrade(), kept.upgrade()] == [True, False]
    assert done == [True]


def test_a_daemon_whose_process_is_unknown_is_not_ended(kept: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    """DLC-7, DID-3: nobody is guessed at."""
    monkeypatch.setattr(link, "ping", lambda _path: 1.0)
    Path(kept.path("lock")).write_text("")
    with pytest.raises(TmaError, match="does not say which process"):
        kept.stop()
