"""The plugins that report for agents which run JavaScript and no commands (ADP-5 to ADP-7)."""

import json
import re
from pathlib import Path

from tma.install.ours import is_wrapper
from tma.install.ownfile import OwnFile, literal

_DATA = Path(__file__).resolve().parent.parent / "data" / "bridges"
_LINE = "const WRAPPER = "
_WRAPPER = re.compile(r'^const WRAPPER = ("(?:[^"\\\n]|\\.)*")$', re.MULTILINE)
_QUEUE = "// QUEUE\n"


def own_file(agent: str, path: str, mark: str) -> OwnFile:
    """The channel of an agent's plugin; its first line holds ``mark`` (EDT-9)."""
    return OwnFile(agent, path, lambda word: _written(agent, word), lambda text: _reference_in(text, mark))


def _written(agent: str, word: str) -> str:
    """The plugin with the queue that both share."""
    plugin, queue = ((_DATA / f"{name}.js").read_text(encoding="utf-8") for name in (agent, "queue"))
    return plugin.replace(_QUEUE, f"{_LINE}{literal(word)}\n\n{queue}")


def _reference_in(text: str, mark: str) -> str:
    found = _WRAPPER.search(text)
    if mark not in text.partition("\n")[0] or not found:
        return ""
    try:
        word = str(json.loads(found[1]))
    except ValueError:
        return ""
    return word if is_wrapper(word) else ""
