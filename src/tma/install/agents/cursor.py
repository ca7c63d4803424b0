"""Cursor: hooks in its ``hooks.json``, an event's handlers in one flat list."""

from collections.abc import Sequence

from tma.install import places
from tma.install.adapter import Adapter
from tma.install.channel import Channel
from tma.install.handlers import Layout
from tma.install.hooksfile import HooksFile

_LAYOUT = Layout(flat=True, head=(("version", 1),))


def channels(files: places.Places, events: Sequence[str]) -> list[Channel]:
    """The user's hooks."""
    return [HooksFile("cursor", files.of(places.CURSOR_HOOKS), events, _LAYOUT)]


ADAPTER = Adapter("cursor", channels, statusline=places.CURSOR_CLI, turn=("sessionStart", "beforeSubmitPrompt", "stop"))
