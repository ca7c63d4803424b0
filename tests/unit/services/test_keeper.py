"""A daemon from outside: records, versions, cool-down."""

import fcntl
import os
from pathlib import Path

import pytest

from tma import __version__
from tma.core.errors import TmaError
from tma.services import keeper
from tma.services.keeper import Record


@pytest.mark.parametrize(
    ("body", "record"),
    [
        ("12\nversion=1.2.3\n", Record(12, "1.2.3")),
        ("", Record(0, "")),
        ("12\n", Record(0, "")),
        ("0\nversion=1.2.3\n", Record(0, "")),
        ("-4\nversion=1.2.3\n", Record(0, "")),
        ("12", Record(0, "")),
        ("99999999999\nversion=1.2.3\n", Record(0, "")),
        ("²\nversion=1.2.3\n", Record(0, "")),
    ],
)
def test_a_torn_body_says_nothing(tmp_path: Path, body: str, record: Record) -> None:
    """DID-3: unknown, do nothing."""
    (tmp_path / "lock").write_text(body)
    assert keeper.read_record(str(tmp_path / "lock")) == record
    assert keeper.read_record(str(tmp_path / "absent")) == Record(0, "")


def test_a_lock_is_held_by_a_lock_and_not_by_a_file(tmp_path: Path) -> None:
    """PTH-8, DLC-7: missing is free, what cannot be opened counts as held."""
    path = tmp_path / "lock"
    assert not keeper.is_held(str(path))
    path.write_text("1\nversion=1.2.3\n")
    assert not keeper.is_held(str(path))
    with path.open("r+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert keeper.is_held(str(path))
    path.unlink()
    path.symlink_to(tmp_path / "other")
    assert keeper.is_held(str(path))


@pytest.mark.parametrize(
    ("version", "numbers"),
    [
        ("1.2.3", (1, 2, 3)),
        ("1.2.3-rc1", (1, 2, 3)),
        ("1.2.3+x", (1, 2, 3)),
        ("1.2", None),
        ("", None),
        ("1.2.x", None),
    ],
)
def test_versions_are_three_numbers(version: str, numbers: tuple[int, ...] | None) -> None:
    """DLC-9: a suffix is dropped."""
    assert keeper.numbers(version) == numbers


def test_only_a_lower_version_is_older() -> None:
    """CFG-14: equal and unreadable ones are not."""
    assert keeper.is_older("0.0.0")
    assert not any(keeper.is_older(version) for version in (__version__, f"{__version__}-rc1", "99.0.0", "x"))


def test_a_replacement_cools_down(tmp_path: Path) -> None:
    """DLC-9: 60 s; a stamp in the future counts as just now."""
    path = str(tmp_path / "restart")
    assert keeper.may_replace(path, 1_000_000)
    keeper.write_stamp(path, 1_000_000)
    assert not keeper.may_replace(path, 1_059_999)
    assert keeper.may_replace(path, 1_060_000)
    assert not keeper.may_replace(path, 900_000)
    with pytest.raises(TmaError):
        keeper.write_stamp("/nonexistent/restart", 1)


def test_a_background_daemon_knows_nothing_of_the_pane_that_started_it() -> None:
    """DLC-5."""
    kept = {"PATH": "p", "HOME": "h", "LC_ALL": "l", "XDG_STATE_HOME": "x", "TMA_TMUX_BIN": "t", "SSH_AUTH_SOCK": "s"}
    dropped = {"TMUX": "t", "TMUX_PANE": "%1", "SECRET": "s", "TMA_HOOK_PID": "1", "PYTHONPATH": "p", "TERM": "t"}
    assert keeper.child_environment(kept | dropped) == kept


def test_a_log_that_cannot_be_had_is_nowhere(tmp_path: Path) -> None:
    """PTH-9: appended to, 0600."""
    opened = keeper.open_log({"XDG_STATE_HOME": str(tmp_path)}, "key")
    os.write(opened, b"x")
    assert (tmp_path / "tma" / "daemon-key.log").stat().st_mode & 0o777 == 0o600
    os.close(opened)
    nowhere = keeper.open_log({}, "key")
    os.write(nowhere, b"x")
    os.close(nowhere)
