"""The reference page of the configuration is made from the settings table."""

import subprocess
import sys
from pathlib import Path

from tma.core import config

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "scripts" / "reference_config.py"


def test_the_page_names_every_setting_with_its_default() -> None:
    """Nothing of the table is left out, and the default file is shown whole."""
    page = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True, check=True).stdout

    for setting in config.SETTINGS:
        assert f"| `{setting.key.partition('.')[2]}` | {setting.kind.words} | " in page
        assert setting.help in page
    assert f"```toml\n{config.default_file()}```\n" in page
    assert "\n## `[[agent]]`\n" in page
    assert "| `sweep_secs` | integer, at least 1 | `45` |" in page
