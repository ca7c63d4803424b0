"""The command line of ``tma act``."""

import pytest

from tma.cli import args, table
from tma.commands import act
from tma.core.errors import UsageError


def parsed(*words: str) -> object:
    """What the words say."""
    command = table.named("act")
    assert command is not None
    return args.parse(["act", *words], command)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("--text", "x"), "x"),
        (("--text=x",), "x"),
        (("--text", "--json"), "--json"),
        (("--text", "--"), "--"),
        (("--text=--",), "--"),
        (("--text==x",), "=x"),
        (("--text", ""), ""),
        (("--text", "-x", "--json"), "-x"),
    ],
)
def test_the_argument_behind_text_is_its_value(words: tuple[str, ...], text: str) -> None:
    """Section 9 of cli.md: whatever it begins with."""
    assert parsed("steer", *words).text == text


@pytest.mark.parametrize(
    ("words", "given"),
    [
        (("--arg", "a", "--arg=b"), ["a", "b"]),
        (("--arg=--",), ["--"]),
        (("--arg=-x",), ["-x"]),
        (("--arg", ""), [""]),
        ((), None),
    ],
)
def test_words_may_be_repeated(words: tuple[str, ...], given: list[str] | None) -> None:
    """ACT-EXEC-4."""
    assert parsed("report", *words).arg == given


@pytest.mark.parametrize(
    "words",
    [
        ("--text", "a", "--text", "b"),
        ("--arg", "--json"),
        ("--text",),
        ("--expect-episode-ms", "-1"),
        ("--pane", "x"),
        ("a", "b"),
    ],
)
def test_what_is_wrong_raises(words: tuple[str, ...]) -> None:
    """CLI-2, CLI-5, CAC-1."""
    with pytest.raises(UsageError):
        parsed("approve", *words)


@pytest.mark.parametrize(
    ("words", "code"),
    [(["x"] * 64, None), (["x"] * 65, 2), (["x" * 65536], None), (["x" * 65537], 2), (["a\0"], 2)],
)
def test_words_have_limits(words: list[str], code: int | None) -> None:
    """ACT-EXEC-4."""
    if code is None:
        act._refuse_bad_words(words)
    else:
        with pytest.raises(UsageError):
            act._refuse_bad_words(words)


@pytest.mark.parametrize(
    ("source", "words"),
    [("menu", ("--from-menu",)), ("menu", ("--from-menu", "--yes")), ("cli-yes", ("--yes",)), ("cli-yes", ())],
)
def test_a_source_is_told_by_flags_and_terminal(
    monkeypatch: pytest.MonkeyPatch, source: str, words: tuple[str, ...]
) -> None:
    """ACT-LOG-3: no flag claims a person."""
    monkeypatch.setattr(act.sys.stdin, "isatty", lambda: bool(words), raising=False)
    assert act._source(parsed("approve", *words)) == source
