"""A web server of one test on this machine: it keeps what it is asked and answers as it is told."""

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ntrue"


class Web:
    """A server that keeps each request and answers as it is told; an answer of None is none."""

    def __init__(self, answer: bytes | None) -> None:
        self.requests: list[bytes] = []
        self.answer = answer
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self) -> None:
        with ExitStack() as kept, suppress(OSError):
            while True:
                talk, _ = self.socket.accept()
                kept.enter_context(talk)
                with suppress(OSError, ValueError):
                    self._answer(talk)

    def _answer(self, talk: socket.socket) -> None:
        data = b""
        while b"\r\n\r\n" not in data or len(data.partition(b"\r\n\r\n")[2]) < _length(data):
            more = talk.recv(65536)
            if not more:
                return
            data += more
        self.requests.append(data)
        if self.answer is not None:
            talk.sendall(self.answer)
            talk.close()

    def close(self) -> None:
        """End the server with every connection."""
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.thread.join(5)


def _length(data: bytes) -> int:
    return int(data.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)


@contextmanager
def web(answer: bytes | None = OK) -> Iterator[Web]:
    """A server for the block."""
    made = Web(answer)
    try:
        yield made
    finally:
        made.close()
