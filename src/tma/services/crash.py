"""Reports of unexpected errors: what a bug report needs, and nothing of what the user works on."""

import platform
import posix
import time
import traceback
from collections.abc import Iterable, Mapping

from tma import __version__
from tma.adapters import files, owned

_KEPT = 10
_MOST_MISSING = 3  # .local, state and tma below the home directory


def report(error: BaseException, *, command: str, options: Iterable[str], env: Mapping[str, str], now_ms: int) -> str:
    """Write a report and give its path, empty where it cannot be written (PTH-9).

    ``options`` are the names of the given options; their values, and the values of local
    variables, stay out of the report (SEC-L-5). The newest ten reports are kept.
    """
    state = files.state_dir(env)
    if not state:
        return ""
    stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime(now_ms // 1000))
    name = f"{stamp}-{posix.getpid()}.txt"
    text = _text(error, command, options).encode("utf-8", "backslashreplace")
    try:
        posix.close(owned.private_dir(state, missing=_MOST_MISSING - 1))
        directory = owned.private_dir(f"{state}/crash")
        try:
            owned.replace(name, text, dir_fd=directory)
            for old in _old_reports(directory):
                posix.unlink(old, dir_fd=directory)
        finally:
            posix.close(directory)
    except OSError:
        return ""
    return f"{state}/crash/{name}"


def _text(error: BaseException, command: str, options: Iterable[str]) -> str:
    lines = [
        f"tma {__version__}",
        f"Python {platform.python_version()} on {platform.platform()}",
        f"command: {' '.join([command or '(none)', *options])}",
        "",
        *traceback.format_exception(error),
    ]
    return "\n".join(line.rstrip("\n") for line in lines) + "\n"


def _old_reports(directory: int) -> list[str]:
    return sorted(name for name in posix.listdir(directory) if name.endswith(".txt"))[:-_KEPT]
