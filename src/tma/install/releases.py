"""Which release of an agent is installed, told from where its program lies; the program is never run.

A package manager's directory or the name of a native program carries the release; an npm package says
it in the ``package.json`` above the program.
"""

import json
import re
from pathlib import Path

from tma.install.dialect import RefusedError
from tma.install.target import read

_RELEASE = re.compile(r"v?(\d+)\.(\d+)\.(\d+)(?:[-+].*)?")
_LEVELS = 6
"""How far above a program its package may begin."""


def installed(program: str) -> str:
    """The release of the program at a path, links followed; "" where nothing tells it."""
    path = Path(program).resolve() if program else Path()
    above = list(path.parents)[:_LEVELS]
    named = next((part.name for part in (path, *above) if _RELEASE.fullmatch(part.name)), "")
    return named or next((release for directory in above if (release := _packaged(directory))), "")


def is_newer(release: str, checked: tuple[str, ...]) -> bool:
    """Whether a release came after all that rules were checked on; what cannot be compared did not."""
    own, known = _numbers(release), [_numbers(each) for each in checked]
    return bool(own and known) and own > max(known)


def _packaged(directory: Path) -> str:
    try:
        said = json.loads(read(str(directory / "package.json")).data or b"{}").get("version", "")
    except (RefusedError, ValueError, AttributeError, RecursionError):
        return ""
    return said if isinstance(said, str) and _RELEASE.fullmatch(said) else ""


def _numbers(release: str) -> tuple[int, ...]:
    match = _RELEASE.fullmatch(release)
    return tuple(map(int, match.groups())) if match else ()
