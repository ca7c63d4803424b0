"""The process's surroundings."""

import pytest

from tma.adapters import system


def test_an_empty_variable_counts_as_unset() -> None:
    """GLO-6: only `is_set` tells them apart."""
    assert system.env("TMA_SURELY_NOT_SET") == ""
    assert not system.is_set("TMA_SURELY_NOT_SET")
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
