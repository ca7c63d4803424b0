"""A web server of one test on this machine: it keeps what it is asked and answers as it is told."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

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
        kept = []
        while True:
            try:
                talk, _ = self.socket.accept()
            except OSError:
                return
            data = talk.recv(65536)
            while b"\r\n\r\n" not in data:
                data += talk.recv(65536)
            length = int(data.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
            while len(data.partition(b"\r\n\r\n")[2]) < length:
                data += talk.recv(65536)
            self.requests.append(data)
            if self.answer is None:
                kept.append(talk)
            else:
                with suppress(OSError):
                    talk.sendall(self.answer)
                talk.close()


@contextmanager
def web(answer: bytes | None = OK) -> Iterator[Web]:
    """A server for the block."""
    made = Web(answer)
    try:
        yield made
    finally:
        made.socket.close()
