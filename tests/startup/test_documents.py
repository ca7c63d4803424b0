"""What reading the configuration loads, in a bare interpreter."""

import subprocess
import sys
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parents[2] / "src"
ALLOWED = {"_json", "binascii", "posix", "sys", "time"}
CODE = """
import sys
sys.path.insert(0, {src!r})
before = set(sys.modules)
from tma.services import cache
from tma.core import jsontext
document = cache.load(env={env!r})
try:
    jsontext.parse('{{"cut')
except ValueError:
    pass
print(*sorted(set(sys.modules) - before))
"""


@pytest.mark.parametrize("configured", [False, True])
def test_a_proved_document_loads_next_to_nothing(tmp_path: Path, *, configured: bool) -> None:
    """Prebuilt or kept, only C modules of the standard library and tma's own light ones are loaded (PTH-16)."""
    if configured:
        path = tmp_path / ".config" / "tma" / "config.toml"
        path.parent.mkdir(parents=True)
        path.write_text("[fold]\ndwell_secs = 9\n")
        _loaded(tmp_path)
    loaded = _loaded(tmp_path)

    assert {name for name in loaded if not name.startswith("tma")} <= ALLOWED
    bundled = set() if configured else {"tma.services.prebuilt"}
    assert {name for name in loaded if name.startswith("tma.")} == bundled | {
        "tma.adapters",
        "tma.adapters.files",
        "tma.core",
        "tma.core.jsontext",
        "tma.services",
        "tma.services.cache",
    }


def _loaded(home: Path) -> list[str]:
    code = CODE.format(src=str(SRC), env={"HOME": str(home)})
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()
