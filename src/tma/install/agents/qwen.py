"""Qwen Code: hooks in ``settings.json``, in the manner of Claude."""

from collections.abc import Sequence

from tma.install import places
from tma.install.adapter import Adapter
from tma.install.channel import Channel
from tma.install.hooksfile import HooksFile


def channels(files: places.Places, events: Sequence[str]) -> list[Channel]:
    """The user's settings."""
    return [HooksFile("qwen", files.of(places.QWEN), events)]


ADAPTER = Adapter(
    "qwen",
    channels,
    turn=("SessionStart", "UserPromptSubmit", "Stop"),
    asks="PermissionRequest",
    checked=("0.15.10", "0.24.4"),
)
