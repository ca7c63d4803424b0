"""Acting as somebody to whom permissions apply, whoever runs the tests."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65534
IS_ROOT = os.geteuid() == 0


@contextmanager
def plain_user() -> Iterator[Path]:
    """Act as a user other than root in a home directory of that user's own."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        home = Path(name)
        if IS_ROOT:
            os.chown(home, NOBODY, NOBODY)
            os.seteuid(NOBODY)
        try:
            yield home
        finally:
            if IS_ROOT:
                os.seteuid(0)
