"""Whether a running daemon is to be replaced by this build, and when that was done last (CFG-14, DLC-9)."""

from tma import __version__
from tma.adapters import files, owned
from tma.core.errors import TmaError

COOL_DOWN_MS = 60_000


def is_older(version: str) -> bool:
    """Whether a version is strictly lower than ours; one that cannot be read is not (DLC-9)."""
    theirs, ours = numbers(version), numbers(__version__)
    return theirs is not None and ours is not None and theirs < ours


def numbers(version: str) -> tuple[int, ...] | None:
    """``MAJOR.MINOR.PATCH`` as integers; a candidate equals its release."""
    words = version.partition("-")[0].partition("+")[0].split(".")
    if len(words) != 3 or not all(word.isascii() and word.isdecimal() for word in words):  # noqa: PLR2004  # three parts
        return None
    return tuple(map(int, words))


def may_replace(path: str, now: int) -> bool:
    """Whether no automatic replacement happened within a minute; one in the future is one just now."""
    try:
        text = files.read_own(path, 64).decode("ascii", "replace").strip()
    except OSError:
        return True
    return not text.isdecimal() or now - int(text) >= COOL_DOWN_MS


def write_stamp(path: str, now: int) -> None:
    """Note a replacement before it is tried, so that one that fails cools down too.

    Raises:
        TmaError: it cannot be noted; then nothing is replaced.
    """
    try:
        owned.replace(path, str(now).encode())
    except OSError as error:
        message = f"cannot write {path}: {error}"
        raise TmaError(message) from None
