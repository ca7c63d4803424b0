"""What doctor says about the user's own files that is no fault: an entry without effect, or one with a price."""

from collections.abc import Iterator
from typing import Any

from tma.adapters import files
from tma.core import endpoint
from tma.core.kinds import is_picker_color
from tma.core.names import REMOTE_COMMANDS
from tma.install.setup import Setup
from tma.services.actions import Actions
from tma.services.loading import CONFIG_LIMIT, toml_of


def of_configuration(setup: Setup) -> list[str]:
    """Colors that no surface knows, agents that are talked to beyond this machine, another list of REM-4 (CFG-13)."""
    path = setup.runtime.options.config or files.config_file(setup.env)
    found = [
        f"{path}: [picker] {name} color {color!r} is not known; the usual one is shown"
        for name, color in _picker_colors(path)
        if not is_picker_color(color)
    ]
    settings = setup.runtime.settings
    return [*found, *_remote(settings.api, path), *_far_commands(settings.remote, path)]


def of_agents(setup: Setup) -> list[str]:
    """``[[agent]]`` entries that name no manifest."""
    entries = setup.runtime.settings.agents
    known = {*setup.runtime.names, *(entry["name"] for entry in entries if not entry["enabled"])}
    return [f"[[agent]] {name} names no manifest" for name in _names(entries) if name not in known]


def of_actions(setup: Setup, loaded: Actions) -> list[str]:
    """Actions for agents that no manifest describes (ACTM-LOAD-5)."""
    known = {*setup.runtime.names, *_names(setup.runtime.settings.agents)}
    pairs = ((action, agent) for action in loaded.usable for agent in action.agents)
    return [
        f"{action.name} names {agent}, which no manifest describes" for action, agent in pairs if agent not in known
    ]


def _names(entries: list[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(str(entry["name"]) for entry in entries))


def _remote(api: dict[str, dict[str, Any]], path: str) -> Iterator[str]:
    for agent, entry in api.items():
        address = endpoint.parse(entry.get("api_base") or "")
        if entry.get("allow_remote") and address is not None and not address.is_loopback:
            yield f"{path}: answers to {agent} may go to {address.host}, beyond this machine (allow_remote)"


def _far_commands(listed: frozenset[str], path: str) -> Iterator[str]:
    """What ``[remote]`` changes of the built-in list (REM-4)."""
    for name in sorted(listed ^ REMOTE_COMMANDS):
        change = "leads to another host" if name in listed else "leads nowhere else"
        yield f"{path}: [remote] {name} {change}"


def _picker_colors(path: str) -> Iterator[tuple[str, str]]:
    """The colors as written; what was read of them keeps only those that are known."""
    try:
        looks = toml_of(files.read_trusted(path, CONFIG_LIMIT)).get("picker", {})
    except (OSError, ValueError):
        return
    for name, look in looks.items():
        if isinstance(color := look.get("color"), str):
            yield name, color
