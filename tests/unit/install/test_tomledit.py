"""One root key of a TOML text."""

import pytest

from tma.install import tomledit
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


@pytest.mark.parametrize("text", [f"a = {'9' * 5000}\n", f"{'.'.join('a' * 3000)} = 1\n"])
def test_what_python_cannot_take_is_refused(text: str) -> None:
    """EDT-1: a number of too many digits, and tables nested too deep to be compared."""
    with pytest.raises(FaultError):
        with_root_key(Text(text, False, "\n"), "n", "3")  # noqa: FBT003


def test_a_number_that_equals_nothing_hinders_no_edit() -> None:
    """EDT-1: numbers are compared as they are written."""
    text = "a = nan\n"

    assert with_root_key(Text(text, False, "\n"), "n", "3") == "a = nan\nn = 3\n"  # noqa: FBT003


def test_a_long_statement_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """EDT-2: the work grows with the text, not with its square."""
    rows = "".join(f' "row {number} ]", # ]\n' for number in range(200))
    text = f'a = [\n{rows}]\nb = """\n{rows}"""\nc = 1\n'
    read: list[int] = []
    loads = tomledit.tomllib.loads
    monkeypatch.setattr(tomledit.tomllib, "loads", lambda part, **given: read.append(len(part)) or loads(part, **given))

    assert [each.key for each in root_statements(text)] == ["a", "b", "c"]
    assert sum(read) <= 2 * len(text)


@pytest.mark.parametrize(
    "text",
    [
        'a = """one ""quoted"" \\""" [ """""\n',
        "a = '''it's [ ''''\n",
        'a = \'[\' # """\n',
        "a = \"\\\"[\" # '''\n",
        'a = [{x = [1], y = "}"},\n\n # }\n]\n',
        'a = """"""\n',
    ],
)
def test_strings_and_brackets_end_a_statement_in_their_own_way(text: str) -> None:
    """EDT-6."""
    assert [(each.key, each.end) for each in root_statements(f"{text}b = 1\n[t]\n")] == [
        ("a", len(text)),
        ("b", len(text) + 6),
    ]
