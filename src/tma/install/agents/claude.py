"""Claude Code: hooks in ``settings.json``, no question of trust for those of the user."""

from collections.abc import Sequence

from tma.install import places
from tma.install.adapter import Adapter
from tma.install.channel import Channel
from tma.install.hooksfile import HooksFile


def channels(files: places.Places, events: Sequence[str]) -> list[Channel]:
    """The user's settings."""
    return [HooksFile("claude", files.of(places.CLAUDE), events)]


ADAPTER = Adapter(
    "claude",
    channels,
    extra=("SubagentStart", "SubagentStop"),
    statusline=places.CLAUDE,
    turn=("SessionStart", "UserPromptSubmit", "Stop"),
    asks="PermissionRequest",
    checked=("2.1.197", "2.1.332"),
)
