"""A process that has almost no descriptors left."""

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def descriptors(spare: int) -> Iterator[None]:
    """So many may still be opened; the block must fail for want of more, and leave none open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    before = os.listdir("/dev/fd")  # noqa: PTH208
    probe = os.open("/dev/null", os.O_RDONLY)
    os.close(probe)
    resource.setrlimit(resource.RLIMIT_NOFILE, (probe + spare, hard))
    try:
        with pytest.raises(OSError, match="Too many open files"):
            yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert os.listdir("/dev/fd") == before  # noqa: PTH208
