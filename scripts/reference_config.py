"""Print the reference page of the configuration, in Markdown, from the settings table.

With ``--check`` print nothing and say whether docs/reference/config.md is that page.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from tma.core import config

_KEPT = Path(__file__).resolve().parent.parent / "docs" / "reference" / "config.md"
_INTRO = """\
# Configuration

<!-- Written by scripts/reference_config.py from the settings table; change that. -->

One TOML file, which may be absent. Its path is the first of these that is given:

1. `--config PATH`
2. `TMA_CONFIG`
3. `$XDG_CONFIG_HOME/tma/config.toml`
4. `~/.config/tma/config.toml`

Every table and key may be left out.
An unknown key, or a value of another type, is an error that names the key; the command ends with exit code 1.
Hooks alone go on with the defaults.

The file must belong to you or root, and neither it nor its directory may be writable for everyone.
A leading `~/` in a path means your home directory; nothing else is expanded.

## Environment

These variables win over the file.

| variable | wins over | rule |
|---|---|---|
| `TMA_CONFIG` | the usual path | `--config` wins over it |
| `TMA_TMUX_BIN` | `tmux.bin` | when not empty |
| `TMA_NOTIFY_CMD` | `notify.command` and the command of every trigger | when not empty |
| `TMA_NOTIFY_FROM_EVENT` | `notify.from_event` | when set: `1` is true, anything else is false |
"""

_DEFAULT_FILE = """\
## The default file

tma behaves as if this were the file.
"""


def page() -> str:
    """The whole page."""
    tables = [_table(name, text) for name, text in config.TABLES.items()]
    return "\n".join([_INTRO, *tables, _DEFAULT_FILE, f"```toml\n{config.default_file()}```\n"])


def _table(name: str, text: str) -> str:
    rows = [setting for setting in config.SETTINGS if _top(setting) == name]
    heading = f"[[{name}]]" if rows[0].key.startswith(f"{name}[]") else f"[{name}]"
    lines = [f"## `{heading}`\n", f"{text}\n", "| key | type | default | meaning |", "|---|---|---|---|"]
    return "\n".join([*lines, *map(_row, rows), ""])


def _top(setting: config.Setting) -> str:
    return setting.key.split(".")[0].removesuffix("[]")


def _row(setting: config.Setting) -> str:
    key = setting.key.partition(".")[2]
    default = "required" if setting.required else _default(setting.default)
    return f"| `{key}` | {setting.kind.words} | {default} | {setting.help} |"


def _default(value: object) -> str:
    return "unset" if value is None else f"`{config.literal(value)}`"


def main() -> int:
    """Print or check; 1 when the check fails."""
    if "--check" not in sys.argv[1:]:
        sys.stdout.write(page())
        return 0
    if _KEPT.is_file() and _KEPT.read_text() == page():
        return 0
    print(f"{_KEPT} is stale; run scripts/reference_config.py > docs/reference/config.md", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
