"""The offer of an event to a daemon."""

import os
import posix
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from harness import private_home
from tma.adapters import system
from tma.core import wire
from tma.services import intake, offer
from tma.services.cache import Options


@pytest.fixture
def path() -> Iterator[Path]:
    """Where the daemon listens."""
    with private_home() as home:
        yield home / "s"


def call() -> intake.Call:
    """A hook's call."""
    made = intake.Call(Options(), at=5, began=0)
    made.agent, made.kind, made.pane, made.server_pid = "claude", "Stop", "%1", 0
    return made


def origin() -> intake.Origin:
    """A hook below a shell."""
    return intake.Origin(session=7, known=[(9, "sh")], pid=10)


def accepted(path: Path, answer: bytes, given: intake.Call | None = None) -> tuple[bool, bytes]:
    """Whether an offer was taken, and what was heard."""
    heard = []
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()

        def serve() -> None:
            connection, _ = listener.accept()
            with connection, suppress(OSError):
                heard.append(connection.recv(1 << 16))
                connection.sendall(answer)

        threading.Thread(target=serve, daemon=True).start()
        taken = offer.accepted(str(path), given or call(), origin(), "{}")
    return taken, b"".join(heard)


@pytest.mark.parametrize(("answer", "taken"), [(wire.ACK, True), (wire.NAK, False), (b"", False), (b"\x14", False)])
def test_nothing_but_an_ack_is_a_delivery(path: Path, answer: bytes, *, taken: bool) -> None:
    """DEV-3, DWP-3."""
    assert accepted(path, answer)[0] is taken


def test_the_frame_says_where_the_hook_stands(path: Path) -> None:
    """DWP-1: at, pid, sid, anc; srv only where TMUX chose the server."""
    _, heard = accepted(path, wire.ACK)
    request = wire.Request()
    request.feed(heard)
    assert request.frame is not None
    ext = request.frame.ext
    assert (ext.at, ext.sid, ext.anc, ext.srv, ext.own, ext.trust) == (5, 7, [(9, "sh")], 0, "", False)
    assert ext.pid == os.getppid()


def test_a_plugin_and_a_caller_that_vouches_are_named() -> None:
    """OWN-2."""
    from_plugin = origin()
    from_plugin.own, from_plugin.trusted = "12", True
    named = call()
    named.server_pid = 99
    said = offer.said(named, from_plugin)
    assert (said["own"], said["trust"], said["srv"]) == ("12", True, 99)


def test_a_process_elsewhere_offers_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FWD-7: the server that TMUX names is no tmux here; the direct path judges that."""
    monkeypatch.setattr(system, "name_of", lambda _pid: "other")
    foreign = call()
    foreign.server_pid = os.getpid()
    path.parent.chmod(0o700)
    assert not offer.accepted(str(path), foreign, origin(), "{}")


def test_a_directory_that_others_can_write_is_not_trusted(path: Path) -> None:
    """PTH-5."""
    path.parent.chmod(0o777)
    assert not offer.accepted(str(path), call(), origin(), "{}")


def test_nobody_there_is_no_delivery(path: Path) -> None:
    """DEV-2."""
    assert not offer.accepted(str(path), call(), origin(), "{}")
    assert posix.geteuid() == path.parent.stat().st_uid
