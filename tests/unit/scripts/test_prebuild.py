"""The prebuilt document of the package is the one that its manifests and settings give."""

import subprocess
import sys
from pathlib import Path

from tma.core import config
from tma.services import cache, loading

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "scripts" / "prebuild.py"


def test_the_prebuilt_document_is_current() -> None:
    """It is written anew with every change of a bundled manifest, a setting or a version (PTH-16)."""
    done = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


def test_it_holds_the_bundled_agents_and_the_defaults() -> None:
    """What a command without configuration works with is what the sources give (MAN-SET-1, CFG-2)."""
    plain = cache.proved(Path(cache.PREBUILT).read_bytes(), [])

    assert plain == {
        "settings": config.parse({}),
        "agents": loading.bundled_agents(),
        "skipped": [],
        "config_error": "",
        "status_line": loading.status_line(config.parse({})),
    }
