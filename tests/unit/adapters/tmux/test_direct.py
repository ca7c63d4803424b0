"""A control client without a process, against a socket in tmux's place."""

import _socket
import array
import os
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from scarce import descriptors
from tma.adapters.tmux.direct import MARK, MARK_SINCE_3_6, Direct

COMMAND = ["attach-session", "-t", "$1"]


class Listening:
    """A socket in tmux's place, and what came in by each read."""

    def __init__(self, path: str) -> None:
        """Listen."""
        self.path = path
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()

    def accept(self) -> socket.socket:
        """The next client."""
        return self.listener.accept()[0]


@pytest.fixture
def listening(tmp_path: Path) -> Iterator[Listening]:
    """A socket that takes connections."""
    made = Listening(str(tmp_path / "s"))
    yield made
    made.listener.close()


def reads(peer: socket.socket) -> list[tuple[bytes, list[int]]]:
    """All that a server would get, read by read: the system ends one at a message that brings a descriptor."""
    found = []
    peer.settimeout(0)
    while True:
        try:
            data, rights, _, _ = peer.recvmsg(65535, socket.CMSG_SPACE(4))
        except BlockingIOError:
            return found
        found.append((data, [fd for *_, each in rights for fd in array.array("i", each)]))


def messages(data: bytes) -> list[tuple[int, int, bytes]]:
    """Type, flags and content of each message."""
    found = []
    while data:
        kind, size, flags, version, _ = struct.unpack_from("=IHHII", data)
        assert version == 8
        found.append((kind, flags, data[16:size]))
        data = data[size:]
    return found


@pytest.mark.parametrize("mark", [MARK, MARK_SINCE_3_6])
def test_what_makes_it_a_control_client_comes_last_and_in_one_piece(listening: Listening, mark: int) -> None:
    """DCC-4: with the end of the introduction and the command, by a message that brings no descriptor."""
    client = Direct(listening.path, mark, COMMAND)
    peer = listening.accept()
    *first, (last, rights) = reads(peer)
    assert not rights
    flags, done, command = messages(last)[-3:]
    assert flags == (111, 0, struct.pack("=Q", 0x12000))
    assert done == (106, 0, b"")
    assert command == (200, 0, struct.pack("=i", 3) + b"attach-session\0-t\0$1\0")
    before = [each for data, _ in first for each in messages(data)] + messages(last)[:-3]
    assert [kind for kind, _, _ in before] == [101, 102, 108, 107, 104, 110]
    assert [flags for kind, flags, _ in before if kind in {104, 110}] == [mark, mark]
    assert before[3][2] == struct.pack("=i", os.getpid())
    (stdin,), (stdout,) = [fds for _, fds in first]
    os.write(stdout, b"%begin\n")
    assert client.read(100) == b"%begin\n"
    assert client.write(b"word\n") == 5
    assert os.read(stdin, 100) == b"word\n"
    for fd in (stdin, stdout):
        os.close(fd)
    client.close()
    peer.close()


@pytest.mark.parametrize(
    ("said", "ended"),
    [(207, False), (218, False), (203, True), (210, True), (12, True), (201, True), (300, True), (None, True)],
    ids=["ready", "flags", "exit", "shutdown", "version", "detach", "read-open", "gone"],
)
def test_it_ends_when_the_server_wants_it_to(listening: Listening, said: "int | None", *, ended: bool) -> None:
    """DCC-10: or asks for something that nobody would answer."""
    client = Direct(listening.path, MARK, COMMAND)
    peer = listening.accept()
    fds = [fd for _, each in reads(peer) for fd in each]
    with pytest.raises(BlockingIOError):
        client.read(100)
    if said is None:
        peer.close()
    else:
        # In two pieces, and behind a message that asks nothing.
        data = struct.pack("=IHHIII", 218, 20, 0, 8, 0, 0) + struct.pack("=IHHIII", said, 20, 0, 8, 0, 0)
        peer.sendall(data[:25])
        with pytest.raises(BlockingIOError):
            client.read(100)
        peer.sendall(data[25:])
    os.write(fds[1], b"last words")
    assert client.read(100) == b"last words"
    if ended:
        assert client.read(100) == b""
    else:
        with pytest.raises(BlockingIOError):
            client.read(100)
    client.close()
    for fd in fds:
        os.close(fd)
    peer.close()


@pytest.mark.parametrize("way", ["leave", "kill", "close"])
def test_who_leaves_is_seen_to_leave(listening: Listening, way: str) -> None:
    """DCC-2, DLC-14: at once; nobody waits for an answer."""
    client = Direct(listening.path, MARK, COMMAND)
    peer = listening.accept()
    fds = [fd for _, each in reads(peer) for fd in each]
    getattr(client, way)()
    assert peer.recv(100) == b""
    if way != "close":
        assert client.read(100) == b""
        client.close()
    client.leave()
    assert client.reaped()
    for fd in fds:
        os.close(fd)
    peer.close()


def test_a_message_that_is_taken_in_part_ends_it(listening: Listening, monkeypatch: pytest.MonkeyPatch) -> None:
    """DCC-4: the rest would come in a gap that crashes the server; no descriptor stays open."""
    before = len(list(Path("/dev/fd").iterdir()))

    class Short(_socket.socket):
        def sendmsg(self, buffers: list[bytes], *rest: object) -> int:  # type: ignore[override]
            return super().sendmsg([each[:-1] for each in buffers], *rest)  # type: ignore[arg-type]

    monkeypatch.setattr("tma.adapters.tmux.direct._socket.socket", Short)
    with pytest.raises(OSError, match="only a part"):
        Direct(listening.path, MARK, COMMAND)
    peer = listening.accept()
    assert 111 not in [kind for kind, *_ in messages_of_whole(peer)]
    peer.close()
    assert len(list(Path("/dev/fd").iterdir())) == before


def messages_of_whole(peer: socket.socket) -> list[tuple[int, int, bytes]]:
    """The messages that came whole."""
    data = b""
    for piece, fds in reads_to_end(peer):
        data += piece
        for fd in fds:
            os.close(fd)
    whole = []
    while len(data) >= 16 and len(data) >= (size := struct.unpack_from("=IH", data)[1]):
        whole += messages(data[:size])
        data = data[size:]
    return whole


def reads_to_end(peer: socket.socket) -> Iterator[tuple[bytes, list[int]]]:
    """Read by read until the other side is gone."""
    while True:
        data, rights, _, _ = peer.recvmsg(65535, socket.CMSG_SPACE(4))
        if not data:
            return
        yield data, [fd for *_, each in rights for fd in array.array("i", each)]


@pytest.mark.parametrize("spare", range(5))
def test_where_nothing_can_be_opened_nothing_stays_open(listening: Listening, spare: int) -> None:
    """An OSError: whoever tries again must not run out for good."""
    with descriptors(spare):
        Direct(listening.path, MARK, COMMAND)


@pytest.mark.parametrize("path", ["/nonexistent/s", "/" + "d" * 200])
def test_where_nobody_listens_it_is_an_oserror(path: str) -> None:
    """DCC-4: also at a path that no socket can have."""
    before = len(list(Path("/dev/fd").iterdir()))
    with pytest.raises(OSError, match=r"No such file|too long"):
        Direct(path, MARK, COMMAND)
    assert len(list(Path("/dev/fd").iterdir())) == before
