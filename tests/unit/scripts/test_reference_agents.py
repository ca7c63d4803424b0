"""The reference page of the agents is made from their manifests."""

import subprocess
import sys
from pathlib import Path

from tma.services.loading import BUNDLED

ROOT = Path(__file__).resolve().parents[3]


def test_the_page_has_a_section_and_a_row_for_every_bundled_agent() -> None:
    """No agent is left out, and what a permission event claims is told (MAN-SET-1)."""
    script = ROOT / "scripts" / "reference_agents.py"

    page = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stdout

    for name in BUNDLED:
        assert f"\n## {name}\n" in page
        assert f"\n| {name} | `" in page
    assert "| `PermissionRequest` |  | `blocked/permission` |" in page
