"""Making tma's own directories and files: for the user alone, and never half of one.

Apart from ``files`` because what runs all day only reads.
"""

import posix

from tma.adapters import files
from tma.adapters.files import FileRefusedError

_PERMISSIONS = 0o777
_PRIVATE = 0o700


UNFINISHED = ".tmp"
"""How the name of a file ends that is being written beside its place."""


def private_dir(path: str, *, missing: int = 0) -> int:
    """A descriptor of a directory that only the user can write to, made if needed (SEC-F-1, PTH-5).

    Up to ``missing`` parents are made too. Nothing is made in a directory of another user, so
    that a shell which changed its user but kept its environment leaves no files of its own there.

    Raises:
        FileRefusedError: a symlink, another owner, or a write bit that stays; also what cannot be made.
    """
    try:
        _make(path, missing)
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_DIRECTORY | posix.O_NOFOLLOW | posix.O_CLOEXEC)
    except FileRefusedError:
        raise
    except OSError as error:
        raise FileRefusedError(path, _why_not_opened(path, error)) from None
    try:
        _tighten(descriptor, path)
    except BaseException:
        posix.close(descriptor)
        raise
    return descriptor


def replace(name: str, data: bytes, mode: int = 0o600, *, dir_fd: int | None = None) -> None:
    """Put a whole file in a name's place: a reader sees the old one or the new one (SEC-F-3).

    Raises:
        FileRefusedError: what has the name is a symlink, another user's, or no regular file.
        OSError: it cannot be written; nothing is left behind.
    """
    old = _entry(name, dir_fd)
    if old:
        files.refuse_foreign(old, name)
    beside = f"{name}.{posix.urandom(8).hex()}{UNFINISHED}"
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_NOFOLLOW | posix.O_CLOEXEC
    descriptor = posix.open(beside, flags, mode, dir_fd=dir_fd)
    try:
        try:
            _write(descriptor, data)
        finally:
            posix.close(descriptor)
        posix.rename(beside, name, src_dir_fd=dir_fd, dst_dir_fd=dir_fd)
    except BaseException:
        posix.unlink(beside, dir_fd=dir_fd)
        raise


def _write(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[posix.write(descriptor, rest) :]


def _entry(name: str, dir_fd: int | None = None) -> posix.stat_result | None:
    """What has the name itself, None where nothing has."""
    try:
        return posix.stat(name, dir_fd=dir_fd, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _make(path: str, missing: int) -> None:
    if _entry(path):
        return
    parent = files.parent_of(path)
    if missing:
        _make(parent, missing - 1)
    if posix.stat(parent).st_uid not in (0, posix.geteuid()):
        raise FileRefusedError(path, f"{parent} belongs to another user")
    try:
        posix.mkdir(path, _PRIVATE)
    except FileExistsError:
        return


def _why_not_opened(path: str, error: OSError) -> str:
    """The reason in terms of the rule, where it is one."""
    try:
        kind = posix.lstat(path).st_mode & files.KIND
    except OSError:
        return error.strerror or "cannot be opened"
    if kind != files.DIRECTORY:
        return f"is {files.KIND_WORDS.get(kind, 'no directory')}"
    return error.strerror or "cannot be opened"


def _tighten(descriptor: int, path: str) -> None:
    seen = posix.fstat(descriptor)
    if seen.st_uid != posix.geteuid():
        raise FileRefusedError(path, "belongs to another user")
    if seen.st_mode & _PERMISSIONS != _PRIVATE and _chmod(descriptor, _PRIVATE):
        seen = posix.fstat(descriptor)
    if seen.st_mode & files.OTHERS_WRITABLE:
        raise FileRefusedError(path, "stays writable for others")


def _chmod(descriptor: int, mode: int) -> bool:
    """Whether the mode could be asked for; some file systems have none."""
    try:
        posix.fchmod(descriptor, mode)
    except OSError:
        return False
    return True
