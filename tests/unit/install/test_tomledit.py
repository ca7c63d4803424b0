"""One root key of a TOML text."""

import pytest

from tma.install.dialect import FaultError, Text
from tma.install.tomledit import load, root_statements, with_root_key, without_root_key


def test_statements_end_where_they_parse() -> None:
    """EDT-6: brackets in strings and comments end nothing."""
    text = 'a = [\n "x ] y", # ]\n]\n# b = 1\nc = """\n[t]\n"""\n[t]\nd = 1\n'

    assert [each.key for each in root_statements(text)] == ["a", "c"]


def test_a_key_goes_after_the_last_root_key() -> None:
    """EDT-6: before the first table."""
    text = "a = 1 # one\n\n[t]\nb = 2"

    assert with_root_key(Text(text, False, "\n"), "n", "3") == "a = 1 # one\nn = 3\n\n[t]\nb = 2"  # noqa: FBT003


def test_a_key_that_is_there_is_replaced_and_removed() -> None:
    """EDT-10, EDT-11: its own lines only."""
    text = "n = [\n 1\n] # mine\na = 1\n"

    assert with_root_key(Text(text, False, "\n"), "n", "3") == "n = 3\na = 1\n"  # noqa: FBT003
    assert without_root_key(Text(text, False, "\n"), "n") == "a = 1\n"  # noqa: FBT003


def test_a_broken_text_is_refused_with_its_place() -> None:
    """EDT-2."""
    with pytest.raises(FaultError) as fault:
        load("a = 1\nb = = 2\n")

    assert (fault.value.line, fault.value.column) == (2, 5)
