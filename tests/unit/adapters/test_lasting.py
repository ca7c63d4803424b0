"""Children that outlast a call."""

import os
import select
from pathlib import Path

import pytest

from harness import until
from scarce import descriptors
from tma.adapters import lasting


def read_all(fd: int) -> bytes:
    """What a pipe gives until its end."""
    whole = b""
    while select.select([fd], [], [], 20)[0]:
        data = os.read(fd, 4096)
        if not data:
            break
        whole += data
    return whole


def test_a_piped_child_is_talked_to_and_never_blocks() -> None:
    """DCC-1: standard input kept open, errors discarded."""
    child = lasting.Piped(["/bin/sh", "-c", "echo lost >&2; read line; echo got $line"])
    with pytest.raises(BlockingIOError):
        os.read(child.stdout, 1)
    os.write(child.stdin, b"word\n")
    assert read_all(child.stdout) == b"got word\n"
    until(child.reaped, what="its end")
    assert child.reaped()
    child.close()


def test_a_killed_child_is_gone_with_its_group() -> None:
    """DLC-14."""
    child = lasting.Piped(["/bin/sh", "-c", "sleep 1000 & wait"])
    child.kill()
    assert read_all(child.stdout) == b""
    until(child.reaped, what="its end")
    child.close()


def test_a_program_that_is_not_there_leaves_nothing_open() -> None:
    """An OSError, and no descriptor."""
    before = len(list(Path("/dev/fd").iterdir()))
    with pytest.raises(OSError, match="No such file"):
        lasting.Piped(["/nonexistent"])
    assert len(list(Path("/dev/fd").iterdir())) == before


def test_a_detached_child_is_nobodys(tmp_path: Path) -> None:
    """DLC-4: its own session, cwd /, no input, no descriptors, no zombie."""
    told = tmp_path / "told"
    script = "{ pwd; cat; ls /proc/$$/fd | tr '\\n' ' '; ps -o sid=,ppid= -p $$; echo $X; }"
    script += f" > {told}.part; mv {told}.part {told}"
    held = os.open("/dev/null", os.O_RDONLY)
    os.set_inheritable(held, True)  # noqa: FBT003
    log = os.open(tmp_path / "log", os.O_WRONLY | os.O_CREAT)
    lasting.detach(["/bin/sh", "-c", f"echo err >&2; {script}"], env={"PATH": "/usr/bin:/bin", "X": "y"}, err=log)
    until(told.exists, what="its end")
    where, descriptors, ids, variable = told.read_text().replace(" \n", "\n").split("\n", 3)[0], *_rest(told)
    assert (where, variable) == ("/", "y")
    assert str(held) not in descriptors.split()
    session, parent = ids.split()
    assert int(session) != os.getsid(0)
    assert int(parent) != os.getpid()
    assert (tmp_path / "log").read_text() == "err\n"
    os.close(held)
    os.close(log)


def _rest(told: Path) -> tuple[str, str, str]:
    _, mixed, variable = told.read_text().rstrip("\n").split("\n")
    words = mixed.split()
    return " ".join(words[:-2]), " ".join(words[-2:]), variable


def test_a_program_that_cannot_be_started_is_told() -> None:
    """CDM-2: exit 1 if the spawn failed."""
    with pytest.raises(OSError, match="No such file"):
        lasting.detach(["/nonexistent"], env={}, err=2)


def fill(child: lasting.Piped) -> None:
    """Write until nothing more is taken."""
    while child.write(b"x" * 4096):
        pass


def test_one_is_asked_to_leave_by_a_blank_line_and_killed_if_it_takes_none() -> None:
    """DLC-14, DCC-15: as a control client of tmux's own is."""
    willing = lasting.Piped(["/bin/sh", "-c", "read line; echo got $line."])
    (fd,) = willing.watched
    willing.leave()
    select.select([fd], [], [], 20)
    assert willing.read(100) == b"got .\n"
    deaf = lasting.Piped(["/bin/sleep", "1000"])
    with pytest.raises(BlockingIOError):
        fill(deaf)
    deaf.leave()
    for child in (willing, deaf):
        assert read_all(child.stdout) == b""
        until(child.reaped, what="its end")
        child.close()


def test_a_guard_kills_what_it_protects_when_we_are_gone() -> None:
    """And nothing when it is let go."""
    spared, doomed = (lasting.Piped(["/bin/sleep", "1000"]) for _ in range(2))
    guard = lasting.Guard()
    guard.protect([spared.pid])
    guard.close()
    until(guard.reaped, what="the guard's end")
    guard = lasting.Guard()
    guard.protect([spared.pid, doomed.pid])
    guard.protect([doomed.pid])
    guard._process.close()
    until(doomed.reaped, what="the protected one's end")
    until(guard.reaped, what="the guard's end")
    assert not spared.reaped()
    for child in (spared, doomed):
        child.close()
    spared.kill()
    until(spared.reaped, what="its end")


@pytest.mark.parametrize("spare", [0, 2])
def test_out_of_descriptors_leaves_none_open(spare: int) -> None:
    """An OSError, as for any start that fails: whoever tries again must not run out for good."""
    with descriptors(spare):
        lasting.Piped(["/bin/sh", "-c", ":"])
