"""Edits of one root key of a TOML text; every other byte is copied.

The root region is split into statements by the standard library's own parser: a statement ends
with the first line that makes it parse. So no value, string or table can be mistaken for a key.
"""

import re
import tomllib
from dataclasses import dataclass
from typing import Any

from tma.install.dialect import FaultError, Text, position

_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")


@dataclass(frozen=True)
class Statement:
    """One root assignment: its key's first part, its span with the rest of its last line."""

    key: str
    start: int
    end: int


def load(text: str) -> dict[str, Any]:
    """The whole document's value.

    Raises:
        FaultError: it is no TOML.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _PLACE.search(str(error))
        line, column = (int(found[1]), int(found[2])) if found and found[1] else position(text, len(text))
        reason = _PLACE.sub("", str(error))
        raise FaultError(reason[:1].lower() + reason[1:], line, column) from None
    except RecursionError:
        message = "nested too deeply"
        raise FaultError(message) from None


def root_statements(text: str) -> list[Statement]:
    """The assignments before the first table header, of a text that is TOML."""
    found: list[Statement] = []
    lines = text.splitlines(keepends=True) if "\r" not in text else re.findall(r"[^\n]*\n|[^\n]+", text)
    start = end = 0
    for line in lines:
        if start == end and line.lstrip().startswith("["):
            break
        end += len(line)
        value = _parsed(text[start:end])
        if value is None:
            continue
        if value:
            found.append(Statement(next(iter(value)), start, end))
        start = end
    return found


def with_root_key(source: Text, key: str, value: str) -> str:
    """The text with a key set at the root: in the place of its old statement, else after the last root key (EDT-6).

    Raises:
        FaultError: the text is no TOML, or the proof failed.
    """
    text, old = source.text, load(source.text)
    statements = root_statements(text)
    line = f"{key} = {value}{source.eol}"
    own = [statement for statement in statements if statement.key == key]
    if own:
        start, end = own[0].start, own[0].end
    else:
        start = end = statements[-1].end if statements else _first_place(text)
    before = text[:start] + ("" if not start or text[start - 1] == "\n" else source.eol)
    open_end = end == len(text) and bool(text) and not text.endswith("\n")
    new = before + (line.removesuffix(source.eol) if open_end else line) + text[end:]
    return _proved(new, old | {key: tomllib.loads(line)[key]})


def without_root_key(source: Text, key: str) -> str:
    """The text without a root key.

    Raises:
        FaultError: the text is no TOML, or the proof failed.
    """
    text, old = source.text, load(source.text)
    for statement in reversed([each for each in root_statements(text) if each.key == key]):
        text = text[: statement.start] + text[statement.end :]
    return _proved(text, {name: value for name, value in old.items() if name != key})


def _proved(new: str, expected: dict[str, Any]) -> str:
    if load(new) != expected:
        message = "this edit could not be proved right; nothing was changed"
        raise FaultError(message)
    return new


def _first_place(text: str) -> int:
    """Where a first root key goes: after the comment that heads the file, before the first table header.

    A comment that stands directly above the header is the header's.
    """
    place = end = 0
    for line in re.findall(r"[^\n]*\n|[^\n]+", text):
        content = line.strip()
        if content.startswith("["):
            return place
        end += len(line)
        place = end if not content else place
    return end


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None
