"""The HTTP side: requests in four protocols, answers as they stream, and a log of when what happened."""

import gzip
import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from model import anthropic, chat, gemini, responses
from model.script import OK, Answer, answer

PROTOCOLS = {
    "/messages": anthropic,
    "/responses": responses,
    "/chat/completions": chat,
    "enerateContent": gemini,
}


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401
        """Tell what went wrong, but for an agent that was killed and dropped its connection."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


@dataclass(frozen=True)
class Event:
    """One thing that happened: ``request``, ``text``, ``tool``, ``search`` or ``error`` (answers), or ``gone``."""

    at_ms: int
    kind: str
    script: str
    results: int


class Model:
    """A running server, and what happened at it; only requests that offer tools are logged."""

    def __init__(self) -> None:
        """Nothing has happened."""
        self.events: list[Event] = []
        self.stray: list[str] = []
        self._server = _Server(("127.0.0.1", 0), _handler(self))

    @property
    def port(self) -> int:
        """Where it listens on loopback."""
        return int(self._server.server_address[1])

    def note(self, kind: str, script: tuple[str, str], results: int) -> None:
        """Log an event with the wall clock, which the stamps use too."""
        self.events.append(Event(time.time_ns() // 1_000_000, kind, " ".join(script).strip(), results))

    def since(self, mark: int, kind: str) -> Event | None:
        """The first event of a kind behind the first ``mark`` events; ``answer`` is any that ends one."""
        kinds = ("text", "tool", "error") if kind == "answer" else (kind,)
        return next((event for event in self.events[mark:] if event.kind in kinds), None)

    @contextmanager
    def running(self) -> Iterator["Model"]:
        """Serve in a thread."""
        thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()


def _handler(model: Model) -> type[BaseHTTPRequestHandler]:
    """A request handler of one server."""

    class Handler(_Handler):
        log = model

    return Handler


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    log: Model

    def log_message(self, *_: object) -> None:
        """Say nothing on standard error."""

    def do_HEAD(self) -> None:
        """Whether somebody is there."""
        self._json({})

    def do_GET(self) -> None:
        """The list of models is all that is asked for."""
        self._json({"object": "list", "data": [{"id": "bench-model", "object": "model"}], "models": []})

    def do_CONNECT(self) -> None:
        """A tunnel for an agent that asks its proxy for loopback too; it leads here and nowhere else."""
        own = f"127.0.0.1:{self.server.server_address[1]}"
        self.send_response(200 if self.path == own else 403)
        self.end_headers()
        self.close_connection = self.path != own

    def do_POST(self) -> None:
        """A request for an answer, for a count of tokens, or for nothing we know."""
        body = json.loads(self._body() or b"{}")
        path = self.path.partition("?")[0]
        if path.endswith(("/count_tokens", ":countTokens")):
            return self._json({"input_tokens": 1000, "totalTokens": 1000})
        protocol = next((known for end, known in PROTOCOLS.items() if path.endswith(end) or end in path), None)
        if protocol is None:
            self.log.stray.append(path)
            return self._json({})
        return self._answer(protocol, body, "stream" in path or bool(body.get("stream")))

    def _answer(self, protocol: Any, body: dict[str, Any], streams: bool) -> None:  # noqa: ANN401, FBT001
        request = protocol.read(body)
        given = answer(request)
        note = self.log.note if request.tools else _ignored
        note("request", request.script, request.results)
        try:
            if given.status != OK:
                self._json(protocol.failure(given), given.status)
            elif streams:
                self._stream(protocol, body, given)
            else:
                self._json(protocol.whole(body, given))
        except OSError:
            self.close_connection = True
            return note("gone", request.script, request.results)
        return note(given.kind, request.script, request.results)

    def _stream(self, protocol: Any, body: dict[str, Any], given: Answer) -> None:  # noqa: ANN401
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for pause, name, data in protocol.stream(body, given):
            time.sleep(pause)
            head = f"event: {name}\n" if name else ""
            text = data if isinstance(data, str) else json.dumps(data)
            self.wfile.write(f"{head}data: {text}\n\n".encode())
            self.wfile.flush()

    def _json(self, document: dict[str, Any], status: int = 200) -> None:
        data = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _body(self) -> bytes:
        raw = self._chunks() if "chunked" in self.headers.get("transfer-encoding", "") else self._sized()
        return gzip.decompress(raw) if self.headers.get("content-encoding") == "gzip" else raw

    def _sized(self) -> bytes:
        return self.rfile.read(int(self.headers.get("content-length") or 0))

    def _chunks(self) -> bytes:
        parts = []
        while size := int(self.rfile.readline().strip() or b"0", 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)


def _ignored(*_: object) -> None:
    """A request for a title or the like is no part of a turn."""
