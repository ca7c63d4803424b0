"""What travels over the daemon's socket: one request per connection, read at any split (DWP-1 to DWP-6).

A request is four bytes that name it; an event adds five fields of a length and so many bytes: pane,
agent, kind, payload, ext. Lengths are little-endian and are judged before any memory is taken. No
field carries a state, and a new ability is a new name, never a new field.
"""

from tma.core import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

EVENT, SUBSCRIBE, HISTORY, PING, INFO = b"TMAE", b"TMAS", b"TMAH", b"TMAP", b"TMAI"
REQUESTS = (EVENT, SUBSCRIBE, HISTORY, PING, INFO)

ACK, NAK = b"\x06", b"\x15"
SUBSCRIBED, WAKE, DOCUMENT, PONG, INFORMED = b"\x11", b"\x12", b"\x13", b"\x14", b"\x16"

MAX_FIELD = 4096
MAX_PAYLOAD = 1 << 20
_MAGIC = 4
_LENGTH = 4
_LIMITS = (MAX_FIELD, MAX_FIELD, MAX_FIELD, MAX_PAYLOAD, MAX_FIELD)


class Ext:
    """What an event says beside itself; whatever is missing or of another form is its default.

    ``at`` is the instant in epoch ms, 0 for none; ``srv`` the server's pid that ``TMUX`` named;
    ``pid`` the hook's parent; ``anc`` its ancestors, None where it did not read them; ``sid`` its
    session; ``own`` the process that a plugin runs in, as text; ``trust`` whether it vouches for its pane.
    """

    __slots__ = ("anc", "at", "own", "pid", "sid", "srv", "trust")

    def __init__(self) -> None:
        """Start with nothing said."""
        self.at = 0
        self.srv = 0
        self.pid = 0
        self.sid = 0
        self.own = ""
        self.trust = False
        self.anc: list[tuple[int, str]] | None = None


class Frame:
    """One event as it was sent."""

    __slots__ = ("agent", "ext", "kind", "pane", "payload")

    def __init__(self, pane: str, agent: str, kind: str, payload: str, ext: Ext) -> None:  # in wire order
        """Keep the five fields."""
        self.pane = pane
        self.agent = agent
        self.kind = kind
        self.payload = payload
        self.ext = ext


class Request:
    """The one request of a connection, taken in piece by piece.

    ``name`` is set once the first four bytes are there, ``frame`` for a whole event. ``done`` says
    that the request is whole or cannot become one any more, which leaves ``broken`` true.
    """

    __slots__ = ("_fields", "_is_length", "_part", "_wanted", "broken", "done", "frame", "name")

    def __init__(self) -> None:
        """Start before the first byte."""
        self.name = b""
        self.frame: Frame | None = None
        self.done = False
        self.broken = False
        self._part = bytearray()
        self._wanted = _MAGIC
        self._is_length = False
        self._fields: list[bytes] = []

    def feed(self, data: bytes) -> bool:
        """Take bytes in; whether the request is done. What follows one request is ignored (DWP-2)."""
        rest = memoryview(data)
        while rest and not self.done:
            taken = rest[: self._wanted - len(self._part)]
            self._part += taken
            rest = rest[len(taken) :]
            if not self.name:
                self._look_at_name()
            while self._is_full():
                self._step()
        return self.done

    def close(self) -> None:
        """The connection ended: a request that is not whole stays broken."""
        if not self.done:
            self._refuse()

    def _is_full(self) -> bool:
        return not self.done and len(self._part) == self._wanted

    def _look_at_name(self) -> None:
        """Refuse at the first byte that fits no name."""
        if not any(name.startswith(bytes(self._part)) for name in REQUESTS):
            self._refuse()

    def _step(self) -> None:
        part, self._part = bytes(self._part), bytearray()
        if not self.name:
            self.name = part
            self.done = part != EVENT
            self._expect_length()
        elif self._is_length:
            size = int.from_bytes(part, "little")
            if size > _LIMITS[len(self._fields)]:
                self._refuse()
            self._is_length, self._wanted = False, size
        else:
            self._fields.append(part)
            self._expect_length()
            if len(self._fields) == len(_LIMITS):
                self._finish()

    def _expect_length(self) -> None:
        self._is_length, self._wanted = True, _LENGTH

    def _finish(self) -> None:
        try:
            pane, agent, kind, payload, ext = (field.decode() for field in self._fields)
            self.frame = Frame(pane, agent, kind, payload, parse_ext(ext))
        except ValueError:
            self.broken = True
        self.done = True
        self._fields = []

    def _refuse(self) -> None:
        self.done = self.broken = True
        self._part = bytearray()
        self._fields = []


def event(pane: str, agent: str, kind: str, payload: str, ext: "dict[str, Any]") -> bytes | None:  # in wire order
    """An event's bytes; None for one that the protocol cannot carry."""
    texts = (pane, agent, kind, payload, jsontext.compact(ext))
    parts = [EVENT]
    for text, limit in zip(texts, _LIMITS, strict=True):
        try:
            field = text.encode()
        except UnicodeEncodeError:
            return None
        if len(field) > limit:
            return None
        parts += [len(field).to_bytes(_LENGTH, "little"), field]
    return b"".join(parts)


def document(name: bytes, text: str) -> bytes:
    """An answer that carries a text."""
    body = text.encode("utf-8", "replace")
    return name + len(body).to_bytes(_LENGTH, "little") + body


def parse_ext(text: str) -> Ext:
    """The ext field.

    Raises:
        ValueError: it is no JSON object.
    """
    plain = jsontext.parse(text)
    if not isinstance(plain, dict):
        message = "ext is no object"
        raise ValueError(message)  # noqa: TRY004  # for the reader it is one kind of bad text
    ext = Ext()
    for name in ("at", "srv", "pid", "sid"):
        setattr(ext, name, _whole(plain.get(name)))
    own = plain.get("own")
    ext.own = own if isinstance(own, str) else ""
    ext.trust = plain.get("trust") is True
    above = plain.get("anc")
    if isinstance(above, list):
        ext.anc = [pair for item in above if (pair := _ancestor(item))]
    return ext


def _whole(value: object) -> int:
    """A number that fits an instant or a pid, else 0."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 53:
        return value
    return 0


def _ancestor(item: object) -> tuple[int, str] | None:
    if isinstance(item, list) and len(item) == 2 and _whole(item[0]) and isinstance(item[1], str):  # noqa: PLR2004
        return item[0], item[1]
    return None
