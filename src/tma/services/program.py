"""How tma starts itself again: in a menu, and as a supervisor (MNU-7, GLO-4)."""

import os
import sys
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.services.cache import Options


def own_words() -> list[str]:
    """The words that start this program: its script, or the interpreter with the package."""
    script = Path(sys.argv[0]).resolve()
    if sys.argv[0] and script.suffix != ".py" and os.access(script, os.X_OK):
        return [str(script)]
    return [sys.executable, "-m", "tma"] if sys.executable else ["tma"]


def own_options(options: "Options", socket_path: str = "") -> list[str]:
    """The global options that a child needs to see the same server and files.

    ``socket_path`` is what the environment named, which a child of tmux would not inherit.
    """
    socket = options.socket_path or ("" if options.socket_name else socket_path)
    chosen = {
        "--socket-name": options.socket_name,
        "--socket-path": _absolute(socket),
        "--config": _absolute(options.config),
        "--manifest-dir": _absolute(options.manifest_dir),
        "--client": options.client,
    }
    return [word for flag, value in chosen.items() if value for word in (flag, value)]


def _absolute(path: str) -> str:
    return str(Path(path).absolute()) if path else ""
