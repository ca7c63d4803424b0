"""The options of ``tma wait``."""

import pytest

from tma.cli import args, table
from tma.core.errors import UsageError


def parse(*words: str) -> object:
    """What a line says."""
    command = table.named("wait")
    assert command is not None
    return args.parse(["wait", *words], command)


@pytest.mark.parametrize(("text", "seconds"), [("0", 0.0), ("1.5", 1.5), (".5", 0.5), ("2.", 2.0), ("9" * 400, 1e9)])
def test_a_timeout_is_a_number_of_seconds(text: str, seconds: float) -> None:
    """WAI-1: decimals allowed; one that no wait would outlast is as good as any such."""
    assert parse("--until", "idle", "--any", "--timeout", text).timeout == seconds  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["", "-1", "1e3", "inf", "nan", "1,5", ".", "1.2.3", "１"])
def test_anything_else_is_no_timeout(text: str) -> None:
    """WAI-1, CLI-3."""
    with pytest.raises(UsageError):
        parse("--until", "idle", "--any", f"--timeout={text}")


@pytest.mark.parametrize("words", [["--count", "0"], ["--count", "-1"], ["--count", "x"], ["--since", "-5"]])
def test_counts_and_instants_are_whole(words: list[str]) -> None:
    """WAI-1."""
    with pytest.raises(UsageError):
        parse("--until", "idle", *words)
