"""The scripted model as a proxy, for agents that ask theirs for loopback too."""

import json
import socket

import pytest

from model.server import Model

BODY = json.dumps({"messages": [{"role": "user", "content": "{say hello}"}], "tools": []})
POST = f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(BODY)}\r\n\r\n{BODY}"


@pytest.fixture
def model() -> object:
    """A running server."""
    with Model().running() as running:
        yield running


def asked(model: Model, place: str, then: str = "") -> tuple[bytes, bytes]:
    """The status lines of a tunnel to a place, and of a request through it."""
    with socket.create_connection(("127.0.0.1", model.port), timeout=5) as talk, talk.makefile("rb") as answers:
        talk.sendall(f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\nConnection: close\r\n\r\n".encode())
        tunnel = answers.readline()
        while answers.readline().strip():
            pass
        talk.sendall(then.encode())
        return tunnel, answers.readline()


def test_a_tunnel_to_itself_leads_here(model: Model) -> None:
    """The agent speaks through it as if it had connected."""
    tunnel, answer = asked(model, f"127.0.0.1:{model.port}", POST)

    assert b" 200 " in tunnel
    assert b" 200 " in answer


def test_no_tunnel_leads_anywhere_else(model: Model) -> None:
    """Nothing of an agent's reaches the network."""
    tunnel, answer = asked(model, "example.org:443")

    assert b" 403 " in tunnel
    assert answer == b""


@pytest.mark.parametrize(("wrong", "told"), [(ConnectionResetError, False), (ValueError, True)])
def test_a_dropped_connection_is_no_fault_of_the_model(
    model: Model, capsys: pytest.CaptureFixture[str], wrong: type[Exception], *, told: bool
) -> None:
    """An agent that is killed drops it; whatever else goes wrong is told."""

    def fail() -> None:
        raise wrong

    try:
        fail()
    except wrong:
        model._server.handle_error(None, ("127.0.0.1", 1))
    assert bool(capsys.readouterr().err) is told
