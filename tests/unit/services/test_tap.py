"""Which way a control client comes into a session."""

import pytest

from tma.adapters.tmux.client import Server
from tma.adapters.tmux.direct import MARK, MARK_SINCE_3_6
from tma.services import tap


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """What was made, with its arguments."""
    found: list[tuple[object, ...]] = []

    def note(name: str) -> object:
        return lambda *args: found.append((name, *args))

    monkeypatch.setattr(tap, "Piped", note("piped"))
    monkeypatch.setattr(tap, "Direct", note("direct"))
    return found


def connect(version: str) -> "tap.Connect | None":
    """The way into a server of this version."""
    return tap.connector(Server(("-L", "x"), "/bin/tmux"), version, "/s")


@pytest.mark.parametrize(
    ("version", "mark"),
    [("3.2a", MARK), ("3.3a", MARK), ("3.5a", MARK), ("next-3.5", MARK), ("3.6", MARK_SINCE_3_6),
     ("3.6b", MARK_SINCE_3_6), ("next-3.7", MARK_SINCE_3_6)],
)  # fmt: skip
def test_a_server_that_may_crash_is_spoken_to_directly(made: list[tuple[object, ...]], version: str, mark: int) -> None:
    """DCC-4: and what a session remembers of its user's environment stays."""
    way = connect(version)
    assert way is not None
    way("$3")
    assert made == [("direct", "/s", mark, ["attach-session", "-E", "-f", "ignore-size", "-t", "$3"])]


@pytest.mark.parametrize("version", ["3.7", "3.7c", "3.8", "next-3.8", "3.10", "4.0"])
def test_a_sturdy_one_gets_tmuxs_own_client(made: list[tuple[object, ...]], version: str) -> None:
    """DCC-1."""
    way = connect(version)
    assert way is not None
    way("$3")
    words = ["-C", "attach-session", "-E", "-f", "ignore-size", "-t", "$3"]
    assert made == [("piped", ["/bin/tmux", "-u", "-L", "x", *words])]


@pytest.mark.parametrize("version", ["", "openbsd-7.8", "master", "2.9", "3.1c", "next-3.6"])
def test_one_that_nobody_knows_gets_none(version: str) -> None:
    """DCC-3: left to the sweep."""
    assert connect(version) is None


def test_a_client_that_cannot_be_started_is_an_oserror() -> None:
    """DCC-4: tried again later."""
    for version in ("3.3a", "3.8"):
        way = tap.connector(Server((), "/nonexistent"), version, "/nonexistent")
        assert way is not None
        with pytest.raises(OSError, match="No such file"):
            way("$0")
