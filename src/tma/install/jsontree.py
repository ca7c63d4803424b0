"""JSON with comments and trailing commas, read to a tree that knows where everything stands.

Nothing else is taken: no single quotes, no unquoted keys. The standard library's parser keeps no
places, and knows no comments.
"""

import json
import re
from dataclasses import dataclass, field
from typing import NoReturn

from tma.install.dialect import FaultError, fault_at, position

MAX_DEPTH = 128

OBJECT, ARRAY, STRING, NUMBER, WORD = "an object", "an array", "a string", "a number", "a word"

Value = tuple[str, object]
"""A value that compares: its kind, and members in order with duplicates, elements, or the scalar."""

_TRIVIA = re.compile(r"[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r'"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORD = re.compile(r"true|false|null")
_AFTER_SCALAR = re.compile(r"[ \t\r\n,\]}/]|$")


@dataclass(frozen=True, slots=True)
class Node:
    """One value: its kind, its span, and its entries or its scalar."""

    kind: str
    start: int
    end: int
    scalar: object = None
    entries: "tuple[Entry, ...]" = ()

    @property
    def words(self) -> str:
        """What this is, for a refusal."""
        return str(self.scalar) if self.kind == WORD else self.kind

    def elements(self) -> "list[Node]":
        """The values in this container."""
        return [entry.node for entry in self.entries]

    def keyed(self, key: str) -> "list[Entry]":
        """The members of that key."""
        return [entry for entry in self.entries if entry.key == key]


@dataclass(frozen=True, slots=True)
class Entry:
    """One member or element: where it starts, and where the comma after it is, -1 for none."""

    start: int
    node: Node
    comma: int
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Tree:
    """A whole document; ``comments`` are the offsets where comments start, ``root`` is None for no value."""

    text: str
    root: Node | None
    comments: list[int] = field(default_factory=list)

    def has_comment(self, node: Node) -> bool:
        """Whether a comment stands inside a value."""
        return any(node.start < place < node.end for place in self.comments)

    def fault(self, node: Node, reason: str) -> FaultError:
        """A fault at a value."""
        return fault_at(self.text, node.start, reason)

    def member(self, node: Node, key: str) -> Entry | None:
        """The one member of that key.

        Raises:
            FaultError: the key is there twice.
        """
        found = node.keyed(key)
        if len(found) > 1:
            lines = [str(position(self.text, entry.start)[0]) for entry in found]
            reason = f"the key {json.dumps(key)} stands on lines {' and '.join(lines)}"
            raise fault_at(self.text, found[1].start, reason)
        return found[0] if found else None

    def refuse_doubles(self, node: Node) -> None:
        """Refuse an object that holds any key twice (EDT-2)."""
        seen: set[str] = set()
        for entry in node.entries:
            if entry.key is None:
                continue
            if entry.key in seen:
                self.member(node, entry.key)
            seen.add(entry.key)


def plain(node: Node) -> Value:
    """A value that two texts share iff they say the same, in the same order, numbers as written."""
    if node.kind == OBJECT:
        return node.kind, tuple((entry.key, plain(entry.node)) for entry in node.entries)
    if node.kind == ARRAY:
        return node.kind, tuple(map(plain, node.elements()))
    return node.kind, node.scalar


def parse(text: str) -> Tree:
    """Read a document; a text without any value has no root.

    Raises:
        FaultError: it is no such document.
    """
    reader = _Reader(text)
    reader.skip()
    root = reader.value(0) if reader.place < len(text) else None
    reader.skip()
    if reader.place < len(text):
        reader.refuse("something follows the end of the document")
    return Tree(text, root, reader.comments)


class _Reader:
    """The recursive descent; ``place`` is the offset of what comes next."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.comments: list[int] = []

    def refuse(self, reason: str) -> NoReturn:
        raise fault_at(self.text, self.place, reason) from None

    def skip(self) -> None:
        while found := _TRIVIA.match(self.text, self.place):
            if self.text[self.place] == "/":
                self.comments.append(self.place)
            self.place = found.end()
        if self.text.startswith("/*", self.place):
            self.refuse("a comment without an end")

    def value(self, depth: int) -> Node:
        if depth > MAX_DEPTH:
            self.refuse(f"nested over {MAX_DEPTH} levels")
        opening = self.text[self.place : self.place + 1]
        if opening == "{":
            return self.container(OBJECT, "}", depth)
        if opening == "[":
            return self.container(ARRAY, "]", depth)
        if opening == '"':
            return self.string()
        return self.scalar()

    def container(self, kind: str, closing: str, depth: int) -> Node:
        start = self.place
        self.place += 1
        entries: list[Entry] = []
        while True:
            self.skip()
            if self.text.startswith(closing, self.place):
                self.place += 1
                return Node(kind, start, self.place, entries=tuple(entries))
            if self.place >= len(self.text):
                self.refuse(f"{kind} without an end, which began on line {position(self.text, start)[0]}")
            if entries and entries[-1].comma < 0:
                self.refuse("a comma is missing before this")
            entries.append(self.entry(kind, depth))

    def entry(self, kind: str, depth: int) -> Entry:
        start = self.place
        key = self.key() if kind == OBJECT else None
        node = self.value(depth + 1)
        self.skip()
        comma = self.place if self.text.startswith(",", self.place) else -1
        if comma >= 0:
            self.place += 1
        return Entry(start, node, comma, key)

    def key(self) -> str:
        if not self.text.startswith('"', self.place):
            self.refuse("a key in double quotes is missing")
        key = str(self.string().scalar)
        self.skip()
        if not self.text.startswith(":", self.place):
            self.refuse("a colon is missing after the key")
        self.place += 1
        self.skip()
        return key

    def string(self) -> Node:
        found = _STRING.match(self.text, self.place)
        if not found:
            self.refuse("a string without an end, or with a control character in it")
        scalar = _unescaped(found.group())
        return self.refuse("a string with a broken escape") if scalar is None else self.taken(STRING, found, scalar)

    def scalar(self) -> Node:
        for kind, pattern in ((NUMBER, _NUMBER), (WORD, _WORD)):
            found = pattern.match(self.text, self.place)
            if found and _AFTER_SCALAR.match(self.text, found.end()):
                return self.taken(kind, found, found.group())
        return self.refuse("a value is missing" if self.place >= len(self.text) else "this is no JSON value")

    def taken(self, kind: str, found: re.Match[str], scalar: object) -> Node:
        node = Node(kind, self.place, found.end(), scalar)
        self.place = found.end()
        return node


def _unescaped(literal: str) -> str | None:
    try:
        return str(json.loads(literal))
    except ValueError:
        return None
