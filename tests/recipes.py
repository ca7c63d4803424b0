"""Commands out of the documentation, word for word; a test says what it puts in place of which word."""

import re
import textwrap

from harness import ROOT

_BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


def blocks(page: str, language: str = "sh") -> list[str]:
    """The fenced blocks of a page of ``docs``, from the first to the last."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return [textwrap.dedent(body) for _, name, body in _BLOCK.findall(text) if name == language]


def block(page: str, holding: str, language: str = "sh") -> str:
    """The one block of a page that holds a text."""
    found = [each for each in blocks(page, language) if holding in each]
    assert len(found) == 1, f"{len(found)} blocks of {page} hold {holding!r}"
    return found[0]


def filled(text: str, words: dict[str, str]) -> str:
    """A block with words in place of others; one that is not there is an error."""
    for old, new in words.items():
        assert old in text, f"{old!r} is not in the recipe"
        text = text.replace(old, new)
    return text
