"""What a control client prints, and what its output says about panes; time is given in milliseconds.

Nothing here knows what a pane shows: output only says that a pane is busy (DCC-9 to DCC-14, DED-1).
"""

MAX_LINE = 256 << 10
"""Bytes of a line that are looked at (DCC-12)."""

FLOOD_BYTES = 256 << 10
FLOOD_MS = 1000
"""So much output of one pane in so short a time is a flood (DCC-14)."""

MAX_EDGES = 1024
"""Edges that wait (DED-1)."""

_OUTPUT = (b"%output", b"%extended-output")
_BLOCK_ENDS = (b"%end", b"%error")
_DIGITS = b"0123456789"


class Notice:
    """One notification: its name, its words, and for output the pane and the length of the line."""

    __slots__ = ("name", "pane", "size", "words")

    def __init__(self, name: str, words: list[str], *, pane: str = "", size: int = 0) -> None:
        """Keep the parts."""
        self.name = name
        self.words = words
        self.pane = pane
        self.size = size


class Lines:
    """The notifications in a client's output, whatever pieces it arrives in (DCC-9, DCC-12)."""

    __slots__ = ("_in_block", "_part", "_skipped")

    def __init__(self) -> None:
        """Start before the first byte."""
        self._part = bytearray()
        self._skipped = 0
        self._in_block = False

    def feed(self, data: bytes) -> list[Notice]:
        """Take bytes in; the notifications that are whole now."""
        found: list[Notice] = []
        *ends, rest = data.split(b"\n")
        for piece in ends:
            self._keep(piece)
            size = len(self._part) + self._skipped
            line = bytes(self._part).rstrip(b"\r")
            self._part.clear()
            self._skipped = 0
            notice = self._line(line, size)
            if notice is not None:
                found.append(notice)
        self._keep(rest)
        return found

    def _keep(self, piece: bytes) -> None:
        """Keep what a line needs: its beginning; the rest is counted."""
        room = max(0, MAX_LINE - len(self._part))
        self._part += piece[:room]
        self._skipped += max(0, len(piece) - room)

    def _line(self, line: bytes, size: int) -> Notice | None:
        name = line[:64].partition(b" ")[0]
        if self._in_block:
            self._in_block = name not in _BLOCK_ENDS
            return None
        if name == b"%begin":
            self._in_block = True
            return None
        return _notice(name, line, size)


def _notice(name: bytes, line: bytes, size: int) -> Notice | None:
    if name[:1] != b"%" or not name[1:].replace(b"-", b"").isalpha():
        return None
    if name in _OUTPUT:
        pane = line[len(name) + 1 : len(name) + 21].partition(b" ")[0]
        return Notice("output", [], pane=pane.decode(), size=size) if _is_pane(pane) else None
    return Notice(name[1:].decode(), line[:1024].decode("utf-8", "replace").split(" ")[1:], size=size)


def _is_pane(word: bytes) -> bool:
    return word[:1] == b"%" and len(word) > 1 and not word[1:].strip(_DIGITS)


def unescaped(payload: bytes) -> str:
    """The text of an output line, for those who must show it: a backslash and three digits are a byte (DCC-11)."""
    first, *pieces = payload.split(b"\\")
    whole = bytearray(first)
    for piece in pieces:
        octal = piece[:3]
        if len(octal) == 3 and not octal.strip(b"01234567") and octal[:1] in b"0123":  # noqa: PLR2004
            whole.append(int(octal, 8))
            whole += piece[3:]
        else:
            whole += b"\\" + piece
    return whole.decode("utf-8", "replace")


class Activity:
    """Which panes print, and which have fallen silent: one edge for each, after ``quiet_ms`` (DED-1).

    A pane that prints too fast is paused: ``orders`` then holds ``(pane, "pause")``, and
    ``quiet_ms`` later ``(pane, "continue")``; whether it prints on decides whether it is still busy.
    """

    __slots__ = ("_busy", "_flow", "_paused", "dropped", "edges", "orders", "quiet_ms")

    def __init__(self, quiet_ms: int) -> None:
        """Start with every pane silent."""
        self.quiet_ms = quiet_ms
        self.edges: dict[str, None] = {}
        self.orders: list[tuple[str, str]] = []
        self.dropped = 0
        self._busy: dict[str, int] = {}
        self._flow: dict[str, tuple[int, int]] = {}
        self._paused: dict[str, int] = {}

    @property
    def busy(self) -> int:
        """How many panes print or owe a look."""
        return len(self._busy) + len(self.edges)

    def output(self, pane: str, size: int, now: int) -> None:
        """A pane printed ``size`` bytes, or counts as if it had."""
        self._busy[pane] = now
        self.edges.pop(pane, None)
        if pane in self._paused:
            return
        began, amount = self._flow.get(pane, (now, 0))
        if now - began >= FLOOD_MS:
            began, amount = now, 0
        self._flow[pane] = (began, amount + size)
        if amount + size > FLOOD_BYTES:
            del self._flow[pane]
            self._paused[pane] = now
            self.orders.append((pane, "pause"))

    def due(self) -> int | None:
        """When ``advance`` has something to do, None for never."""
        times = [at + self.quiet_ms for pane, at in self._busy.items() if pane not in self._paused]
        times += [at + self.quiet_ms for at in self._paused.values()]
        return min(times, default=None)

    def advance(self, now: int) -> None:
        """Let panes that were silent for long enough become edges, and paused ones print again."""
        for pane, at in list(self._paused.items()):
            if now - at >= self.quiet_ms:
                del self._paused[pane]
                self._busy[pane] = now
                # The next output of a pane that floods on is over the limit at once.
                self._flow[pane] = (now, FLOOD_BYTES)
                self.orders.append((pane, "continue"))
        for pane, at in list(self._busy.items()):
            if pane not in self._paused and now - at >= self.quiet_ms:
                self._forget(pane)
                self._wait(pane)

    def take(self) -> list[str]:
        """The edges that wait; they are the caller's now."""
        taken = list(self.edges)
        self.edges.clear()
        return taken

    def again(self, panes: "list[str]", now: int) -> None:
        """Edges that could not be judged wait anew, after another silence."""
        for pane in panes:
            self._busy[pane] = now

    def collapse(self, now: int) -> None:
        """Time stood still: whatever was busy is one edge now (DEL-5)."""
        for pane in list(self._busy):
            if pane not in self._paused:
                self._busy[pane] = now - self.quiet_ms
        self.advance(now)

    def keep(self, panes: "frozenset[str]") -> None:
        """Forget panes that are no more."""
        tables: tuple[dict[str, object], ...] = (self._busy, self._flow, self._paused, self.edges)  # type: ignore[assignment]
        for table in tables:
            for pane in [pane for pane in table if pane not in panes]:
                del table[pane]

    def _forget(self, pane: str) -> None:
        del self._busy[pane]
        self._flow.pop(pane, None)

    def _wait(self, pane: str) -> None:
        if len(self.edges) >= MAX_EDGES:
            self.edges.pop(next(iter(self.edges)))
            self.dropped += 1
        self.edges[pane] = None
