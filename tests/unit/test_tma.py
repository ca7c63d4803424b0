"""The package itself."""

import re

import tma


def test_the_version_is_a_plain_release_number() -> None:
    """Upgrades compare it part by part (CFG-14, VSN-1)."""
    assert re.fullmatch(r"\d+\.\d+\.\d+", tma.__version__)
