"""Small agent manifests for tests, from TOML text to what the engine reads."""

import tomllib

from tma.core.detect.agent import Manifest
from tma.core.detect.manifest import parse

LEAST = """
min_engine_version = "0.6"
[identity]
process_names = ["agent"]
[capture]
"""


def plain(more: str = "", *, base: str = LEAST) -> dict[str, object]:
    """The plain form of the least manifest with more tables after it."""
    return parse("agent", tomllib.loads(base + more), "agent.toml")


def manifest(more: str = "", *, base: str = LEAST) -> Manifest:
    """The least manifest with more tables after it, as the engine reads it."""
    return Manifest(plain(more, base=base))


def rule(state: str, region: str, match: str, more: str = "") -> str:
    """One screen rule as TOML; ``match`` is an inline table."""
    return f'[[rules]]\nstate = "{state}"\nregion = "{region}"\nmatch = {match}\n{more}\n'
