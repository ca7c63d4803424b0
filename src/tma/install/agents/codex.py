"""Codex: hooks in ``hooks.json``, which it runs after a review, and ``notify`` in ``config.toml``."""

from collections.abc import Sequence

from tma.install import places
from tma.install.adapter import Adapter
from tma.install.channel import Channel
from tma.install.hooksfile import HooksFile
from tma.install.notify import KEY, Notify


def channels(files: places.Places, events: Sequence[str]) -> list[Channel]:
    """The hooks, and the program that is told of a turn's end."""
    hooks = HooksFile("codex", files.of(places.CODEX_HOOKS), [event for event in events if event != KEY])
    return [hooks, Notify(files.of(places.CODEX_CONFIG))]


ADAPTER = Adapter(
    "codex",
    channels,
    extra=("SubagentStart", "SubagentStop"),
    turn=("SessionStart", "UserPromptSubmit", "Stop"),
    asks="PermissionRequest",
    checked=("0.171.0",),
    gate="Codex asks you to review new and changed hooks at its next start, or under /hooks; until then it runs none",
)
