"""The settings in force, as the running program reads them: attributes, times in milliseconds.

Made from the plain settings of ``core.config`` and the environment's overrides (CFG-8).
"""

from tma.core.names import remote_commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

COMMAND_VARIABLE = "TMA_NOTIFY_CMD"
FROM_EVENT_VARIABLE = "TMA_NOTIFY_FROM_EVENT"

_TRIGGERS = ("blocked", "done", "context_high", "stall")


class Settings:
    """One configuration. Unset texts are empty; ``status`` and ``picker`` hold (glyph, colour) by class.

    ``remote`` are the commands whose screen belongs to another host (REM-4).
    ``notify`` and ``daemon`` are the tables as the file has them, ``agents`` the ``[[agent]]``
    entries, ``api`` the entries by agent, ``windows`` the known context windows by model.
    """

    __slots__ = (
        "act_log",
        "agents",
        "api",
        "blocked_decay_ms",
        "daemon",
        "dwell_ms",
        "focus_events",
        "freshness_ms",
        "hook_decay_ms",
        "notify",
        "picker",
        "remote",
        "status",
        "tmux_bin",
        "windows",
        "wrapper_ref",
    )

    def __init__(self, plain: "Mapping[str, Any]", env: "Mapping[str, str] | None" = None) -> None:
        """Read the plain settings; ``env`` gives the overrides and the home that ``~`` means."""
        env = env or {}
        fold = plain["fold"]
        self.dwell_ms: int = fold["dwell_secs"] * 1000
        self.hook_decay_ms: int = fold["hook_decay_secs"] * 1000
        self.blocked_decay_ms: int = fold["blocked_decay_secs"] * 1000
        self.freshness_ms: int = fold["freshness_secs"] * 1000
        self.status = _looks(plain["status"])
        self.picker = _looks(plain["picker"])
        self.notify = _notify(plain["notify"], env)
        self.act_log = expanded(plain["act"]["log"] or "", env)
        self.focus_events: bool = plain["focus"]["events"]
        self.wrapper_ref: str = plain["install"]["wrapper_ref"] or ""
        self.remote = remote_commands(plain["remote"])
        self.tmux_bin: str = plain["tmux"]["bin"] or ""
        self.daemon: dict[str, Any] = plain["daemon"]
        self.windows: dict[str, int] = plain["telemetry"]["windows"]
        self.agents: list[dict[str, Any]] = plain["agent"]
        self.api: dict[str, dict[str, Any]] = plain["api"]


def expanded(path: str, env: "Mapping[str, str]") -> str:
    """A path with a leading ``~`` as the home directory; left literal without one (CFG-7, PTH-11)."""
    home = env.get("HOME", "")
    if home and (path == "~" or path.startswith("~/")):
        return home + path[1:]
    return path


def _looks(table: "Mapping[str, Mapping[str, str]]") -> dict[str, tuple[str, str]]:
    return {name: (entry["glyph"], entry["color"]) for name, entry in table.items()}


def _notify(plain: "Mapping[str, Any]", env: "Mapping[str, str]") -> "dict[str, Any]":
    table = dict(plain)
    table["log"] = expanded(table["log"] or "", env)
    if FROM_EVENT_VARIABLE in env:
        table["from_event"] = env[FROM_EVENT_VARIABLE] == "1"
    command = env.get(COMMAND_VARIABLE, "")
    if command:
        table["command"] = command
        for name in _TRIGGERS:
            if table[name] is not None:
                table[name] = {**table[name], "command": None}
    return table
