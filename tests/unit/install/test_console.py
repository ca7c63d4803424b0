"""Talking with a person."""

import pytest

from tma.install.console import Console


def test_nobody_there_declines(capsys: pytest.CaptureFixture[str]) -> None:
    """The setup commands: a question that cannot be read is declined; --yes skips it."""
    assert not Console(yes=False).ask("do it")
    assert "declined" in capsys.readouterr().err
    assert Console(yes=True).ask("do it")


def test_notes_are_lines_of_tma_and_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    """CLI-1, SAN-1."""
    console = Console(yes=True)

    console.note("one\x1b[31m\ntwo")
    console.result("three")

    assert capsys.readouterr() == ("three\n", "tma: one[31m\n  two\n")
