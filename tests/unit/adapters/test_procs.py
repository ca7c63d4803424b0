"""Which process table this system gets."""

import sys

from tma.adapters import procs
from tma.adapters.procs import darwin, linux


def test_the_table_is_the_one_of_this_system() -> None:
    """Linux reads /proc and macOS asks ps (PROC-1)."""
    expected = darwin.Table if sys.platform == "darwin" else linux.Table

    assert procs.Table is expected
