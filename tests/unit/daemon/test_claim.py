"""The lock and the socket of a daemon."""

import fcntl
import os
import socket
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import private_home
from tma.core.errors import TmaError
from tma.daemon import claim
from tma.daemon.claim import Endpoint


@pytest.fixture
def home() -> Iterator[Path]:
    """A short directory."""
    with private_home() as made:
        yield made


def take(home: Path) -> claim.Lock | None:
    """The lock of that directory."""
    return claim.take(os.open(home, os.O_RDONLY), "key.lock")


def test_a_lock_is_held_once_and_its_body_is_empty_until_written(home: Path) -> None:
    """DID-3, DID-4: a body survives its writer; a refused claim leaves it."""
    (home / "key.lock").write_text("4711\nversion=0.0.1\n")
    lock = take(home)
    assert lock is not None
    assert (home / "key.lock").read_text() == ""
    lock.write("1.2.3")
    assert (home / "key.lock").read_text() == f"{os.getpid()}\nversion=1.2.3\n"
    assert take(home) is None
    assert (home / "key.lock").read_text() == f"{os.getpid()}\nversion=1.2.3\n"
    (home / "key.lock").unlink()
    assert take(home) is not None
    assert stat.S_IMODE((home / "key.lock").stat().st_mode) == 0o600


def test_whoever_only_asks_for_the_lock_refuses_nobody(home: Path) -> None:
    """DLC-4: whether it is held is asked by taking it for an instant."""
    asking = os.open(home / "key.lock", os.O_RDWR | os.O_CREAT)
    fcntl.flock(asking, fcntl.LOCK_EX)
    timer = threading.Timer(0.01, os.close, [asking])
    timer.start()
    assert take(home) is not None
    timer.join()


def test_a_replaced_lock_is_noticed(home: Path) -> None:
    """DLC-13: another inode, or none."""
    lock = take(home)
    assert lock is not None
    assert lock.is_ours()
    (home / "key.lock").rename(home / "old")
    assert not lock.is_ours()
    (home / "key.lock").write_text("")
    assert not lock.is_ours()


@pytest.mark.parametrize("kind", ["symlink", "directory", "fifo"])
def test_what_is_no_lock_file_is_refused(home: Path, kind: str) -> None:
    """PTH-6."""
    path = home / "key.lock"
    {"symlink": lambda: path.symlink_to(home / "x"), "directory": path.mkdir, "fifo": lambda: os.mkfifo(path)}[kind]()
    with pytest.raises(TmaError):
        take(home)
    assert not (home / "x").exists()


def test_a_stale_socket_is_taken_over_and_ours_is_removed(home: Path) -> None:
    """DLC-2, PTH-8, DLC-14."""
    path = home / "s"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    endpoint = Endpoint(str(path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert endpoint.is_ours()
    endpoint.close()
    assert not path.exists()


def test_a_socket_of_another_stays_at_our_end(home: Path) -> None:
    """DLC-14: only if it is still ours."""
    path = home / "s"
    first = Endpoint(str(path))
    second = Endpoint(str(path))
    assert not first.is_ours()
    first.close()
    assert path.exists()
    second.close()


def test_what_is_no_socket_stays(home: Path) -> None:
    """DLC-2."""
    path = home / "s"
    path.write_text("kept")
    with pytest.raises(TmaError, match="no socket"):
        Endpoint(str(path))
    assert path.read_text() == "kept"


def test_a_path_that_is_too_long_names_its_length(home: Path) -> None:
    """PTH-7."""
    path = home / ("x" * 120)
    with pytest.raises(TmaError, match=f"{len(str(path))} bytes"):
        Endpoint(str(path))


def test_a_runtime_directory_that_breaks_a_rule_is_refused(home: Path) -> None:
    """PTH-5: naming it and the reason."""
    (home / "link").symlink_to(home)
    with pytest.raises(TmaError, match="symlink"):
        claim.runtime_directory(str(home / "link"))
