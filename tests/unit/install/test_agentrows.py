"""Doctor's rows; whole reports are tested on real servers."""

import pytest

from tma.install import agentrows


def test_every_reason_for_a_low_tier_says_what_helps() -> None:
    """DOC-4, DOC-8."""
    reasons = {status: text.format(agent="pi") for status, text in agentrows._TIERS.items()}

    assert reasons["not_installed"] == "hooks not installed: tma install-hooks pi"
    assert set(reasons) == {"not_installed", agentrows.HOOKLESS, agentrows.NO_ADAPTER}


@pytest.mark.parametrize("status", ["wired", "incomplete"])
def test_a_wired_pane_lacks_the_daemon_only(status: str) -> None:
    """DJ-1: no reason of wiring stands between it and the highest tier."""
    assert status not in agentrows._TIERS
