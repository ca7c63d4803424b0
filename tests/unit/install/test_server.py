"""What uninstall takes from a server."""

from tma.core import stamp
from tma.install.server import PANE_OPTIONS


def test_every_option_of_ours_goes_and_the_users_stay() -> None:
    """RM-3: each by its name; ``@agent_ignore`` and the plugin's settings are the user's."""
    assert {*stamp.DEREG, stamp.ACTION, stamp.MUTE_UNTIL, stamp.WATCH_PID} <= set(PANE_OPTIONS)
    assert stamp.IGNORE not in PANE_OPTIONS
    assert len(PANE_OPTIONS) == len(set(PANE_OPTIONS))
