"""The benchmark runs: what it measures is still there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness import ROOT

SUBJECTS = (
    "status, 12 panes",
    "status, 12 panes, 5 changed",
    "event, 12 panes",
    "clear-attention, 12 panes",
    "ls, 12 panes",
)


def test_every_subject_gets_its_ratios(tmp_path: Path) -> None:
    """Each measured command shows its times beside the paired ratios; two measurements can be compared."""
    figures = tmp_path / "figures.json"
    argv = [sys.executable, str(ROOT / "bench" / "measure.py"), "--rounds", "2", "--panes", "12", "--processes", "5"]

    done = subprocess.run(
        [*argv, "--quick", "--json", str(figures)], check=False, capture_output=True, text=True, timeout=300
    )

    assert done.returncode == 0, done.stderr
    lines = {line[:34].strip(): line[34:].split() for line in done.stdout.splitlines()}
    assert [name for name in SUBJECTS if len(lines.get(name, [])) < 7] == []
    compared = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "compare"), str(figures), str(figures)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert all(f"{name:34}     x_sum" in compared for name in SUBJECTS)
    assert compared.count("+0%") == len(SUBJECTS)


def test_what_is_measured_at_rest_stays() -> None:
    """A program that ends at once would cost nothing."""
    program = (
        "import idle\n"
        "with idle.fleet(3, 1) as made:\n"
        "    for words in idle.SUBJECTS.values():\n"
        "        idle.spent(made, words, 0.1)\n"
    )
    path = os.pathsep.join(str(ROOT / name) for name in ("bench", "tests", "src"))
    argv = [sys.executable, "-c", program]

    done = subprocess.run(
        argv, check=False, capture_output=True, text=True, timeout=120, env={**os.environ, "PYTHONPATH": path}
    )

    assert done.returncode == 0, done.stderr


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
