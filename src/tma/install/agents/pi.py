"""pi: an extension of our own in its directory of extensions."""

from collections.abc import Sequence

from tma.install import bridge, places
from tma.install.adapter import Adapter
from tma.install.channel import Channel


def channels(files: places.Places, events: Sequence[str]) -> list[Channel]:  # noqa: ARG001  # the extension names them
    """The extension."""
    return [bridge.own_file("pi", files.of(places.PI), "tma pi bridge")]


ADAPTER = Adapter(
    "pi",
    channels,
    turn=("session_start", "agent_start", "agent_settled"),
    asks="ui_prompt_start",
    checked=("0.74.2", "1.6.0"),
)
