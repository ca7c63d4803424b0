"""Who holds the lock that proves a daemon's life: its file read, and asked, from outside (DID-3, PTH-8)."""

import fcntl
import os
from typing import NamedTuple

from tma.adapters import files

_BODY_LIMIT = 4096


class Record(NamedTuple):
    """What a lock file says; 0 and "" for what it does not."""

    pid: int
    version: str


def read_record(path: str) -> Record:
    """What a lock file says; an empty or torn body says nothing."""
    try:
        first, *lines = files.read_own(path, _BODY_LIMIT).decode("utf-8", "replace").split("\n")
    except OSError:
        return Record(0, "")
    pid = int(first) if first.isascii() and first.isdecimal() and len(first) < 11 else 0  # noqa: PLR2004  # digits of a pid
    version = next((line.partition("=")[2] for line in lines if line.startswith("version=")), "")
    return Record(pid, version) if pid > 0 and version else Record(0, "")


def is_held(path: str) -> bool:
    """Whether a lock is held; a missing file is free, one that cannot be opened counts as held."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    else:
        return False
    finally:
        os.close(descriptor)
