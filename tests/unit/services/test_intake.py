"""What a hook process takes in before it asks a server."""

import os
import posix
import threading
import time
from pathlib import Path

import pytest

from tma.core.pane import ServerFacts
from tma.services import intake
from tma.services.cache import Options


def call(payload: str = "", *, pane: str = "%5", age: float = 0.0) -> intake.Call:
    """A hook process that began some seconds ago."""
    made = intake.Call(Options(), at=1000, began=time.monotonic() - age)
    made.payload = payload
    made.pane = pane
    return made


class TestPayload:
    """The payload's bytes, its bounds, and what it may be read from."""

    def test_a_file_is_read_whole(self, tmp_path: Path) -> None:
        """HEV-1: by its path; bytes that are no UTF-8 do not fail it."""
        file = tmp_path / "p"
        file.write_bytes(b'{"a": "\xc3\xa9\xff"}')
        assert intake.read_payload(call(str(file))) == ('{"a": "é\ufffd"}', False)

    def test_the_limit_itself_is_not_cut(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """SEC-R-1, DEV-1: one byte more is."""
        monkeypatch.setattr(intake, "MAX_PAYLOAD", 10)
        file = tmp_path / "p"
        for size, cut in ((10, False), (11, True), (5000, True)):
            file.write_bytes(b"x" * size)
            assert intake.read_payload(call(str(file))) == ("x" * 10, cut)

    def test_what_came_before_the_deadline_is_the_payload(self, tmp_path: Path) -> None:
        """DEV-1: a writer that keeps its end open holds nobody."""
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        holder = os.open(pipe, os.O_RDWR)
        os.write(holder, b'{"a": 1}')
        began = time.monotonic()
        assert intake.read_payload(call(str(pipe), age=intake.PAYLOAD_S)) == ('{"a": 1}', False)
        assert time.monotonic() - began < intake.PAYLOAD_S * 10
        os.close(holder)

    def test_a_payload_may_arrive_in_pieces(self, tmp_path: Path) -> None:
        """DEV-1: until the end of file."""
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        holder = os.open(pipe, os.O_RDWR)

        def write() -> None:
            for _ in range(40):
                os.write(holder, b"x" * 4000)
            os.close(holder)

        writer = threading.Thread(target=write)
        writer.start()
        text, cut = intake.read_payload(call(str(pipe), age=-30))
        writer.join()
        assert (len(text), cut) == (160_000, False)

    @pytest.mark.parametrize("payload", ["", "/nonexistent/p", "/", "a\0b"])
    def test_what_cannot_be_read_is_no_payload(self, payload: str) -> None:
        """HOOK-1: nothing raised, nothing said."""
        assert intake.read_payload(call(payload)) == ("", False)


class TestFilter:
    """The panes that the one read asks for."""

    def origin(self, chain: list[tuple[int, str]] | None, session: int = 77) -> intake.Origin:
        """A process below others."""
        return intake.Origin(session=session, known=chain, pid=1)

    def test_only_the_named_the_above_and_the_sessions_pane_are_asked_for(self) -> None:
        """OWN-2, OWN-4: one read serves the proof and the search."""
        wanted = intake.filter_of(call(), self.origin([(9, "sh")]), "S1")
        assert "#{==:#{pane_id},%5}" in wanted
        assert "#{==:#{@agent_session},S1}" in wanted
        pids = wanted.partition("#{m:* #{pane_pid} *, ")[2].partition(" }")[0]
        assert set(pids.split()) == {"9", "77"}

    @pytest.mark.parametrize("session", ["a,b}c;", "#(touch x)", "S 1", "a.b"])
    def test_a_session_that_is_no_id_enters_no_format(self, session: str) -> None:
        """WR-5, SEC-T-2: it is looked for among all panes."""
        assert intake.filter_of(call(), self.origin([]), session) == "1"

    def test_unread_ancestors_ask_for_every_pane(self) -> None:
        """OWN-3: elsewhere than on Linux a walk costs a process."""
        assert intake.filter_of(call(), self.origin(None)) == "1"

    @pytest.mark.parametrize("pane", ["", "%", "5", "%5}", "#(x)"])
    def test_a_claim_that_is_no_pane_id_enters_no_format(self, pane: str) -> None:
        """OWN-1: ``%`` and digits."""
        assert "#{==:#{pane_id},}" in intake.filter_of(call(pane=pane), self.origin([]))


@pytest.mark.parametrize(
    ("variable", "path", "other"),
    [
        ("/tmp/s,11,0", "", True),
        ("/tmp/s,10,0", "", False),
        ("/tmp/s,11,0", "/tmp/s", False),
        ("/tmp/a,b,11,0", "", True),
        ("", "", False),
        ("/tmp/s", "", False),
        ("/tmp/s,x,0", "", False),
    ],
)
def test_a_server_is_another_when_the_variable_means_a_former_one(
    monkeypatch: pytest.MonkeyPatch, variable: str, path: str, *, other: bool
) -> None:
    """DEV-4: asked only where ``TMUX`` itself chose the server."""
    monkeypatch.setitem(posix.environ, b"TMUX", variable.encode())
    monkeypatch.setitem(posix.environ, b"TMA_SOCKET_PATH", b"")
    options = Options()
    options.socket_path = path
    facts = ServerFacts("/tmp/s", "3.3a", "host", 10, 0)
    assert intake.Call(options, at=1, began=0).means_other(facts) is other
