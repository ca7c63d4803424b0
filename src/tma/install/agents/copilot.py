"""Copilot CLI: a hook file of our own in its directory of hook files."""

import json
from collections.abc import Sequence
from typing import Any

from tma.install import places
from tma.install.adapter import Adapter
from tma.install.channel import Channel
from tma.install.ours import command_of, reference_in
from tma.install.ownfile import OwnFile
from tma.install.wrapper import Reference


def channels(files: places.Places, events: Sequence[str]) -> list[Channel]:
    """The hook file."""
    return [OwnFile("copilot", files.of(places.COPILOT), lambda word: _written(events, word), _reference_in)]


def _written(events: Sequence[str], word: str) -> str:
    shell = Reference(word, "").shell
    hooks = {event: [{"type": "command", "bash": command_of("copilot", event, shell)}] for event in events}
    return json.dumps({"version": 1, "hooks": hooks}, indent=2, ensure_ascii=False) + "\n"


def _reference_in(text: str) -> str:
    """The wrapper that every command names; a file with any other command is not ours (EDT-9)."""
    try:
        hooks: dict[str, list[dict[str, Any]]] = json.loads(text)["hooks"]
        commands = [(event, handler.get("bash")) for event, handlers in hooks.items() for handler in handlers]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return ""
    words = {reference_in(command, "copilot", event) for event, command in commands}
    return words.pop() if len(words) == 1 else ""


ADAPTER = Adapter(
    "copilot",
    channels,
    turn=("sessionStart", "userPromptSubmitted", "agentStop"),
    asks="permissionRequest",
    checked=("1.0.102",),
)
