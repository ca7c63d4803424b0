"""The tree of expected failures."""

import pytest

from tma.core import errors


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (errors.TmaError, 1),
        (errors.UsageError, 2),
        (errors.ConfigError, 1),
        (errors.GoneError, 3),
        (errors.TmuxTimeoutError, 1),
    ],
)
def test_every_failure_carries_its_exit_code_line_and_hint(kind: type[errors.TmaError], code: int) -> None:
    """CLI exit codes: one table, one meaning each."""
    error = kind("what and where", "what to do")
    assert (error.exit_code, str(error), error.hint) == (code, "what and where", "what to do")
