"""Starting processes: deadline, bounds, and a conversation with one."""

import posix
import time

import pytest

from scarce import descriptors
from tma.adapters import child

SH = "/bin/sh"


def test_output_errors_and_exit_code_are_kept_apart() -> None:
    """The result of a plain run."""
    done = child.run([SH, "-c", "echo out; echo err >&2; exit 3"])
    assert (done.code, done.out, done.err, done.timed_out) == (3, b"out\n", b"err\n", False)


def test_input_of_any_size_reaches_the_child() -> None:
    """A pipe takes only so much at once; the rest follows while output is read."""
    data = b"x" * 400_000
    assert child.run([SH, "-c", "cat"], stdin=data).out == data


def test_without_input_the_child_reads_an_empty_one() -> None:
    """CLI-12: standard input is closed."""
    assert child.run([SH, "-c", "cat; echo end"]).out == b"end\n"


def test_the_deadline_kills_the_whole_group() -> None:
    """WR-8: a child and its children end at the deadline."""
    started = time.monotonic()
    done = child.run([SH, "-c", "sleep 60 & echo $!; wait"], timeout_s=0.2)
    assert done.timed_out
    assert time.monotonic() - started < 10
    grandchild = int(done.out)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            posix.kill(grandchild, 0)
        except ProcessLookupError:
            return
    pytest.fail("the grandchild lives")


def test_output_past_the_limit_ends_the_child() -> None:
    """SEC-R-1: bounded memory whatever the child prints."""
    done = child.run([SH, "-c", "yes"], limit=1000, timeout_s=10)
    assert done.truncated
    assert not done.timed_out
    assert len(done.out) == 1000


def test_a_missing_program_is_an_error_and_leaks_nothing() -> None:
    """No descriptor stays open behind a failed start."""
    before = len(posix.listdir("/proc/self/fd")) if posix.uname().sysname == "Linux" else 0
    for _ in range(3):
        with pytest.raises(FileNotFoundError):
            child.run(["/no/such/program"], stdin=b"x")
    if before:
        assert len(posix.listdir("/proc/self/fd")) == before


def test_a_conversation_reads_up_to_a_mark_and_then_answers() -> None:
    """WR-1: read, decide, write in one child."""
    talk = child.Child([SH, "-c", "echo one; echo MARK; cat"], talk=True)
    assert talk.read_until(b"MARK\n") == b"one\nMARK\n"
    talk.send(b"answer")
    assert talk.finish().out == b"answer"


def test_a_child_that_ends_early_gives_no_mark() -> None:
    """The caller learns that nothing came."""
    talk = child.Child([SH, "-c", "echo one"], talk=True)
    assert talk.read_until(b"MARK\n") is None
    talk.send(b"")
    assert talk.finish().code == 0


def test_a_child_does_not_inherit_ignored_signals() -> None:
    """Python ignores SIGPIPE; a shell pipeline below must not."""
    done = child.run([SH, "-c", "trap; yes | head -1 >/dev/null; kill -PIPE $$; echo alive"])
    assert b"alive" not in done.out


@pytest.mark.parametrize("spare", [2, 4])
def test_out_of_descriptors_leaves_none_open(spare: int) -> None:
    """An OSError, as for any start that fails: whoever tries again must not run out for good."""
    with descriptors(spare):
        child.run([SH, "-c", "cat"], stdin=b"x")
