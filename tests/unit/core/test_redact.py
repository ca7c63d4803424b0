"""Private text and what stands for it."""

import re

import pytest

from tma.core.redact import redact
from tma.core.screen import strip, width


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("see /home/me/app here", "see [pathxxxxxx] here"),
        ("~/notes.txt", "[pathxxxxx]"),
        ("mail me@example.org now", "mail [emailxxxxxxx] now"),
        ("/home/me\t/etc/hosts", "[pathxx]\t[pathxxxx]"),
        ("/etc", "xxxx"),
        ('"/home/me/a b"', '"[pathxxxx] b"'),
        ("│ /home/me/app│", "│ [pathxxxxxx]│"),
        ("cwd:/home/me", "cwd:[pathxx]"),
    ],
)
def test_paths_and_addresses_become_placeholders_of_the_same_width(line: str, expected: str) -> None:
    """DBG-3, MAN-DBG-2: box lines stay aligned."""
    assert width(redact(line)) == width(line)
    assert redact(line) == expected


@pytest.mark.parametrize("line", ["a / b", "src/app.py", "1/2", "https://example.org/x", "user@host", "~", "a~/b"])
def test_what_is_no_path_and_no_address_stays(line: str) -> None:
    """DBG-3: a token must begin with ``/`` or ``~/``."""
    assert redact(line) == line


def test_matches_of_a_pattern_are_replaced_first() -> None:
    """DBG-3: where a pattern and a path overlap they are one piece."""
    assert redact("token=/abc/def-123", [re.compile(r"token=\S+")]) == "[redactedxxxxxxxx]"


def test_wide_characters_are_padded_to_their_cells() -> None:
    """MAN-DBG-2, COL-1: width is display width."""
    line = "│ 秘密のプロジェクト │"

    redacted = redact(line, [re.compile("秘密のプロジェクト")])

    assert redacted == "│ [redactedxxxxxxxx] │"
    assert width(redacted) == width(line)


def test_a_narrow_match_becomes_a_row_of_x() -> None:
    """DBG-3: no room for a placeholder, and still the same width."""
    assert redact("ask bob now", [re.compile("bob")]) == "ask xxx now"


@pytest.mark.parametrize("pattern", ["[a-z]+", "x", "x+", ".", "^b", "[ab]x", "redacted", r"\[", "(?i)PATH"])
def test_redacting_again_changes_nothing(pattern: str) -> None:
    """DBG-3, FZ-18: also for patterns that match what placeholders are made of."""
    searches = [re.compile(pattern)]
    once = redact("b aax banana [redactedxx] /home/me/secret me@example.org\nxxx", searches)

    assert redact(once, searches) == once


def test_escapes_stay_around_a_piece_that_they_cut() -> None:
    """A highlighted part of a path hides with the rest, and colors end where they ended."""
    line = "in \x1b[1m/home/\x1b[31mme\x1b[0m/app\x1b[K."

    redacted = redact(line)

    assert strip(redacted) == "in [pathxxxxxxx]"
    assert redacted == "in \x1b[1m[pathxxxxxxx]\x1b[31m\x1b[0m\x1b[K"


@pytest.mark.parametrize("end", ["\x07", "\x1b\\", ""])
def test_links_and_titles_are_dropped(end: str) -> None:
    """A sequence that carries text of its own may carry a private path that no reader sees."""
    assert "me" not in redact(f"a \x1b]8;;file:///home/me{end}")


def test_lines_are_kept_apart() -> None:
    """Line endings and blank lines survive, as do carriage returns."""
    assert redact("/home/me/x\r\n\n a\n") == "[pathxxxx]\r\n\n a\n"
