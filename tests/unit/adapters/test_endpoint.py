"""HTTP by hand: the request's lines, the answer's status, and where a name may lead."""

import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tma.adapters import endpoint
from tma.core.endpoint import Endpoint, parse

HERE = Endpoint("http", "127.0.0.1", 4096, "/base/")


def test_the_head_is_fixed() -> None:
    """ACT-API-1, ACT-API-4: no cookie, no agent, and the connection ends with it."""
    assert endpoint.head(HERE, "/permission/per_1/reply", '{"reply":"once"}').split("\r\n") == [
        "POST /base/permission/per_1/reply HTTP/1.1",
        "Host: 127.0.0.1:4096",
        "Content-Type: application/json",
        "Content-Length: 16",
        "Connection: close",
        "",
        "",
    ]


@given(st.text(max_size=30), st.text(max_size=30))
def test_no_line_can_be_ended_early(host: str, path: str) -> None:
    """FZ-15: no CR, LF or space in a request line, or no request at all."""
    try:
        head = endpoint.head(Endpoint("http", host, 1, ""), path, "")
    except ValueError:
        return
    assert len(head.split("\r\n")) == 7
    assert head.split("\r\n")[0].count(" ") == 2


@pytest.mark.parametrize(
    ("answer", "status"), [(b"HTTP/1.1 200 OK\r\n", 200), (b"HTTP/1.0 404\n", 404), (b"HTTP/1.1 204", 204)]
)
def test_a_status_is_read(answer: bytes, status: int) -> None:
    """ACT-API-5."""
    assert endpoint.status_of(answer) == status


@pytest.mark.parametrize("answer", [b"HTTP/1.1 2000 OK\r\n", b"HTTP/1.1 200OK\r\n", b"HTTP/1.1  200\r\n"])
def test_another_number_is_no_status(answer: bytes) -> None:
    """ACT-API-5: what only begins like a success is none."""
    with pytest.raises(ValueError, match="no HTTP status"):
        endpoint.status_of(answer)


@given(st.binary(max_size=60))
def test_anything_else_has_no_status(answer: bytes) -> None:
    """FZ-15: a number of three digits or an error, never more."""
    try:
        status = endpoint.status_of(answer)
    except ValueError:
        return
    assert 0 <= status <= 999


@pytest.mark.parametrize(
    ("url", "answers", "fits"),
    [
        ("http://localhost:1", ["127.0.0.1", "::1"], True),
        ("http://localhost:1", ["127.0.0.1", "10.0.0.1"], False),
        ("http://localhost:1", ["192.168.0.1"], False),
        ("http://box:1", ["10.0.0.1"], True),
    ],
)
def test_localhost_may_only_be_here(monkeypatch: pytest.MonkeyPatch, url: str, answers: list[str], fits: bool) -> None:  # noqa: FBT001
    """ACT-API-3: every resolved address is judged; another host was allowed by the configuration."""
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 1)) for address in answers]
    monkeypatch.setattr(endpoint.socket, "getaddrinfo", lambda *_args, **_named: found)
    address = parse(url)
    assert address is not None
    if fits:
        assert [place for _, place in endpoint.resolve(address)] == answers
    else:
        with pytest.raises(endpoint.AddressRefusedError):
            endpoint.resolve(address)


def test_giving_up_is_obeyed_while_nobody_answers() -> None:
    """ACT-SEQ-4: a signal ends a call that waits."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        calls = []

        def check() -> None:
            calls.append(1)
            if len(calls) > 5:
                raise KeyboardInterrupt

        address = Endpoint("http", "127.0.0.1", silent.getsockname()[1], "")
        with pytest.raises(KeyboardInterrupt):
            endpoint.post(address, "/x", "", timeout_s=60, check=check)
