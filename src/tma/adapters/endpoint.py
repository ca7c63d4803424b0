"""One HTTP/1.1 POST to an agent's interface: the only network connection that acting makes (SEC-B-2, ACT-API-4).

No proxy, no redirect, no cookie, no second try. Addresses are checked after the name is resolved, and
the connection goes to a checked one.
"""

import ipaddress
import select
import socket
import ssl
import time

from tma.core.errors import TmaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tma.core.endpoint import Endpoint

LIMIT = 16 << 10
"""Bytes of an answer that are read."""

_SLICE_S = 0.025
_STATUS_DIGITS = 3


class CallFailedError(TmaError):
    """The interface did not answer in time, or not in HTTP."""


class AddressRefusedError(TmaError):
    """The name leads off this machine, which nobody allowed (ACT-API-3)."""


def post(address: "Endpoint", path: str, body: str, *, timeout_s: float, check: "Callable[[], None]") -> int:
    """Send a body and give the status; ``check`` is called often and may raise to give up.

    ``address`` is trusted to lead elsewhere only if its host is no name of this machine.

    Raises:
        AddressRefusedError: ``localhost`` leads off this machine.
        CallFailedError: no connection, no status, or no time left.
    """
    deadline = time.monotonic() + timeout_s
    request = head(address, path, body).encode("ascii") + body.encode()
    try:
        with _connected(address, deadline, check) as talk:
            _send(talk, request, deadline, check)
            return status_of(_answer(talk, deadline, check))
    except (OSError, ValueError) as error:
        message = f"the agent's interface: {getattr(error, 'strerror', None) or error}"
        raise CallFailedError(message) from None


def head(address: "Endpoint", path: str, body: str) -> str:
    """The request line and headers; ValueError for anything that could end a line early (FZ-15)."""
    target = address.prefix.rstrip("/") + path
    if any(not "!" <= char <= "~" for char in target + address.host):
        message = "not a request path"
        raise ValueError(message)
    lines = [
        f"POST {target} HTTP/1.1",
        f"Host: {address.host}:{address.port}",
        "Content-Type: application/json",
        f"Content-Length: {len(body.encode())}",
        "Connection: close",
    ]
    return "".join(f"{line}\r\n" for line in [*lines, ""])


def status_of(answer: bytes) -> int:
    """The status of an answer's first line; ValueError where there is none."""
    line, _, _ = answer.partition(b"\n")
    version, _, rest = line.rstrip(b"\r").partition(b" ")
    digits, _, _ = rest.partition(b" ")
    if not version.startswith(b"HTTP/1.") or len(digits) != _STATUS_DIGITS or not digits.isdigit():
        message = "no HTTP status in the answer"
        raise ValueError(message)
    return int(digits)


def resolve(address: "Endpoint") -> list[tuple[int, str]]:
    """Family and address of each place that the host may be; ``localhost`` may only be this machine.

    Raises:
        AddressRefusedError: one of them is elsewhere.
        OSError: the name is not known.
    """
    host = address.host.strip("[]")
    found = socket.getaddrinfo(host, address.port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    places = [(int(family), str(where[0])) for family, _, _, _, where in found]
    if address.is_loopback and not all(
        ipaddress.ip_address(place.partition("%")[0]).is_loopback for _, place in places
    ):
        message = f"{host} does not lead to this machine alone"
        raise AddressRefusedError(message)
    return places


def _connected(address: "Endpoint", deadline: float, check: "Callable[[], None]") -> socket.socket:
    """A connection to the first place that takes it."""
    last: OSError | None = None
    for family, place in resolve(address):
        talk = socket.socket(family, socket.SOCK_STREAM)
        try:
            talk.settimeout(0)
            _connect(talk, (place, address.port), deadline, check)
            return _secured(talk, address, deadline, check) if address.scheme == "https" else talk
        except OSError as error:
            last = error
            talk.close()
        except BaseException:
            talk.close()
            raise
    raise last or OSError(f"{address.host} has no address")


def _connect(talk: socket.socket, place: tuple[str, int], deadline: float, check: "Callable[[], None]") -> None:
    try:
        talk.connect(place)
    except BlockingIOError:
        _await(talk, deadline, check, write=True)
        code = talk.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if code:
            import os

            raise OSError(code, os.strerror(code)) from None


def _secured(talk: socket.socket, address: "Endpoint", deadline: float, check: "Callable[[], None]") -> socket.socket:
    context = ssl.create_default_context()
    name = address.host.strip("[]")
    secured = context.wrap_socket(talk, server_hostname=name, do_handshake_on_connect=False)
    while True:
        try:
            secured.do_handshake()
        except ssl.SSLWantReadError:
            _await(secured, deadline, check)
        except ssl.SSLWantWriteError:
            _await(secured, deadline, check, write=True)
        else:
            return secured


def _send(talk: socket.socket, data: bytes, deadline: float, check: "Callable[[], None]") -> None:
    while data:
        _await(talk, deadline, check, write=True)
        try:
            data = data[talk.send(data) :]
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            continue


def _answer(talk: socket.socket, deadline: float, check: "Callable[[], None]") -> bytes:
    """The answer up to the end of its head, its end, or the limit."""
    answer = b""
    while len(answer) < LIMIT and b"\r\n\r\n" not in answer:
        try:
            piece = talk.recv(LIMIT - len(answer))
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            _await(talk, deadline, check)
            continue
        if not piece:
            break
        answer += piece
    return answer


def _await(talk: socket.socket, deadline: float, check: "Callable[[], None]", *, write: bool = False) -> None:
    while True:
        check()
        left = deadline - time.monotonic()
        if left <= 0:
            message = "timed out"
            raise TimeoutError(message)
        readers, writers = ([], [talk]) if write else ([talk], [])
        if any(select.select(readers, writers, [], min(left, _SLICE_S))):
            return
