"""Who holds the lock that proves a daemon's life: its file read, and asked, from outside (DID-3, PTH-8)."""

import fcntl
import os
from typing import NamedTuple

from tma.adapters import files
from tma.services.runtime import LOCK_LIMIT, lock_record


class Record(NamedTuple):
    """What a lock file says; 0 and "" for what it does not."""

    pid: int
    version: str


def read_record(path: str) -> Record:
    """What a lock file says; an empty or torn body says nothing."""
    try:
        return Record(*lock_record(files.read_own(path, LOCK_LIMIT)))
    except OSError:
        return Record(0, "")


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
