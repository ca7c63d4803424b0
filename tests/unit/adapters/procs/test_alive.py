"""Whether a process is there, and its session."""

import os

import pytest

from tma.adapters.procs.alive import exists, session_of


def test_this_process_and_another_users_process_exist() -> None:
    """A process counts whoever owns it (LK-3)."""
    assert exists(os.getpid())
    assert exists(1)


@pytest.mark.parametrize("pid", [0, -1, 2**22 + 5, 2**40])
def test_an_impossible_pid_does_not_exist(pid: int) -> None:
    """Zero, negative and out-of-range numbers are no process (LK-3)."""
    assert not exists(pid)


def test_the_session_of_a_missing_process_is_zero() -> None:
    """A process that cannot be asked has no session (OWN-3)."""
    assert session_of(os.getpid()) == os.getsid(0)
    assert session_of(2**22 + 5) == 0
    assert session_of(2**40) == 0
