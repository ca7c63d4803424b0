"""The prebuilt document of the package is the one that its manifests and settings give."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "scripts" / "prebuild.py"


def test_the_prebuilt_document_is_current() -> None:
    """It is written anew with every change of a bundled manifest, a setting or a version (PTH-16)."""
    done = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
