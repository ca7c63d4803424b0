"""What Python's compiler made of screen patterns, kept between processes beside the compiled configuration (PTH-16).

A file of one line and one document, proved as the configuration's is; one for each release of
Python, so that two do not undo each other's work. It holds what looks at panes have used. A lost
race or a file that cannot be written costs time only.
"""

from tma.adapters import files, system
from tma.core import jsontext
from tma.core.detect.regex import ENGINE, Codes
from tma.services import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.detect.regex import Code

NAME = f"patterns-{files.short_hash(ENGINE)}.json"
LIMIT = 1 << 20
"""Bytes of the file; above them it begins anew. All bundled patterns take 132 kB; those of changed manifests stay."""


def opened() -> Codes:
    """The codes that earlier processes kept, read when first asked for."""
    return Codes(_kept)


def keep(codes: Codes) -> None:
    """Add what this process made."""
    made, codes.made = codes.made, {}
    for patterns in (_kept() | made, made):
        content = cache.sealed(jsontext.compact_ascii({"engine": ENGINE, "patterns": patterns}).encode())
        if len(content) <= LIMIT:
            cache.put(files.cache_dir(system.environment()), NAME, content)
            return


def _kept() -> "dict[str, Code]":
    try:
        content = cache.checked(cache.get(files.cache_dir(system.environment()), NAME, LIMIT))
        document = jsontext.parse(content.decode())
        return _patterns(document) if isinstance(document, dict) and document.get("engine") == ENGINE else {}
    except ValueError:
        return {}


def _patterns(document: "dict[str, object]") -> "dict[str, Code]":
    found = document.get("patterns")
    return {key: code for key, code in found.items() if isinstance(code, str)} if isinstance(found, dict) else {}
