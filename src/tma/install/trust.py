"""Gates that keep an agent from running wired hooks: read, never written, never bypassed (TRU-1, TRU-2)."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tma.install import places
from tma.install.dialect import FaultError, RefusedError, decode
from tma.install.jsontree import ARRAY, NUMBER, OBJECT, WORD, Node, parse
from tma.install.ours import reference_in
from tma.install.target import read
from tma.install.tomledit import load

TRUSTED, CHANGED, UNTRUSTED, OFF, UNKNOWN = "trusted", "changed", "untrusted", "off", "unknown"

MANAGED = ("/etc/claude-code", "/Library/Application Support/ClaudeCode")
"""Where an administrator's settings of Claude Code lie."""

_MANAGED_FILE, _MANAGED_PARTS = "managed-settings.json", "managed-settings.d/*.json"

_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")
_DEFAULT_S, _SHORT_S = 600, 1
_SHORT = ("session_end", "interrupt")


def gate(agent: str, files: places.Places, directory: str) -> str | None:
    """How an agent's gate stands for a pane in ``directory``; None for an agent without one (§9)."""
    try:
        if agent == "codex":
            return _codex(files)
        if agent == "gemini":
            return _gemini(files, directory)
        if agent in _SWITCHES:
            closed = is_managed(agent) or any(each.get("disableAllHooks") is True for each in _SWITCHES[agent](files))
            return OFF if closed else TRUSTED
    except (ValueError, RefusedError, AttributeError, TypeError):
        return UNKNOWN
    return None


def is_managed(agent: str) -> bool:
    """Whether an administrator's settings keep an agent from the user's hooks."""
    try:
        return agent == "claude" and any(
            settings.get(key) is True for settings in _managed() for key in ("disableAllHooks", "allowManagedHooksOnly")
        )
    except (ValueError, RefusedError, AttributeError, TypeError):
        return False


def shared_daemon(files: places.Places) -> bool:
    """Whether Codex may run the hooks of all its windows in one process (OWN-5)."""
    try:
        features = _toml(files.of(places.CODEX_CONFIG)).get("features", {})
    except (FaultError, RefusedError):
        return False
    return not (isinstance(features, dict) and features.get("daemon_auto_start") is False)


def codex_hash(event: str, handler: dict[str, Any]) -> str:
    """What Codex stores when a person trusts a handler (seen on 0.171.0)."""
    timeout = handler.get("timeout", _SHORT_S if event in _SHORT else _DEFAULT_S)
    entry = {"async": False, "command": handler.get("command"), "timeout": timeout, "type": "command"}
    text = json.dumps(
        {"event_name": event, "hooks": [entry]}, separators=(",", ":"), sort_keys=True, ensure_ascii=False
    )
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def _managed() -> list[dict[str, Any]]:
    directories = [Path(directory) for directory in MANAGED]
    paths = [path for each in directories for path in (each / _MANAGED_FILE, *sorted(each.glob(_MANAGED_PARTS)))]
    return [_json(str(path)) for path in paths]


_SWITCHES: dict[str, Callable[[places.Places], list[dict[str, Any]]]] = {
    "claude": lambda files: [_json(files.of(places.CLAUDE))],
    "qwen": lambda files: [_json(files.of(places.QWEN))],
    "copilot": lambda files: [
        _json(str(Path(files.of(places.COPILOT)).parent.with_name(name))) for name in ("config.json", "settings.json")
    ],
}
"""Where a person may switch the hooks of an agent off that asks no question of trust."""


def _codex(files: places.Places) -> str | None:
    config = _toml(files.of(places.CODEX_CONFIG))
    if config.get("features", {}).get("hooks") is False:
        return OFF
    path = files.of(places.CODEX_HOOKS)
    states = config.get("hooks", {}).get("state", {})
    found = {
        _judged(states.get(f"{path}:{event}:{place}"), event, handler) for event, place, handler in _handlers(path)
    }
    return next((each for each in (UNTRUSTED, CHANGED, UNKNOWN, TRUSTED) if each in found), None)


def _judged(stored: object, event: str, handler: dict[str, Any]) -> str:
    if stored is None:
        return UNTRUSTED
    if not isinstance(stored, dict) or not str(stored.get("trusted_hash", "")).startswith("sha256:"):
        return UNKNOWN
    return TRUSTED if stored["trusted_hash"] == codex_hash(event, handler) else CHANGED


def _handlers(path: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Our handlers, each with its event in snake case and its place as ``group:handler``."""
    hooks = _json(path).get("hooks", {})
    for event, groups in hooks.items():
        for group_at, group in enumerate(groups):
            for at, handler in enumerate(group.get("hooks", [])):
                if reference_in(handler.get("command"), "codex", event):
                    yield _CAPITAL.sub("_", event).lower(), f"{group_at}:{at}", handler


def _gemini(files: places.Places, directory: str) -> str:
    settings = _json(files.of(places.GEMINI))
    if settings.get("hooksConfig", {}).get("enabled") is False:
        return OFF
    if settings.get("security", {}).get("folderTrust", {}).get("enabled") is False:
        return TRUSTED
    named = files.env.get("GEMINI_CLI_TRUSTED_FOLDERS_PATH")
    folders = _json(named or str(Path(files.of(places.GEMINI)).with_name("trustedFolders.json")))
    for parent in (Path(directory), *Path(directory).parents):
        word = folders.get(str(parent))
        if word is not None:
            return UNTRUSTED if word == "DO_NOT_TRUST" else TRUSTED
        if folders.get(str(parent / "_")) == "TRUST_PARENT":
            return TRUSTED
    return UNTRUSTED


def _toml(path: str) -> dict[str, Any]:
    return load(decode(read(path).data or b"").text)


def _json(path: str) -> dict[str, Any]:
    root = parse(decode(read(path).data or b"").text).root
    value = _value(root) if root else {}
    return value if isinstance(value, dict) else {}


def _value(node: Node) -> Any:  # noqa: ANN401  # any JSON value
    if node.kind == OBJECT:
        return {entry.key: _value(entry.node) for entry in node.entries}
    if node.kind == ARRAY:
        return [_value(each) for each in node.elements()]
    return json.loads(str(node.scalar)) if node.kind in {NUMBER, WORD} else node.scalar
