"""Append-only logs at paths that the user chose: one write a line, only to the user's own regular file (SEC-F-5)."""

import posix

_REGULAR = 0o100000
_KIND = 0o170000
_FLAGS = (
    posix.O_WRONLY
    | posix.O_APPEND
    | posix.O_CREAT
    | posix.O_NOFOLLOW
    | posix.O_NONBLOCK
    | posix.O_CLOEXEC
    | posix.O_NOCTTY
)


def append(path: str, line: str) -> bool:
    """Add a line; False where the file is not ours to write to, since a log never fails what it tells of (PTH-10)."""
    try:
        _make_parents(path)
        descriptor = posix.open(path, _FLAGS, 0o600)
    except (OSError, ValueError):
        return False
    try:
        seen = posix.fstat(descriptor)
        if seen.st_mode & _KIND != _REGULAR or seen.st_uid != posix.geteuid():
            return False
        data = line.encode("utf-8", "replace")
        return posix.write(descriptor, data) == len(data)
    except OSError:
        return False
    finally:
        posix.close(descriptor)


def _make_parents(path: str) -> None:
    parts = path.split("/")[:-1]
    for end in range(1, len(parts) + 1):
        directory = "/".join(parts[:end])
        if directory:
            try:
                posix.mkdir(directory, 0o700)
            except FileExistsError:
                continue
            except OSError:
                # A directory above may be there and not be ours to write in; opening the file decides.
                continue
