"""Requests of the daemon's socket: read at any split, refused at the first byte that cannot be right."""

import pytest

from tma.core import wire

FIELDS = ("%5", "claude", "Stop", '{"a": 1}')
EXT = {"at": 5, "srv": 7, "pid": 8, "sid": 9, "own": "12", "trust": True, "anc": [[3, "sh"], [1, "init"]]}


def frame(ext: object = None) -> bytes:
    """An event's bytes."""
    made = wire.event(*FIELDS, EXT if ext is None else ext)  # type: ignore[arg-type]
    assert made is not None
    return made


def read(data: bytes) -> wire.Request:
    """A request from these bytes and an end of file."""
    request = wire.Request()
    request.feed(data)
    request.close()
    return request


def raw(*fields: bytes, sizes: list[int] | None = None) -> bytes:
    """An event of raw fields, with lengths that may lie."""
    lengths = sizes or [len(field) for field in fields]
    parts = [size.to_bytes(4, "little") + field for size, field in zip(lengths, fields, strict=True)]
    return wire.EVENT + b"".join(parts)


def test_an_event_is_read_as_it_was_written() -> None:
    """DWP-1: five fields, and what is known of ext."""
    request = read(frame())
    assert request.frame is not None
    assert not request.broken
    assert (request.frame.pane, request.frame.agent, request.frame.kind, request.frame.payload) == FIELDS
    ext = request.frame.ext
    assert (ext.at, ext.srv, ext.pid, ext.sid, ext.own, ext.trust) == (5, 7, 8, 9, "12", True)
    assert ext.anc == [(3, "sh"), (1, "init")]


def test_an_event_is_read_at_every_split() -> None:
    """FZ-11: one cut anywhere, and byte by byte."""
    data = frame()
    for cut in range(len(data) + 1):
        request = wire.Request()
        request.feed(data[:cut])
        request.feed(data[cut:])
        assert request.done
        assert request.frame is not None
    request = wire.Request()
    assert [at for at, byte in enumerate(data) if request.feed(bytes([byte]))] == [len(data) - 1]


@pytest.mark.parametrize("name", [wire.SUBSCRIBE, wire.HISTORY, wire.PING, wire.INFO])
def test_a_bare_request_is_done_at_its_name_and_the_rest_is_ignored(name: bytes) -> None:
    """DWP-2: bytes after one request are ignored."""
    request = read(name + b"more")
    assert (request.name, request.broken) == (name, False)


@pytest.mark.parametrize("data", [b"X", b"TX", b"TMX", b"TMAX", b"\0", b"GET / HTTP/1.1\r\n", b"tmae"])
def test_the_first_byte_that_fits_no_name_is_refused(data: bytes) -> None:
    """DWP-2: nobody waits for more."""
    request = wire.Request()
    assert request.feed(data)
    assert request.broken


@pytest.mark.parametrize("at", range(5))
def test_a_length_over_its_limit_is_refused_before_any_of_it_came(at: int) -> None:
    """DWP-1: judged before memory is taken."""
    limits = [wire.MAX_FIELD, wire.MAX_FIELD, wire.MAX_FIELD, wire.MAX_PAYLOAD, wire.MAX_FIELD]
    request = wire.Request()
    data = raw(*[b""] * at) + (limits[at] + 1).to_bytes(4, "little")
    assert request.feed(data)
    assert request.broken


def test_a_payload_at_its_limit_is_taken() -> None:
    """DWP-1: 1 MiB."""
    request = read(raw(b"%1", b"a", b"k", b"x" * wire.MAX_PAYLOAD, b"{}"))
    assert request.frame is not None
    assert len(request.frame.payload) == wire.MAX_PAYLOAD


@pytest.mark.parametrize("cut", [0, 1, 3, 4, 6, 8, 9, 30])
def test_an_end_inside_a_request_breaks_it(cut: int) -> None:
    """DWP-2: EOF inside a frame."""
    assert read(frame()[:cut]).broken


@pytest.mark.parametrize("ext", [b"", b"[]", b"{", b"\xff", b"null", b'"x"', b"{} {}"])
def test_an_ext_that_is_no_object_breaks_the_event(ext: bytes) -> None:
    """DWP-1: ext is a JSON object; text is UTF-8."""
    request = read(raw(b"%1", b"a", b"k", b"", ext))
    assert request.broken
    assert request.frame is None


@pytest.mark.parametrize("at", range(4))
def test_bytes_that_are_no_text_break_the_event(at: int) -> None:
    """DWP-2: bad UTF-8."""
    fields = [b"%1", b"a", b"k", b"p", b"{}"]
    fields[at] = b"\xff\xfe"
    assert read(raw(*fields)).broken


@pytest.mark.parametrize(
    "ext",
    [
        {"at": "x", "srv": -1, "pid": True, "sid": 1.5, "own": 5, "trust": "yes", "anc": "sh"},
        {"at": None, "srv": 1 << 80, "pid": [], "sid": {}, "own": None, "trust": 1, "anc": [[1], [0, "x"], ["a", "b"]]},
        {"other": 1},
    ],
)
def test_what_has_another_form_counts_as_not_said(ext: dict[str, object]) -> None:
    """DWP-1: unknown keys are ignored, a bad ``at`` means receipt time."""
    request = read(frame(ext))
    assert request.frame is not None
    said = request.frame.ext
    assert (said.at, said.srv, said.pid, said.sid, said.own, said.trust) == (0, 0, 0, 0, "", False)
    assert not said.anc


def test_what_the_protocol_cannot_carry_becomes_no_frame() -> None:
    """DEV-2: too long, or no text; the hook then stamps itself."""
    assert wire.event("%1", "a" * 4097, "k", "", {}) is None
    assert wire.event("%1", "a", "k", "x" * (wire.MAX_PAYLOAD + 1), {}) is None
    assert wire.event("%1", "a", "k", "\udc80", {}) is None
    assert wire.event("%1", "a", "k", "", {"anc": [[n, "x" * 60] for n in range(1, 100)]}) is None


def test_a_document_says_its_length_first() -> None:
    """DWP-1."""
    assert wire.document(wire.DOCUMENT, "é") == b"\x13\x02\0\0\0\xc3\xa9"
