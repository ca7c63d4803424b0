"""The daemon's log: lines on standard error, which in the background is a file of bounded size (PTH-9)."""

import os
import stat
import time
import traceback

from tma.core.text import clean

MAX_BYTES = 1 << 20
KEPT_BYTES = 256 << 10


class Log:
    """Writes lines; a log that cannot be written is nobody's business."""

    def __init__(self, descriptor: int, *, dated: bool) -> None:
        """Write to a descriptor; lines of a file carry their time."""
        self._descriptor = descriptor
        self._dated = dated

    def say(self, line: str) -> None:
        """Write one line, cleaned."""
        head = time.strftime("%Y-%m-%dT%H:%M:%SZ ", time.gmtime()) if self._dated else ""
        try:
            os.write(self._descriptor, f"{head}tma: {clean(line)}\n".encode("utf-8", "replace"))
        except OSError:
            return

    def trace(self, error: BaseException) -> None:
        """Write where an unexpected error came from; no values are part of it."""
        for line in traceback.format_exception(error):
            for part in line.rstrip("\n").split("\n"):
                self.say(part)

    def trim(self) -> None:
        """Cut a file that has grown too large to its last part."""
        try:
            fd = self._descriptor
            seen = os.fstat(fd)
            if not stat.S_ISREG(seen.st_mode) or seen.st_size <= MAX_BYTES:
                return
            kept = os.pread(fd, KEPT_BYTES, seen.st_size - KEPT_BYTES)
            os.ftruncate(fd, 0)
            os.write(fd, kept.partition(b"\n")[2])
        except OSError:
            return
