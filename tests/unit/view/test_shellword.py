"""Words that a shell reads back."""

import shlex

import pytest

from tma.view import shellword


@pytest.mark.parametrize("text", ["/usr/bin/tmux", "-S", "a_b-c./:=+,@%9"])
def test_a_plain_word_stays_as_it_is(text: str) -> None:
    """ATC-4."""
    assert shellword.word(text) == text


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("", "''"),
        ("=main", "'=main'"),
        ("~", "'~'"),
        ("$0", "'$0'"),
        ("it's", "'it'\\''s'"),
        ("é", "'é'"),
        ("a b", "'a b'"),
        ("x;", "'x;'"),
    ],
)
def test_anything_else_is_quoted(text: str, quoted: str) -> None:
    """ATC-4: empty, `=` or `~` at the start, or a character that is not plain."""
    assert shellword.word(text) == quoted


def test_a_line_is_read_back_as_the_same_words() -> None:
    """ATC-4: one line."""
    words = ["tmux", "", "a\tb", "'", "$(x)", "=a", "\\"]

    assert shlex.split(shellword.line(words)) == words
    assert shellword.line(words).endswith("\n")
