"""Compiling a pattern in silence."""

import pytest

from tma.core.detect.regex import compiled


@pytest.mark.parametrize("pattern", ["[[(]y", "[^[]y", "[a&&b]y", "[a||b]y", "[a~~b]y"])
def test_a_set_that_python_warns_about_compiles_in_silence(pattern: str) -> None:
    """HOOK-1: a hook prints nothing, a warning included (warnings are errors in this suite)."""
    assert compiled(pattern).search("z") is None
