"""The agent's own state file, found by the agent's own environment."""

import os
from pathlib import Path

import pytest

from tma.services import published

PID = 4242


class Processes:
    """A process table that knows one environment."""

    def __init__(self, **variables: str) -> None:
        self.variables = variables

    def variable(self, pid: int, name: str) -> str:
        """A variable of the one process."""
        return self.variables.get(name, "") if pid == PID else ""

    def started_ms(self, started: str) -> int:
        """The start as given."""
        return int(started)


def state_file(home: Path, text: str) -> Path:
    """A session file below an agent's directory."""
    file = home / "sessions" / f"{PID}.json"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    return file


def test_the_file_is_looked_for_in_the_agents_own_directory(tmp_path: Path) -> None:
    """APS-1: people have several accounts; the agent's environment decides."""
    file = state_file(tmp_path / "work", "{}")
    os.utime(file, (5, 5))
    procs = Processes(CLAUDE_CONFIG_DIR=str(tmp_path / "work"))
    assert published.read(PID, "77", procs) == ("{}", 5000, 77)  # type: ignore[arg-type]
    assert published.read(PID, "77", Processes(HOME=str(tmp_path))) is None  # type: ignore[arg-type]


def test_without_one_it_lies_below_home(tmp_path: Path) -> None:
    """APS-1: the usual place."""
    state_file(tmp_path / ".claude", "x")
    assert published.read(PID, "1", Processes(HOME=str(tmp_path))) is not None  # type: ignore[arg-type]


@pytest.mark.parametrize("fault", ["large", "link", "fifo", "absent", "relative"])
def test_anything_but_a_small_plain_file_is_no_evidence(tmp_path: Path, fault: str) -> None:
    """APS-2, SEC-F-6: no error, no hang."""
    file = state_file(tmp_path, "{}")
    if fault == "large":
        file.write_text("x" * (published.MAX_BYTES + 1))
    elif fault != "relative":
        file.unlink()
        if fault == "link":
            file.symlink_to("/etc/passwd")
        elif fault == "fifo":
            os.mkfifo(file)
    procs = Processes(CLAUDE_CONFIG_DIR="relative" if fault == "relative" else str(tmp_path))
    assert published.read(PID, "1", procs) is None  # type: ignore[arg-type]
