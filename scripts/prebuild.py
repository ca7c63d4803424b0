"""Write the prebuilt document of the bundled agents; with ``--check`` only say whether it is current."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from tma.core import config
from tma.services import cache, loading

_HEAD = '''"""The document of the bundled agents and the default settings; scripts/prebuild.py writes it."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

'''


def content() -> bytes:
    """What the module must hold."""
    settings = config.parse({})
    document = {
        "settings": settings,
        "agents": loading.bundled_agents(),
        "skipped": [],
        "config_error": "",
        "status_line": loading.status_line(settings),
    }
    return f'{_HEAD}MADE_BY = {cache.MADE_BY!r}\n\nDOCUMENT: "dict[str, Any]" = {document!r}\n'.encode()


def main() -> int:
    """Write or check; 1 when the check fails."""
    target = Path(cache.PREBUILT)
    wanted = content()
    if "--check" not in sys.argv[1:]:
        target.write_bytes(wanted)
        return 0
    if target.is_file() and target.read_bytes() == wanted:
        return 0
    print(f"{target} is stale; run scripts/prebuild.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
