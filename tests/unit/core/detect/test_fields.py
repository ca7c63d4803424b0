"""Strict reading of manifest tables."""

import datetime as dt

import pytest

from tma.core.detect.fields import LONGEST_STRING, Table, kind_of
from tma.core.errors import ManifestError


def table(**data: object) -> Table:
    """A table at ``part`` of the file ``f.toml`` that allows every key."""
    return Table("f.toml", "part", data, None)


def test_an_unknown_key_is_named_with_the_known_ones() -> None:
    """MAN-LOAD-4: file, dotted key and what may stand there."""
    with pytest.raises(ManifestError, match=r"^f\.toml: part\.z: unknown key \(known: a, b\)$"):
        Table("f.toml", "part", {"z": 1}, ("b", "a"))


def test_a_value_that_is_no_table_is_refused() -> None:
    """MAN-LOAD-4: the type is named in the words of TOML."""
    with pytest.raises(ManifestError, match=r"^f\.toml: part: is an array, not a table$"):
        Table("f.toml", "part", [], None)


def test_without_a_file_the_line_begins_with_the_key() -> None:
    """MAN-LOAD-4: whoever names the file already leaves it out here."""
    with pytest.raises(ManifestError, match=r"^key: is missing$"):
        Table("", "", {}, None).text("key")


@pytest.mark.parametrize(
    ("read", "value", "problem"),
    [
        (lambda t: t.text("k"), True, "k: is a boolean, not a string"),
        (lambda t: t.text("k"), "x" * (LONGEST_STRING + 1), "k: is longer than 1000 characters"),
        (lambda t: t.texts("k"), "x", "k: is a string, not an array of strings"),
        (lambda t: t.texts("k"), ["x", 2], r"k\[1\]: is an integer, not a string"),
        (lambda t: t.flag("k"), 1, "k: is an integer, not true or false"),
        (lambda t: t.integer("k", 0), True, "k: is a boolean, not an integer"),
        (lambda t: t.integer("k", 0), 3.0, "k: is a float, not an integer"),
        (lambda t: t.one_of("k", ("b", "a")), "c", "k: 'c' is none of a, b"),
        (lambda t: t.all_of("k", ("a",)), ["a", "c"], r"k\[1\]: 'c' is none of a"),
        (lambda t: t.tables("k", ()), {}, "k: is a table, not an array of tables"),
        (lambda t: t.tables("k", ()), [1], r"k\[0\]: is an integer, not a table"),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused_by_key(read: object, value: object, problem: str) -> None:
    """MAN-LOAD-4: a wrong type names the key and both types; a boolean is no integer."""
    with pytest.raises(ManifestError, match=rf"^f\.toml: part\.{problem}$"):
        read(table(k=value))  # type: ignore[operator]


def test_what_is_not_there_reads_as_its_default() -> None:
    """MAN-LOAD-4: only required keys are missed."""
    empty = table()

    assert (empty.text("k", ""), empty.texts("k"), empty.flag("k"), empty.integer("k", 7)) == ("", [], False, 7)
    assert empty.tables("k", ()) == []
    assert "k" not in empty


def test_a_key_with_control_characters_is_printed_without_them() -> None:
    """SAN-2: a key of a file never reaches a terminal raw."""
    with pytest.raises(ManifestError, match=r"^f\.toml: part\.\\x1b\[2J: unknown key"):
        Table("f.toml", "part", {"\x1b[2J": 1}, ())


def test_kinds_are_named_in_the_words_of_toml() -> None:
    """MAN-LOAD-4: a date is no string."""
    assert kind_of(dt.datetime.min) == "a date or time"  # noqa: DTZ901
