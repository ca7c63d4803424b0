"""What ``tma daemon`` is asked for."""

import pytest

from tma.cli import args, table
from tma.core.errors import UsageError


def read(*words: str) -> dict[str, object]:
    """The options of a command line."""
    command = table.named("daemon")
    assert command is not None
    return vars(args.parse(["daemon", *words], command))


def test_one_thing_at_a_time() -> None:
    """CDM-1: ``--ensure``, ``--restart``, ``--stop`` exclude each other."""
    assert read("--ensure")["ensure"] is True
    assert read("--sweep-ms", "5")["sweep_ms"] == 5
    for words in (("--ensure", "--stop"), ("--restart", "--stop"), ("--sweep-ms", "x")):
        with pytest.raises(UsageError):
            read(*words)


def test_hidden_options_are_not_in_help(capsys: pytest.CaptureFixture[str]) -> None:
    """DST-1."""
    with pytest.raises(SystemExit):
        read("--help")
    said = capsys.readouterr().out
    assert "--restart" in said
    for hidden in ("--status-file", "--sweep-ms", "--fake-version", "--shutdown-delay-ms"):
        assert hidden not in said
