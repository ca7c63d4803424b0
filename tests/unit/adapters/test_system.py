"""The process's surroundings."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness import ROOT
from tma.adapters import system

SRC = str(ROOT / "src")


def test_an_empty_variable_counts_as_unset() -> None:
    """GLO-6: both read as nothing."""
    assert system.env("TMA_SURELY_NOT_SET") == ""
    assert system.env("PATH") == system.environment()["PATH"]


@pytest.mark.parametrize("digits", [1, 8, 16, 32])
def test_a_nonce_has_as_many_hex_digits_as_asked_and_never_repeats(digits: int) -> None:
    """READ-2, LK-1: fresh for every call."""
    assert len(system.nonce(digits)) == digits
    assert int(system.nonce(digits), 16) >= 0
    assert digits < 8 or system.nonce(digits) != system.nonce(digits)


def test_the_clock_is_in_milliseconds() -> None:
    """CLK-1: epoch milliseconds."""
    assert 10**12 < system.now_ms() < 10**13


def test_this_process_and_another_users_process_exist() -> None:
    """A process counts whoever owns it (LK-3)."""
    assert system.exists(os.getpid())
    assert system.exists(1)


@pytest.mark.parametrize("pid", [0, -1, 2**22 + 5, 2**40])
def test_an_impossible_pid_does_not_exist(pid: int) -> None:
    """Zero, negative and out-of-range numbers are no process (LK-3)."""
    assert not system.exists(pid)


def test_the_session_of_a_missing_process_is_zero() -> None:
    """A process that cannot be asked has no session (OWN-3)."""
    assert system.session_of(os.getpid()) == os.getsid(0)
    assert system.session_of(2**22 + 5) == 0
    assert system.session_of(2**40) == 0


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, "unicode"),
        ({"LANG": "en_US.UTF-8"}, "unicode"),
        ({"LC_CTYPE": "C.utf8", "LANG": "C"}, "unicode"),
        ({"LC_ALL": "C", "LANG": "en_US.UTF-8"}, "ascii"),
        ({"LANG": "C"}, "ascii"),
        ({"LANG": "de_DE@euro"}, "ascii"),
        ({"LC_ALL": "", "LANG": "POSIX"}, "ascii"),
    ],
)
def test_the_first_locale_variable_decides(variables: dict[str, str], expected: str) -> None:
    """A11Y-4: a status line without any locale, as a service starts it, is no reason for ASCII.

    In a fresh process: what Python itself adds to the environment in the C locale is not meant.
    """
    asked = "from tma.adapters import system; print(system.is_ascii_only())"
    words = [sys.executable, "-c", asked]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env={"PYTHONPATH": SRC} | variables)
    assert done.stdout == f"{expected == 'ascii'}\n"


def test_a_process_knows_when_it_was_started(tmp_path: Path) -> None:
    """Never later than it was; now where the system does not tell, or counts otherwise."""
    before = system.now_ms()
    words = [sys.executable, "-c", "from tma.adapters import system; print(system.begun_ms())"]
    done = subprocess.run(words, check=True, capture_output=True, text=True, env={"PYTHONPATH": str(ROOT / "src")})
    assert before - 20 <= int(done.stdout) <= system.now_ms()
    stat = tmp_path / "self" / "stat"
    stat.parent.mkdir()
    for text in ("", "1 (x) S", "1 (x) S " + "0 " * 19, "1 (x) S " + "0 " * 18 + "1 0"):
        stat.write_text(text)
        assert abs(system.begun_ms(str(tmp_path)) - system.now_ms()) < 1000
    assert abs(system.begun_ms(str(tmp_path / "none")) - system.now_ms()) < 1000
