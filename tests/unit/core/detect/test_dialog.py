"""What a dialog asks about, told apart from another one and from nothing else."""

import re

import pytest

from captures import FIXTURES, Fixture, plain
from tma.core.detect import dialog

BASH = """\
● Bash(make test)
────────────────────────
 Bash command

   make {what}

 Do you want to proceed?
 ❯ 1. Yes
   2. No

 Esc to cancel · Tab to amend
"""

ANSWERABLE = [
    each
    for each in FIXTURES
    if each.expected == "blocked/permission"
    and re.search(r"^(claude|codex|copilot|gemini)-\d.*(?<!_h9)_w(60|100)$", each.name)
]


def lines(text: str) -> list[str]:
    """A screen's lines."""
    return text.split("\n")


def asked(fixture: Fixture) -> str:
    """The digest of a stored screen."""
    return dialog.digest(plain(fixture.lines[-fixture.height :]))


def test_another_command_is_another_dialog() -> None:
    """GRD-6 in the screen's terms: two prompts in a row without work between are two."""
    first = dialog.digest(lines(BASH.format(what="test")))
    assert re.fullmatch(r"[0-9a-f]{16}", first)
    assert dialog.digest(lines(BASH.format(what="clean"))) != first


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (" ❯ 1. Yes\n   2. No", "   1. Yes\n ❯ 2. No"),
        ("1. Yes\n", "1. Yes, and then run the linter\n"),
        (" · Tab to amend", ""),
        ("● Bash(make test)", "● Bash(make test)\n  ⎿  Waiting… (12s)"),
        ("   make test\n", "   make\n   test\n"),
    ],
)
def test_the_same_dialog_is_the_same(before: str, after: str) -> None:
    """Highlight, an answer's own text, the footer, what runs above it and the width count for nothing."""
    text = BASH.format(what="test")
    assert before in text
    assert dialog.digest(lines(text.replace(before, after))) == dialog.digest(lines(text))


@pytest.mark.parametrize("text", ["", "\n\n", "just text\nand more", "1. Yes", " ❯ 1. Yes\n   2. No"])
def test_what_names_no_subject_has_no_digest(text: str) -> None:
    """Nothing to compare is nothing that differs."""
    assert dialog.digest(lines(text)) == ""


def test_the_highlight_changes_no_captured_dialog() -> None:
    """MAN-FACT-3: the captures with another answer highlighted, or an answer being amended."""
    moved = {each.name: asked(each) for each in ANSWERABLE if re.search("_(opt2|opt3|amend)_", each.name)}
    others = {asked(each) for each in ANSWERABLE if each.name not in moved}
    assert len(moved) > 10
    assert [name for name, digest in moved.items() if digest not in others] == []
