"""Edits of one root key of a TOML text; every other byte is copied.

The root region of a text that is TOML is split into statements at the line ends that stand in no
string and no bracket; the standard library's parser says whose key each is, and proves the result.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tma.install.dialect import FaultError, Text, position

_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*|[\[\]{}\n]",
    re.DOTALL,
)
_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")


_TOO_DEEP = "nested too deeply"


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
        return tomllib.loads(text, parse_float=str)  # as written: nan is not equal to itself
    except tomllib.TOMLDecodeError as error:
        found = _PLACE.search(str(error))
        line, column = (int(found[1]), int(found[2])) if found and found[1] else position(text, len(text))
        reason = _PLACE.sub("", str(error))
        raise FaultError(reason[:1].lower() + reason[1:], line, column) from None
    except RecursionError:
        raise FaultError(_TOO_DEEP) from None
    except ValueError as error:  # a whole number of more digits than Python converts
        raise FaultError(str(error)) from None


def root_statements(text: str) -> list[Statement]:
    """The assignments before the first table header, of a text that is TOML."""
    found: list[Statement] = []
    start = 0
    for end in _ends(text):
        if text[start:end].lstrip().startswith("["):
            break
        if value := load(text[start:end]):
            found.append(Statement(next(iter(value)), start, end))
        start = end
    return found


def _ends(text: str) -> Iterator[int]:
    """Where statements, blank lines and lines of comments end, while no table has begun."""
    depth = 0
    for token in _TOKEN.finditer(text):
        if token[0] == "\n" and not depth:
            yield token.end()
        depth += (token[0] in {"[", "{"}) - (token[0] in {"]", "}"})
    yield len(text)


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
    try:
        is_right = load(new) == expected
    except RecursionError:
        raise FaultError(_TOO_DEEP) from None
    if not is_right:
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
