"""Edits of a JSON text by insertion, deletion and replacement of spans; every other byte is copied.

Rules of the whole module:

1. An edit is said in terms of the tree: drop entries, append entries, swap a value.
2. The same edit is applied to the text and to the value; the new text must parse to the new value.
3. One container is either dropped from or appended to, not both at once.
4. Comments stay where they are, also between entries that go; only those inside such an entry go with it.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Mapping

from tma.install.dialect import FaultError
from tma.install.jsontree import ARRAY, NUMBER, OBJECT, STRING, WORD, Entry, Node, Tree, Value, parse, plain

Json = str | bool | int | list["Json"] | Mapping[str, "Json"]
"""What is written into a file."""

Span = tuple[int, int, str]

_FIRST_INDENT = re.compile(r"^([ \t]+)\S", re.MULTILINE)
_BLANK = " \t\r\n"


class Block(dict[str, Json]):
    """An object that is written with a line for each member."""


class Edit:
    """Changes to one document, made all together by ``text``."""

    def __init__(self, tree: Tree, eol: str) -> None:
        """Start with no change."""
        self._tree = tree
        self._eol = eol
        self._unit = _unit(tree)
        self._drops: dict[int, set[int]] = {}
        self._appends: dict[int, list[tuple[str | None, Json]]] = {}
        self._swaps: dict[int, Json] = {}
        self._touched: dict[int, Node] = {}

    @property
    def changes(self) -> bool:
        """Whether there is anything to do."""
        return bool(self._drops or self._appends or self._swaps)

    def drop(self, container: Node, index: int) -> None:
        """Remove an entry."""
        self._touched[container.start] = container
        self._drops.setdefault(container.start, set()).add(index)

    def append(self, container: Node, value: Json, key: str | None = None) -> None:
        """Add a last entry."""
        self._touched[container.start] = container
        self._appends.setdefault(container.start, []).append((key, value))

    def swap(self, node: Node, value: Json) -> None:
        """Put another value in a value's place."""
        self._swaps[node.start] = value
        self._touched[node.start] = node

    def text(self) -> str:
        """The new text, proved.

        Raises:
            FaultError: an object to be edited holds a key twice, or the proof failed.
        """
        for node in self._touched.values():
            self._tree.refuse_doubles(node)
        new = _applied(self._tree.text, [span for node in self._touched.values() for span in self._spans(node)])
        root = self._tree.root
        after = parse(new).root
        if root is None or after is None or plain(after) != self._expected(root):
            message = "this edit could not be proved right; nothing was changed"
            raise FaultError(message)
        return new

    def _spans(self, node: Node) -> list[Span]:
        if node.start in self._swaps:
            return [(node.start, node.end, _inline(self._swaps[node.start]))]
        if node.start in self._drops:
            return self._deletions(node, self._drops[node.start])
        return self._insertions(node, self._appends[node.start])

    def _insertions(self, node: Node, items: list[tuple[str | None, Json]]) -> list[Span]:
        text, last, close = self._tree.text, node.entries[-1] if node.entries else None, node.end - 1
        trailing = last is not None and last.comma >= 0
        content = node.start + 1 if last is None else max(last.node.end, last.comma + 1)
        place = content + len(text[content:close].rstrip(_BLANK))
        indent = self._indent_within(node)
        body = ",".join(f"{self._eol}{indent}{self._rendered(key, value, indent)}" for key, value in items)
        body += "," if trailing else ""
        if "\n" not in text[place:close]:
            body += self._eol + self._indent_of(node.start)
        if last is None or trailing:
            return [(place, place, body)]
        if place == content:
            return [(place, place, f",{body}")]
        return [(content, content, ","), (place, place, body)]

    def _deletions(self, node: Node, indexes: set[int]) -> list[Span]:
        spans = [self._deletion(node, index) for index in sorted(indexes)]
        kept = [entry for index, entry in enumerate(node.entries) if index not in indexes]
        last = node.entries[-1]
        if kept and len(node.entries) - 1 in indexes and last.comma < 0:
            spans.append((kept[-1].comma, kept[-1].comma + 1))
        end = max(last.node.end, last.comma + 1)
        opened = f"{self._eol}{self._indent_of(node.start)}"
        one_line = not kept or "\n" not in self._tree.text[node.start : kept[-1].node.end]
        one_line = one_line and not self._tree.has_comment(node)
        if one_line and len(node.entries) - 1 in indexes and self._tree.text.startswith(opened, end):
            spans.append((end, end + len(opened)))
        return [(self._after_comment(start, stop), stop, "") for start, stop in _merged(spans)]

    def _after_comment(self, start: int, stop: int) -> int:
        """Where a deletion may start: what follows a line comment must stay on another line."""
        text = self._tree.text
        before = self._tree.comments[: bisect_right(self._tree.comments, start)]
        ends_one = before and text.startswith("//", before[-1]) and "\n" not in text[before[-1] : start]
        if not ends_one or text[stop:].lstrip(" \t\r").startswith("\n"):
            return start
        return text.index("\n", start) + 1

    def _deletion(self, node: Node, index: int) -> tuple[int, int]:
        text, entry = self._tree.text, node.entries[index]
        end = max(entry.node.end, entry.comma + 1)
        before = len(text[: entry.start].rstrip(_BLANK))
        if "\n" in text[before : entry.start] or index:
            return before, end
        return entry.start, end + len(text[end:]) - len(text[end:].lstrip(" \t"))

    def _rendered(self, key: str | None, value: Json, indent: str) -> str:
        head = "" if key is None else f"{json.dumps(key)}: "
        if not isinstance(value, Block):
            return head + _inline(value)
        within = indent + self._unit
        lines = ",".join(f"{self._eol}{within}{self._rendered(name, each, within)}" for name, each in value.items())
        return f"{head}{{{lines}{self._eol}{indent}}}"

    def _indent_within(self, node: Node) -> str:
        if node.entries:
            start = node.entries[0].start
            before = self._tree.text[self._line_start(start) : start]
            if not before.strip(" \t") and "\n" in self._tree.text[node.start : start]:
                return before
        return self._indent_of(node.start) + self._unit

    def _indent_of(self, offset: int) -> str:
        start = self._line_start(offset)
        line = self._tree.text[start:offset]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def _line_start(self, offset: int) -> int:
        return self._tree.text.rfind("\n", 0, offset) + 1

    def _expected(self, node: Node) -> Value:
        if node.start in self._swaps:
            return _value(self._swaps[node.start])
        dropped = self._drops.get(node.start, set())
        kept = [entry for index, entry in enumerate(node.entries) if index not in dropped]
        added = self._appends.get(node.start, [])
        if node.kind == OBJECT:
            members = [(entry.key, self._expected(entry.node)) for entry in kept]
            return OBJECT, (*members, *((key, _value(value)) for key, value in added))
        if node.kind == ARRAY:
            return ARRAY, (*(self._expected(entry.node) for entry in kept), *(_value(value) for _, value in added))
        return plain(node)


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans that overlap or touch, as one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def _applied(text: str, spans: list[Span]) -> str:
    """The text with spans replaced."""
    parts: list[str] = []
    place = 0
    for start, end, new in sorted(spans, key=lambda span: span[:2]):
        parts += [text[place:start], new]
        place = end
    return "".join([*parts, text[place:]])


def _unit(tree: Tree) -> str:
    """The first indented line's indentation, unless it stands in a comment or string; else two spaces."""
    starts = set(_line_openers(tree.root)) if tree.root else set()
    found = (match for match in _FIRST_INDENT.finditer(tree.text) if match.end(1) in starts)
    return next((match.group(1) for match in found), "  ")


def _line_openers(node: Node) -> "list[int]":
    """Where entries start."""
    found: list[int] = []
    todo: list[Entry] = list(node.entries)
    while todo:
        entry = todo.pop()
        found.append(entry.start)
        todo.extend(entry.node.entries)
    return found


def _inline(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def _value(value: Json) -> Value:
    if isinstance(value, Mapping):
        return OBJECT, tuple((key, _value(each)) for key, each in value.items())
    if isinstance(value, list):
        return ARRAY, tuple(map(_value, value))
    if isinstance(value, str):
        return STRING, value
    return (WORD if isinstance(value, bool) else NUMBER), json.dumps(value)
