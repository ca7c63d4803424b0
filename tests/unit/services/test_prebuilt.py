"""The document that the package brings."""

from tma.core import config
from tma.services import loading, prebuilt


def test_it_holds_the_bundled_agents_and_the_defaults() -> None:
    """What a command without configuration works with is what the sources give (MAN-SET-1, CFG-2)."""
    wanted = {
        "settings": config.parse({}),
        "agents": loading.bundled_agents(),
        "skipped": [],
        "config_error": "",
        "status_line": loading.status_line(config.parse({})),
    }
    assert wanted == prebuilt.DOCUMENT
