"""A file as it is before an edit: what is behind its links, its bytes and mode, and whether it may be edited at all."""

import errno
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from tma.install.dialect import MAX_BYTES, RefusedError

STORES = ("/nix/store/", "/gnu/store/")
"""Where generated files live (EDT-2)."""

_MAX_LINKS = 40
_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_KINDS = (
    (stat.S_ISDIR, "a directory"),
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


@dataclass(frozen=True)
class Target:
    """What stands at a path; ``data`` is None for nothing, ``real`` is the path behind every link."""

    path: str
    real: str
    data: bytes | None
    seen: os.stat_result | None = None

    @property
    def generated(self) -> bool:
        """Whether the file lies where a package manager generates files."""
        return self.real.startswith(STORES)


def read(path: str) -> Target:
    """Read what stands at a path, links followed.

    Raises:
        RefusedError: no regular file of at most 8 MiB, a link that leads nowhere, or not readable (EDT-2).
    """
    real = _behind(path)
    try:
        descriptor = os.open(real, _FLAGS)
    except FileNotFoundError:
        if real != path and Path(path).is_symlink():
            raise RefusedError(path, f"is a link to {real}, which does not exist") from None
        return Target(path, real, None)
    except OSError as error:
        raise RefusedError(path, _why_unreadable(real, error)) from None
    try:
        return Target(path, real, _content(descriptor, path), os.fstat(descriptor))
    except OSError as error:
        raise RefusedError(path, _why_unreadable(real, error)) from None
    finally:
        os.close(descriptor)


def unnamed() -> RefusedError:
    """The refusal of a file that nothing names (PTH-11)."""
    return RefusedError("HOME", "is not set, and nothing else names the file")


def refuse_unwritable(target: Target, entries: str = "") -> None:
    """Refuse a file that cannot be written, before anybody is asked about it.

    ``entries`` is what the owner of a generated file would add to its source.
    """
    parent = existing_parent(target.real)
    where = target.real if target.data is not None and not _may(target.real, os.W_OK) else parent
    if where == parent and _may(parent, os.W_OK | os.X_OK):
        return
    if target.generated:
        hint = f"add to what generates it:\n{entries}" if entries else "edit what generates it"
        raise RefusedError(target.path, f"is generated ({target.real}) and not writable", hint=hint)
    raise RefusedError(target.path, f"{where} is not writable" + _mount_words(where))


def existing_parent(path: str) -> str:
    """The nearest directory above a path that is there."""
    return next((str(parent) for parent in Path(path).parents if parent.exists()), "/")


def _behind(path: str) -> str:
    """The absolute path behind every link of the last component, and of the directories above it."""
    current = Path(path).absolute()
    for _ in range(_MAX_LINKS):
        try:
            link = current.readlink()
        except FileNotFoundError:
            break
        except OSError as error:
            if error.errno == errno.EINVAL:
                break
            raise RefusedError(path, _why_unreadable(str(current), error)) from None
        current = current.parent / link
    else:
        raise RefusedError(path, f"is a link that leads in a circle over {current}")
    return str(_resolved(current.parent) / current.name)


def _resolved(directory: Path) -> Path:
    try:
        return directory.resolve()
    except (OSError, RuntimeError):
        return directory


def _content(descriptor: int, path: str) -> bytes:
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        kind = next((words for test, words in _KINDS if test(mode)), "no regular file")
        raise RefusedError(path, f"is {kind}")
    parts: list[bytes] = []
    while part := os.read(descriptor, 1 << 20):
        parts.append(part)
        if sum(map(len, parts)) > MAX_BYTES:
            raise RefusedError(path, f"cannot read: larger than {MAX_BYTES >> 20} MiB")
    return b"".join(parts)


def _why_unreadable(real: str, error: OSError) -> str:
    if error.errno == errno.ENXIO and Path(real).is_socket():
        return "is a socket"
    return f"cannot read: {error.strerror}"


def _may(path: str, mode: int) -> bool:
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)


def _mount_words(where: str) -> str:
    try:
        return ": the file system is mounted read-only" if os.statvfs(where).f_flag & os.ST_RDONLY else ""
    except OSError:
        return ""
