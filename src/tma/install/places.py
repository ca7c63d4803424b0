"""Which files are wired: a flag, then tma's variable, then the agent's own, then the default (PAT-1, PAT-2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tma.adapters import files


@dataclass(frozen=True)
class Place:
    """One file: its option and variables, and where it is without them.

    ``directory`` is the agent's variable for its directory and ``below`` the file's path in it;
    ``usual`` is that directory below HOME.
    """

    option: str
    variable: str
    directory: str
    usual: str
    below: str


CLAUDE, GEMINI, QWEN = "settings", "gemini_settings", "qwen_settings"
CODEX_CONFIG, CODEX_HOOKS = "codex_config", "codex_hooks"
CURSOR_HOOKS, CURSOR_CLI = "cursor_hooks", "cursor_cli_config"
OPENCODE, PI, COPILOT = "opencode_plugin", "pi_extension", "copilot_hooks"

PLACES = {
    CLAUDE: Place("--settings", "TMA_CLAUDE_SETTINGS", "CLAUDE_CONFIG_DIR", ".claude", "settings.json"),
    GEMINI: Place("--gemini-settings", "TMA_GEMINI_SETTINGS", "", ".gemini", "settings.json"),
    QWEN: Place("", "TMA_QWEN_SETTINGS", "", ".qwen", "settings.json"),
    CODEX_CONFIG: Place("--codex-config", "TMA_CODEX_CONFIG", "CODEX_HOME", ".codex", "config.toml"),
    CODEX_HOOKS: Place("--codex-hooks", "TMA_CODEX_HOOKS", "CODEX_HOME", ".codex", "hooks.json"),
    CURSOR_HOOKS: Place("--cursor-hooks", "TMA_CURSOR_HOOKS", "", ".cursor", "hooks.json"),
    CURSOR_CLI: Place("--cursor-cli-config", "TMA_CURSOR_CLI_CONFIG", "", ".cursor", "cli-config.json"),
    OPENCODE: Place("--opencode-plugin", "TMA_OPENCODE_PLUGIN", "OPENCODE_CONFIG_DIR", "", "plugin/tma.js"),
    PI: Place("--pi-extension", "TMA_PI_EXTENSION", "PI_CODING_AGENT_DIR", ".pi/agent", "extensions/tma.js"),
    COPILOT: Place("", "", "COPILOT_HOME", ".copilot", "hooks/tma.json"),
}
"""Every file by the name of its option; opencode's usual directory follows XDG_CONFIG_HOME."""

DIRECTORIES = (*dict.fromkeys(p.directory for p in PLACES.values() if p.directory), "XDG_CONFIG_HOME", "HOME")
"""The variables by which agents themselves find their files."""


class Places:
    """The files of one run; a file that nothing names is "" (PTH-11)."""

    def __init__(self, env: Mapping[str, str], given: Mapping[str, str] | None = None) -> None:
        """Keep the environment and what options gave, by option name."""
        self.env = env
        self._given = given or {}

    def of(self, name: str) -> str:
        """The path of a file."""
        place = PLACES[name]
        named = self._given.get(name) or (self.env.get(place.variable) if place.variable else "")
        if named:
            return str(Path(named).absolute())
        own = self.env.get(place.directory, "") if place.directory else ""
        directory = own or (self._config("opencode") if name == OPENCODE else self._home(place.usual))
        return str(Path(directory).absolute() / place.below) if directory else ""

    def config_dir(self) -> str:
        """Where install records and the managed tmux.conf are (PTH-2)."""
        named = self._given.get("config_dir") or self.env.get("TMA_CONFIG_DIR")
        return str(Path(named).absolute()) if named else files.config_dir(self.env)

    @property
    def is_pinned(self) -> bool:
        """Whether the configuration directory was chosen by option or variable (IKY-3)."""
        return bool(self._given.get("config_dir") or self.env.get("TMA_CONFIG_DIR"))

    def wrapper(self, shipped: str) -> str:
        """Where the wrapper is."""
        named = self._given.get("wrapper_path") or self.env.get("TMA_WRAPPER_PATH")
        return str(Path(named).absolute()) if named else shipped

    def _home(self, below: str) -> str:
        home = self.env.get("HOME", "")
        return f"{home}/{below}" if home.startswith("/") else ""

    def _config(self, name: str) -> str:
        base = self.env.get("XDG_CONFIG_HOME", "")
        return f"{base}/{name}" if base.startswith("/") else self._home(f".config/{name}")
