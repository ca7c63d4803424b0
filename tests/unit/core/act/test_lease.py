"""The lock's value, and the formats by which the server decides about it."""

import pytest

from acting import NONCE, NOW
from tma.core.act import lease
from tma.core.act.lease import Lock

LOCK = Lock(NOW + 35_000, NONCE, 4711, "approve")


def test_a_lock_reads_back_as_it_was_written() -> None:
    """LK-1, FZ-4."""
    assert lease.parse(LOCK.text) == LOCK


@pytest.mark.parametrize(
    "text", ["", "x", "1:2:3", f"x:{NONCE}:1:a", "1::1:a", f"1:{NONCE}:x:a", f"-1:{NONCE}:1:a", ":::"]
)
def test_garbage_is_no_lock(text: str) -> None:
    """LK-1: wrong integers or an empty nonce."""
    assert lease.parse(text) is None


def test_a_name_may_hold_colons_in_a_foreign_value() -> None:
    """LK-1: only the first three colons split."""
    found = lease.parse(f"1:{NONCE}:2:a:b")
    assert found is not None
    assert found.name == "a:b"


@pytest.mark.parametrize(
    ("age", "alive", "held"),
    [(-1, False, True), (0, False, False), (0, True, True), (3_600_000, True, True), (3_600_001, True, False)],
)
def test_an_expired_lock_is_held_only_by_the_living(age: int, alive: bool, held: bool) -> None:  # noqa: FBT001
    """LK-3, LK-6: for an hour at most."""
    assert lease.is_held(LOCK, LOCK.expiry + age, alive=alive) is held


def test_no_lock_is_held_by_nobody() -> None:
    """LK-6."""
    assert not lease.is_held(None, NOW, alive=True)


@pytest.mark.parametrize("name", ["a b", "a,b", "a}b", "#{x}", "é"])
def test_a_name_that_may_not_enter_a_format_is_refused(name: str) -> None:
    """ACT-Q-2: whatever went wrong before, it never reaches the server."""
    with pytest.raises(ValueError, match="safe set"):
        lease.taken(LOCK._replace(name=name), NOW)
    with pytest.raises(ValueError, match="safe set"):
        lease.handed_over(LOCK._replace(name=name))


def test_a_nonce_that_may_not_enter_a_format_is_refused() -> None:
    """ACT-Q-2."""
    with pytest.raises(ValueError, match="safe set"):
        lease.released("*,1}")
