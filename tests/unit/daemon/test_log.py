"""The daemon's log."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tma.daemon import log as module
from tma.daemon.log import Log


@pytest.fixture
def descriptor(tmp_path: Path) -> Iterator[int]:
    """The log file, as a background daemon has it."""
    opened = os.open(tmp_path / "log", os.O_RDWR | os.O_CREAT | os.O_APPEND)
    yield opened
    os.close(opened)


def test_a_line_is_one_line_with_its_time(descriptor: int, tmp_path: Path) -> None:
    """SEC-L-3: nothing that is said adds a line or a sequence."""
    Log(descriptor, dated=True).say("a\nb\x1b[m")
    assert (tmp_path / "log").read_text().count("\n") == 1
    assert "\x1b" not in (tmp_path / "log").read_text()
    assert (tmp_path / "log").read_text()[4] == "-"


def test_an_error_is_told_with_its_place(descriptor: int, tmp_path: Path) -> None:
    """Section 14: a traceback to the log only."""
    try:
        raise ValueError("boom")  # any error  # noqa: EM101, TRY301
    except ValueError as error:
        Log(descriptor, dated=False).trace(error)
    assert "ValueError: boom" in (tmp_path / "log").read_text()
    assert "test_log.py" in (tmp_path / "log").read_text()


def test_a_file_that_grew_is_cut_to_its_last_part(
    descriptor: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PTH-9: by whole lines."""
    monkeypatch.setattr(module, "MAX_BYTES", 200)
    monkeypatch.setattr(module, "KEPT_BYTES", 50)
    log = Log(descriptor, dated=False)
    for number in range(50):
        log.say(f"line {number}")
    log.trim()
    lines = (tmp_path / "log").read_text().splitlines()
    assert lines[-1] == "tma: line 49"
    assert all(line.startswith("tma: line") for line in lines)
    assert (tmp_path / "log").stat().st_size <= 50
    log.trim()
    log.say("after")
    assert (tmp_path / "log").read_text().endswith("tma: after\n")
