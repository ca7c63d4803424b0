"""The benchmark runs: what it measures is still there."""

import subprocess
import sys

import pytest

from harness import ROOT

SUBJECTS = (
    "event",
    "status, 6 panes at rest",
    "status, 6 panes, all agents looked at",
    "cycle alone, 6 panes, all agents looked at",
    "ls, 6 panes at rest",
)


def test_every_subject_gets_its_ratios() -> None:
    """Each measured command shows its time beside the two paired ratios."""
    argv = [sys.executable, str(ROOT / "bench" / "measure.py"), "--rounds", "2", "--panes", "6"]

    done = subprocess.run(argv, check=False, capture_output=True, text=True, timeout=300)

    assert done.returncode == 0, done.stderr
    lines = {line[:52].strip(): line[52:].split() for line in done.stdout.splitlines()}
    assert [name for name in SUBJECTS if len(lines.get(name, [])) != 5] == []
    assert "payload of 16 MiB" in lines


@pytest.mark.parametrize("rounds", ["0", "1"])
def test_too_few_rounds_for_a_median_are_refused(rounds: str) -> None:
    """One pair says nothing about spread."""
    argv = [sys.executable, str(ROOT / "bench" / "measure.py"), "--rounds", rounds]

    done = subprocess.run(argv, check=False, capture_output=True, text=True, timeout=60)

    assert done.returncode == 2
    assert "at least 2" in done.stderr


def test_the_picker_is_measured() -> None:
    """Its first frame, its keys and its silence: an unchanged refresh writes no byte (A11Y-7)."""
    argv = [sys.executable, str(ROOT / "bench" / "frame.py"), "--rounds", "2", "--agents", "5", "--rows", "20"]

    done = subprocess.run(argv, check=False, capture_output=True, text=True, timeout=300)

    assert done.returncode == 0, done.stderr
    assert "first frame, 5 agents" in done.stdout
    assert ": 0 bytes" in done.stdout
    assert "a key at 20 rows" in done.stdout
