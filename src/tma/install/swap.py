"""Putting a new file in an old one's place so that whatever was replaced can still be looked at.

Linux and macOS can exchange two names in one step; elsewhere a second name of the old file is
made first, and a program that renames its own file into place between the two steps is not seen.
"""

import ctypes
import errno
import os
import sys
from pathlib import Path

_AT_FDCWD = -100
_EXCHANGE = 2
_UNSUPPORTED = frozenset((errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.ENOTSUP))
_NO_LINKS = frozenset((errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK))


def into_place(new: str, path: str) -> str:
    """Give the file ``new`` the name ``path``; the path of what had that name, "" where it is lost.

    Raises:
        OSError: it cannot be done; nothing has changed.
    """
    try:
        _exchange(new, path)
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise
        return _linked(new, path)
    return new


def _exchange(one: str, other: str) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    names = os.fsencode(one), os.fsencode(other)
    try:
        if sys.platform == "darwin":
            failed = library.renamex_np(*names, _EXCHANGE)
        else:
            failed = library.renameat2(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _EXCHANGE)
    except AttributeError:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS)) from None
    if failed:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), other)


def _linked(new: str, path: str) -> str:
    kept = f"{new}.old"
    try:
        os.link(path, kept, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        kept = ""
    try:
        Path(new).rename(path)
    except OSError:
        if kept:
            Path(kept).unlink()
        raise
    return kept
