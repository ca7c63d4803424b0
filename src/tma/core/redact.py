"""Captured screens made fit to share: private text becomes placeholders of the same width (DBG-3).

1. Private are matches of the given patterns, paths and mail addresses, tried on each line without
   its escapes. Where they overlap they are one piece, named after the first of these.
2. A placeholder is never looked into again, and nothing is matched across one.
3. A piece too narrow for its placeholder becomes a row of ``x``.
4. A line is redacted until nothing in it is private, so that doing it again changes nothing.
5. Escape sequences stay around a piece; those that carry text of their own, such as links and
   titles, are dropped: no detector reads them.
"""

import re
from bisect import bisect_left, bisect_right
from itertools import accumulate

from tma.core.screen import units, width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    Search: TypeAlias = tuple[int, re.Pattern[str]]
    Span: TypeAlias = tuple[int, int, int]

KINDS = ("redacted", "path", "email")

_EDGE = "\\s\"'`│┃"
PATH = re.compile(rf"(?:(?<![^{_EDGE}(\[{{<=,;|@])|(?<=:)(?!//))(?:/(?=[^{_EDGE}])|~/)[^{_EDGE}]*")
EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]++(?:\.[\w-]++)+")

_PLACEHOLDER = re.compile(rf"\[(?:{'|'.join(KINDS)})x*\]")
_ESCAPE = re.compile(r"\x1b(?:\[[^@-~]*(?:[@-~]|$)|\](?:[^\x07\x1b]|\x1b(?!\\))*+(?:\x07|\x1b\\|$)|.|$)", re.DOTALL)
_SPEAKING = "\x1b]"
_STANDING = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)), ".")
"""Control characters take no cells, and are still no part of the character before them."""


def redact(text: str, patterns: "Sequence[re.Pattern[str]]" = ()) -> str:
    """The text with everything private replaced, line by line; every line keeps its width."""
    searches = [*((0, pattern) for pattern in patterns), (1, PATH), (2, EMAIL)]
    return "\n".join(_redacted(line, searches) for line in text.split("\n"))


def _redacted(line: str, searches: "list[Search]") -> str:
    chars, before = _apart(line)
    while True:
        plain = "".join(chars)
        pieces = [(start, end, _placeholder(kind, plain[start:end])) for start, end, kind in _spans(plain, searches)]
        changes = [piece for piece in pieces if piece[2] != plain[piece[0] : piece[1]]]
        if not changes:
            return "".join(escapes + char for escapes, char in zip(before, [*chars, ""], strict=True))
        for start, end, new in reversed(changes):
            chars[start:end] = new
            inside = "".join(before[start + 1 : end + 1])
            before[start : end + 1] = (
                [before[start], *[""] * (len(new) - 1), inside] if new else [before[start] + inside]
            )


def _apart(line: str) -> tuple[list[str], list[str]]:
    """The characters of a line, and the escape sequences before each and behind the last."""
    chars: list[str] = []
    before = [""]
    at = 0
    for match in _ESCAPE.finditer(line):
        chars += line[at : match.start()]
        before += [""] * (match.start() - at)
        if not match.group().startswith(_SPEAKING):
            before[-1] += match.group()
        at = match.end()
    chars += line[at:]
    before += [""] * (len(line) - at)
    return chars, before


def _spans(plain: str, searches: "list[Search]") -> "list[Span]":
    """What is private between placeholders: start, end, kind; whole cells, in order, never overlapping."""
    edges = [0, *accumulate(len(unit) for unit, _ in units(plain.translate(_STANDING)))]
    found: list[Span] = []
    for low, high in _gaps(plain):
        spans = [
            (low + match.start(), low + match.end(), kind)
            for kind, pattern in searches
            for match in pattern.finditer(plain[low:high])
            if match.group()
        ]
        whole = sorted((_edge_before(edges, start), _edge_behind(edges, end), kind) for start, end, kind in spans)
        found += _merged((max(low, start), min(high, end), kind) for start, end, kind in whole)
    return found


def _edge_before(edges: list[int], at: int) -> int:
    return edges[bisect_right(edges, at) - 1]


def _edge_behind(edges: list[int], at: int) -> int:
    return edges[bisect_left(edges, at)]


def _gaps(plain: str) -> "Iterator[tuple[int, int]]":
    """The stretches outside placeholders."""
    at = 0
    for match in _PLACEHOLDER.finditer(plain):
        yield at, match.start()
        at = match.end()
    yield at, len(plain)


def _merged(spans: "Iterable[Span]") -> "list[Span]":
    merged: list[Span] = []
    for start, end, kind in spans:
        if merged and start < merged[-1][1]:
            first, last, before = merged[-1]
            merged[-1] = (first, max(last, end), min(before, kind))
        else:
            merged.append((start, end, kind))
    return merged


def _placeholder(kind: int, text: str) -> str:
    """What stands for a private text, as wide as it (MAN-DBG-2)."""
    cells = width(text)
    name = KINDS[kind]
    room = cells - len(name) - len("[]")
    return f"[{name}{'x' * room}]" if room >= 0 else "x" * cells
