"""Gemini CLI: hooks in ``settings.json``, which it runs in trusted folders only."""

from collections.abc import Sequence

from tma.install import places
from tma.install.adapter import Adapter
from tma.install.channel import Channel
from tma.install.hooksfile import HooksFile


def channels(files: places.Places, events: Sequence[str]) -> list[Channel]:
    """The user's settings."""
    return [HooksFile("gemini", files.of(places.GEMINI), events)]


ADAPTER = Adapter(
    "gemini",
    channels,
    turn=("SessionStart", "BeforeAgent", "AfterAgent"),
    asks="Notification",
    checked=("0.61.0",),
    gate="Gemini runs hooks in folders that you trust; answer its question, or use /permissions",
)
