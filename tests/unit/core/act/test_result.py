"""Outcomes and their exit codes."""

import pytest

from tma.core.act import result
from tma.core.act.result import Result, ended, exited, failed, refused, vanished, worst

LADDER = [
    ended(result.SENT),
    refused("locked"),
    refused("gated"),
    vanished(),
    ended(result.TIMEOUT),
    exited(7),
    failed("x"),
]


@pytest.mark.parametrize(
    ("given", "code", "reason"),
    [
        (ended(result.SENT), 0, None),
        (ended(result.REPLIED), 0, None),
        (ended(result.SPAWNED), 0, None),
        (exited(0), 0, None),
        (exited(7), 7, None),
        (exited(-9), 137, None),
        (ended(result.TIMEOUT), 124, None),
        (refused("gated"), 4, "gated"),
        (refused("locked"), 5, "locked"),
        (vanished(), 3, "pane-gone"),
        (vanished("request-gone"), 3, "request-gone"),
        (failed("why"), 1, None),
    ],
)
def test_each_outcome_has_one_exit_code(given: Result, code: int, reason: str | None) -> None:
    """AJ-1, ACT-EXEC-6."""
    assert (given.exit_code, given.reason) == (code, reason)


def test_the_worst_of_many_decides() -> None:
    """AJ-4: the ladder, whatever the order of firing."""
    for index in range(1, len(LADDER) + 1):
        assert worst(LADDER[:index]) == LADDER[index - 1].exit_code
        assert worst(LADDER[:index][::-1]) == LADDER[index - 1].exit_code


def test_the_last_among_equals_decides() -> None:
    """AJ-4."""
    assert worst([exited(3), exited(9)]) == 9
    assert worst([exited(9), exited(3)]) == 3
