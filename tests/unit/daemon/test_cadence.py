"""When sweeps are due."""

from tma.daemon.cadence import BLIND_S, Cadence


def sweep(cadence: Cadence, *, wrote: bool = False) -> float:
    """One sweep at its time; the interval after it."""
    cadence.started(cadence.due)
    cadence.ended(wrote=wrote)
    return cadence.interval_s


def test_the_first_is_one_interval_after_the_start() -> None:
    """DSW-1."""
    assert Cadence(45, 100).due == 145


def test_quiet_sweeps_double_the_interval_up_to_eight_times() -> None:
    """DSW-2: after two in a row."""
    cadence = Cadence(45, 0)
    assert [sweep(cadence) // 45 for _ in range(6)] == [1, 2, 4, 8, 8, 8]


def test_whatever_happens_restores_it() -> None:
    """DSW-2: output, a line about sessions, a frame, a write."""
    cadence = Cadence(45, 0)
    for _ in range(4):
        sweep(cadence)
    cadence.stir()
    assert cadence.interval_s == 45
    assert [sweep(cadence) // 45 for _ in range(4)] == [1, 1, 2, 4]
    assert sweep(cadence, wrote=True) == 45


def test_a_test_cadence_does_not_stretch() -> None:
    """DSW-2."""
    cadence = Cadence(1, 0, fixed=True)
    assert {sweep(cadence) for _ in range(5)} == {1}


def test_what_only_sweeps_see_is_swept_often() -> None:
    """DCC-3, DCC-16: at most every 5 s, whatever the stretch."""
    cadence = Cadence(45, 0)
    for _ in range(4):
        sweep(cadence)
    cadence.is_blind = True
    assert cadence.interval_s == BLIND_S
    short = Cadence(2, 0)
    short.is_blind = True
    assert short.interval_s == 2


def test_time_that_stood_still_is_noticed() -> None:
    """DEL-5: more than twice the interval."""
    cadence = Cadence(10, 0)
    assert not cadence.is_late(19)
    assert cadence.is_late(21)


def test_an_interval_that_shrank_makes_nothing_late() -> None:
    """DEL-5: a sweep is due at once, but time did not stand still."""
    cadence = Cadence(10, 0)
    for _ in range(5):
        sweep(cadence)
    quiet, last = cadence.due - 1, cadence.due - cadence.interval_s
    cadence.stir()
    assert cadence.due < quiet
    assert not cadence.is_late(quiet)
    cadence.is_blind = True
    assert not cadence.is_late(quiet)
    assert cadence.is_late(last + 161)
    cadence.started(quiet)
    assert cadence.is_late(quiet + 21)


def test_another_interval_counts_at_once() -> None:
    """DRL-1: but not over a test cadence."""
    cadence, fixed = Cadence(45, 0), Cadence(1, 0, fixed=True)
    for each in (cadence, fixed):
        each.adopt(10)
    assert (cadence.due, fixed.due) == (10, 1)
