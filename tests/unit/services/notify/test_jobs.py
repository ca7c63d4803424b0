"""Programs of notices: few at a time, none for long."""

import os
from pathlib import Path

import pytest

from harness import until
from tma.services.notify import jobs
from tma.services.notify.jobs import Job, Runner
from tma.services.notify.results import Outcome


def job(command: str, *, timeout_s: int = 10, said: list[str] | None = None, stdin: bytes = b"") -> Job:
    """A shell command as a job; ``said`` collects why it failed."""
    ended = None if said is None else said.append
    return Job("command", "", ["/bin/sh", "-c", command], stdin, {"PATH": os.environ["PATH"]}, timeout_s, ended)


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    """A runner with slots of its own."""
    return Runner({"XDG_RUNTIME_DIR": str(tmp_path)})


@pytest.mark.parametrize(
    ("command", "result", "reason"),
    [
        ("true", "ok", ""),
        ("exit 7", "failed", "exited 7"),
        ("/no/such", "failed", "exited 127"),
        ("kill -9 $$", "failed", "killed by signal 9"),
    ],
)
def test_how_a_command_ended_is_told(runner: Runner, command: str, result: str, reason: str) -> None:
    """NTF-4, DLV-2."""
    said: list[str] = []
    assert runner.start(job(command, said=said)) is None
    assert runner.finish() == [Outcome("command", "", result, reason)]
    assert said == [reason]


def test_a_program_that_is_not_there_is_told(runner: Runner) -> None:
    """NTF-4."""
    said: list[str] = []
    outcome = runner.start(job("", said=said)._replace(argv=["/no/such"]))
    assert outcome == Outcome("command", "", "failed", "spawn failed: No such file or directory")
    assert said == [outcome.detail]
    assert not runner.busy


@pytest.mark.parametrize("leader", ["trap '' TERM;", ""])
def test_a_late_program_is_ended_with_its_children(
    runner: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leader: str
) -> None:
    """CMD-2: first kindly, then not; a child that ignores the first goes as well."""
    monkeypatch.setattr(jobs, "GRACE_S", 0.2)
    pid = tmp_path / "pid"
    command = f"{leader} sh -c 'trap \"\" TERM; echo $$ > {pid}; while :; do sleep 1; done' & wait; sleep 9"
    runner.start(job(command, timeout_s=0))
    until(lambda: pid.exists() and pid.read_text())
    assert runner.finish() == [Outcome("command", "", "timeout", "timed out after 0s")]
    until(lambda: not Path(f"/proc/{pid.read_text().strip()}").exists() or _is_zombie(pid.read_text().strip()))


def test_a_program_reads_its_text_and_nobody_its_output(runner: Runner, tmp_path: Path) -> None:
    """CMD-1."""
    out = tmp_path / "out"
    runner.start(job(f"cat > {out}; echo noise; echo noise >&2", stdin=b"told\n"))
    runner.finish()
    assert out.read_bytes() == b"told\n"


def test_eight_run_at_a_time_for_all_processes_of_a_user(tmp_path: Path) -> None:
    """CMD-3: what finds no slot is told so at once, and a slot is free again with its program's end."""
    env = {"XDG_RUNTIME_DIR": str(tmp_path)}
    first, second = Runner(env), Runner(env)
    started = [runner.start(job("sleep 60")) for runner in (first, second) * 4]
    assert started == [None] * 8
    assert first.start(job("true")) == Outcome("command", "", "dropped", "busy")
    second.kill()
    assert first.start(job("true")) is None
    assert [each.result for each in _ended(first)] == ["ok"]
    first.kill()
    assert not first.busy


def test_without_a_place_for_slots_programs_still_run(tmp_path: Path) -> None:
    """PTH-5: an unusable directory silences nobody."""
    (tmp_path / "tma").symlink_to("/nonexistent")
    runner = Runner({"XDG_RUNTIME_DIR": str(tmp_path)})
    runner.start(job("true"))
    assert [each.result for each in runner.finish()] == ["ok"]


def _ended(runner: Runner) -> list[Outcome]:
    return until(runner.poll)


def _is_zombie(pid: str) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
