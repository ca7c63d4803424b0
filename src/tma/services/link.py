"""The daemon as everybody else sees it: whether it lives, its history, its numbers, its wakes (DST-4, DSU-2, DHI-2).

For a report: ``standing`` says alive, wedged or absent; ``keeper.Keeper(runtime).record()`` says which
process and version; ``info`` gives the numbers; ``path_of`` is where it listens.
"""

from tma.adapters import files, sock, system
from tma.adapters.tmux.client import socket_path
from tma.core import jsontext, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.services.runtime import Runtime

PING_S = 0.5
ANSWER_S = 2.0
MAX_DOCUMENT = 1 << 20

ALIVE, WEDGED, ABSENT = "alive", "wedged", "absent"


def likely_server(runtime: "Runtime") -> str:
    """The text of the server's socket path as options and environment give it; the server's own may differ (DID-1)."""
    env = system.environment()
    return socket_path(runtime.server.selector, system.uid(), lambda name: env.get(name, ""))


def path_of(server: str) -> str:
    """Where the daemon of a server listens; ``server`` is the text of ``#{socket_path}``."""
    return files.daemon_file(system.environment(), server, "sock")


def ping(path: str) -> bool | None:
    """Whether a daemon answers in time; None where nothing listens."""
    connection = sock.connect(path, PING_S)
    if connection is None:
        return None
    try:
        return connection.send(wire.PING) and connection.read(1) == wire.PONG
    finally:
        connection.close()


def standing(server: str) -> str:
    """``alive``, ``wedged`` (something listens and does not answer) or ``absent`` (DST-4)."""
    answered = ping(path_of(server))
    return ABSENT if answered is None else ALIVE if answered else WEDGED


def history(server: str) -> str | None:
    """The transitions as the daemon's document, None where none answers."""
    return _document(server, wire.HISTORY, wire.DOCUMENT)


def info(server: str) -> dict[str, str] | None:
    """The daemon's numbers by name, None where none answers or it is too old to."""
    text = _document(server, wire.INFO, wire.INFORMED)
    try:
        plain = jsontext.parse(text) if text else None
    except ValueError:
        return None
    return {str(key): str(value) for key, value in plain.items()} if isinstance(plain, dict) else None


def _document(server: str, request: bytes, answer: bytes) -> str | None:
    connection = sock.connect(path_of(server), ANSWER_S)
    if connection is None:
        return None
    try:
        if not connection.send(request) or connection.read(1) != answer:
            return None
        size = int.from_bytes(connection.read(4), "little")
        body = connection.read(size) if 0 < size <= MAX_DOCUMENT else b""
        return body.decode("utf-8", "replace") if len(body) == size else None
    finally:
        connection.close()


class Subscription:
    """A daemon's wakes: ``fd`` is readable when one came, or the daemon is gone."""

    def __init__(self, connection: sock.Connection) -> None:
        """Own a connection that was accepted as a subscriber's."""
        self._connection = connection
        self.fd = connection.fd

    def drain(self) -> bool:
        """Take in the wakes that came; whether the daemon is still there."""
        return self._connection.drain()

    def close(self) -> None:
        """Listen no more."""
        self._connection.close()


def subscribe(server: str) -> Subscription | None:
    """A subscription to wakes, None where no daemon takes one (DSU-1)."""
    connection = sock.connect(path_of(server), PING_S)
    if connection is None:
        return None
    if connection.send(wire.SUBSCRIBE) and connection.read(1) == wire.SUBSCRIBED:
        return Subscription(connection)
    connection.close()
    return None
