"""OpenCode: a plugin of our own in its directory of plugins."""

from collections.abc import Sequence

from tma.install import bridge, places
from tma.install.adapter import Adapter
from tma.install.channel import Channel


def channels(files: places.Places, events: Sequence[str]) -> list[Channel]:  # noqa: ARG001  # the plugin names them
    """The plugin."""
    return [bridge.own_file("opencode", files.of(places.OPENCODE), "tma OpenCode bridge")]


ADAPTER = Adapter(
    "opencode",
    channels,
    turn=("session-start", "user-prompt-submit", "stop"),
    asks="permission-required",
    checked=("1.18.33",),
)
