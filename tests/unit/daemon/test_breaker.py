"""The stall breaker."""

from tma.daemon.breaker import LONGEST_S, Breaker


def test_three_time_outs_in_a_row_open_it() -> None:
    """DSW-5: a success between them starts anew."""
    breaker = Breaker()
    assert [breaker.timed_out(0), breaker.timed_out(0)] == [False, False]
    assert not breaker.succeeded()
    assert [breaker.timed_out(0) for _ in range(3)] == [False, False, True]
    assert breaker.is_open


def test_probes_are_rarer_and_rarer() -> None:
    """DSW-5: after 1, 2, 4 … 30 s."""
    breaker = Breaker()
    waits, now = [], 0.0
    for _ in range(8):
        breaker.trip(now)
        waits.append(breaker.probe_at - now)
        now = breaker.probe_at
    assert waits == [1, 2, 4, 8, 16, LONGEST_S, LONGEST_S, LONGEST_S]


def test_only_a_probe_that_was_due_makes_the_next_one_later() -> None:
    """DSW-5: a call that began before it opened may time out after."""
    breaker = Breaker()
    breaker.trip(100)
    assert not breaker.timed_out(100.5)
    assert breaker.probe_at == 101
    breaker.timed_out(101)
    assert breaker.probe_at == 103


def test_the_first_success_closes_it() -> None:
    """DSW-5."""
    breaker = Breaker()
    breaker.trip(0)
    assert breaker.succeeded()
    assert not breaker.is_open
    assert not breaker.succeeded()
