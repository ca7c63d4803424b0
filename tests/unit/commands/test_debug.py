"""The verbs of ``tma debug``."""

import pytest

from tma.cli import args, table


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["capture", "%5"], {"pane": "%5"}),
        (["explain", "--json", "%5"], {"pane": "%5", "json": True}),
        (["explain", "%5"], {"pane": "%5", "json": False}),
        (["redact", "f"], {"file": "f", "pattern": []}),
        (["redact", "--pattern", "a", "f", "--pattern=b"], {"file": "f", "pattern": ["a", "b"]}),
    ],
)
def test_each_verb_reads_its_own_arguments(words: list[str], expected: dict[str, object]) -> None:
    """DBG-1 to DBG-3: a pane or a file, and patterns as often as wanted."""
    command = table.named("debug")
    assert command is not None

    found = vars(args.parse(["debug", *words], command))

    assert found["verb"] == words[0]
    assert {name: found[name] for name in expected} == expected
    assert callable(found["act"])
