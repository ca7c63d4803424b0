"""What doctor examines; whole reports are tested on real servers."""

from pathlib import Path
from typing import Any

import pytest

from tma.install import findings, health
from tma.install.health import COMM_MAX


def test_the_kernel_keeps_fifteen_characters() -> None:
    """DOC-2: a longer process name needs its cut form."""
    assert COMM_MAX == 15


def test_every_reason_for_a_low_tier_says_what_helps() -> None:
    """DOC-4, DOC-8."""
    reasons = {status: text.format(agent="pi") for status, text in health._TIERS.items()}

    assert reasons["not_installed"] == "hooks not installed: tma install-hooks pi"
    assert set(reasons) == {"not_installed", health.HOOKLESS, health.NO_ADAPTER}


def test_a_runtime_directory_that_others_can_write_to_is_a_fault(tmp_path: Path) -> None:
    """CDO-3: named, with what to do."""
    (tmp_path / "tma").mkdir()
    (tmp_path / "tma").chmod(0o777)
    setup: Any = type("Run", (), {})()
    setup.env = {"XDG_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path)}
    setup.places = type("Places", (), {"of": staticmethod(lambda _: "")})()

    (fault,) = findings.faults(setup)

    assert str(tmp_path / "tma") in fault


@pytest.mark.parametrize("status", ["wired", "incomplete"])
def test_a_wired_pane_lacks_the_daemon_only(status: str) -> None:
    """DJ-1: no reason of wiring stands between it and the highest tier."""
    assert status not in health._TIERS
