"""Where tma's files are, and the only ways it reads and writes them.

Another user's file, a symlink in a private directory, a FIFO: refused with a reason, never
followed and never removed. Uses ``posix`` and not ``os``, which would load seven modules.
"""

import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

Signature = list[str | int]
"""Path, size, times of change and inode of one file or directory; -1 and the error where it has none."""

KIND = 0o170000
_REGULAR = 0o100000
DIRECTORY = 0o040000
_LINK = 0o120000
_WORLD_WRITABLE = 0o002
OTHERS_WRITABLE = 0o022
_PIECE = 1 << 18
_ABSENT = (2, 20)  # ENOENT, ENOTDIR
_READ = posix.O_RDONLY | posix.O_NONBLOCK | posix.O_NOCTTY | posix.O_CLOEXEC
KIND_WORDS = {DIRECTORY: "a directory", 0o010000: "a FIFO", 0o140000: "a socket", 0o120000: "a symlink"}


class FileRefusedError(OSError):
    """A file or directory breaks a rule of trust; ``reason`` says which, without the path."""

    def __init__(self, path: str, reason: str) -> None:
        """Keep both parts."""
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


def config_dir(env: "Mapping[str, str]") -> str:
    """The directory of ``config.toml`` and ``agents``, empty when nothing names one (PTH-1, PTH-11)."""
    return _own_directory(env, "XDG_CONFIG_HOME", ".config")


def config_file(env: "Mapping[str, str]") -> str:
    """The configuration's path without an option, empty when nothing names one (CFG-1)."""
    directory = config_dir(env)
    return env.get("TMA_CONFIG", "") or (f"{directory}/config.toml" if directory else "")


def agents_dir(env: "Mapping[str, str]") -> str:
    """The directory of the user's agent manifests, empty when nothing names one (PTH-1)."""
    directory = config_dir(env)
    return f"{directory}/agents" if directory else ""


def cache_dir(env: "Mapping[str, str]") -> str:
    """The cache directory, empty when nothing names one (PTH-16)."""
    return _own_directory(env, "XDG_CACHE_HOME", ".cache")


def state_dir(env: "Mapping[str, str]") -> str:
    """The state directory, empty when nothing names one (PTH-9)."""
    return _own_directory(env, "XDG_STATE_HOME", ".local/state")


def runtime_dir(env: "Mapping[str, str]") -> str:
    """The runtime directory (PTH-4); relative values count as unset."""
    base = _absolute(env, "XDG_RUNTIME_DIR")
    if base:
        return f"{base}/tma"
    return f"{_absolute(env, 'TMPDIR') or '/tmp'}/tma-{posix.geteuid()}"  # noqa: S108  # private_dir proves it


def daemon_file(env: "Mapping[str, str]", server: str, ending: str) -> str:
    """The path of one of the daemon's files; ``server`` is the text of the tmux server's socket path (DID-1, DID-2)."""
    return f"{runtime_dir(env)}/{short_hash(server)}.{ending}"


def short_hash(text: str) -> str:
    """The 16 hex digits of FNV-1a 64 that name the files of a server or a configuration (PTH-3)."""
    value = 0xCBF29CE484222325
    for byte in text.encode("utf-8", "surrogateescape"):
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def signature(path: str) -> Signature:
    """What changes when a file or a directory's list of names does; symlinks are followed."""
    try:
        seen = posix.stat(path)
    except OSError as error:
        return [path, -1, error.errno or 0, 0, 0]
    return [path, seen.st_size, seen.st_mtime_ns, seen.st_ino, seen.st_ctime_ns]


def is_absent(seen: Signature) -> bool:
    """Whether a signature is that of nothing; a path that may not be looked at is not absent."""
    return seen[1] == -1 and seen[2] in _ABSENT


def is_unconfigured(env: "Mapping[str, str]", *chosen: str) -> bool:
    """Whether no configuration and no directory of manifests is chosen or there, so that the defaults are in force."""
    return not any(chosen) and all(is_absent(signature(root)) for root in (config_file(env), agents_dir(env)))


def exists(path: str) -> bool:
    """Whether something has a path; a name that cannot be looked up has nothing."""
    try:
        posix.lstat(path)
    except (OSError, ValueError):
        return False
    return True


def is_link(path: str) -> bool:
    """Whether a name is a symlink, whatever it leads to."""
    try:
        return posix.lstat(path).st_mode & KIND == _LINK
    except OSError:
        return False


def is_world_writable(directory: str) -> bool:
    """Whether anyone may add or replace files there; OSError when it cannot be told."""
    return bool(posix.stat(directory or ".").st_mode & _WORLD_WRITABLE)


def homes_of(path: str) -> list[str]:
    """The directories that must not be world-writable for a file: its own, and its target's."""
    homes = [parent_of(path)]
    if posix.lstat(path).st_mode & KIND != _REGULAR:
        from posixpath import realpath

        homes.append(parent_of(realpath(path)))
    return homes


def read_trusted(path: str, limit: int) -> bytes:
    """A configuration file of the user's or root's, symlinks followed (MAN-LOAD-3, SEC-F-7).

    Raises:
        FileRefusedError: no regular file, another owner, writable for everyone, or too large.
        OSError: it cannot be read.
    """
    descriptor = posix.open(path, _READ)
    try:
        seen = posix.fstat(descriptor)
        if seen.st_mode & KIND != _REGULAR:
            raise FileRefusedError(path, f"is {KIND_WORDS.get(seen.st_mode & KIND, 'a device')}")
        if seen.st_uid not in (0, posix.geteuid()):
            raise FileRefusedError(path, "belongs to another user")
        if seen.st_mode & _WORLD_WRITABLE:
            raise FileRefusedError(path, "is writable for everyone")
        for home in homes_of(path):
            if is_world_writable(home):
                raise FileRefusedError(path, f"its directory {home} is writable for everyone")
        return _content(descriptor, path, limit)
    finally:
        posix.close(descriptor)


def read_whole(path: str, limit: int) -> bytes:
    """A file of the package itself, whoever installed it.

    Raises:
        FileRefusedError: it is too large.
        OSError: it cannot be read.
    """
    descriptor = posix.open(path, _READ)
    try:
        return _content(descriptor, path, limit)
    finally:
        posix.close(descriptor)


def read_own(name: str, limit: int, *, dir_fd: int | None = None) -> bytes:
    """A file that tma wrote: regular, the user's own, no symlink (PTH-6).

    Raises:
        FileRefusedError: it is something else, or too large.
        OSError: it cannot be read; a symlink too.
    """
    descriptor = posix.open(name, _READ | posix.O_NOFOLLOW, dir_fd=dir_fd)
    try:
        refuse_foreign(posix.fstat(descriptor), name)
        return _content(descriptor, name, limit)
    finally:
        posix.close(descriptor)


def open_private(path: str) -> int:
    """A descriptor of an existing private directory, left as it is.

    Raises:
        FileRefusedError: others can write to it, or it is another user's.
        OSError: it cannot be opened; a symlink too.
    """
    descriptor = posix.open(path, posix.O_RDONLY | posix.O_DIRECTORY | posix.O_NOFOLLOW | posix.O_CLOEXEC)
    seen = posix.fstat(descriptor)
    if seen.st_uid != posix.geteuid() or seen.st_mode & OTHERS_WRITABLE:
        posix.close(descriptor)
        raise FileRefusedError(path, "is not private")
    return descriptor


def _own_directory(env: "Mapping[str, str]", variable: str, below_home: str) -> str:
    base = _absolute(env, variable)
    if not base:
        home = _absolute(env, "HOME")
        base = f"{home}/{below_home}" if home else ""
    return f"{base}/tma" if base else ""


def _absolute(env: "Mapping[str, str]", variable: str) -> str:
    value = env.get(variable, "")
    return (value.rstrip("/") or "/.") if value.startswith("/") else ""


def parent_of(path: str) -> str:
    """The directory that holds a path's last name."""
    directory, slash, _ = path.rpartition("/")
    return directory or slash or "."


def _content(descriptor: int, path: str, limit: int) -> bytes:
    parts: list[bytes] = []
    room = limit + 1
    while room > 0:
        part = posix.read(descriptor, min(room, _PIECE))
        if not part:
            return b"".join(parts)
        parts.append(part)
        room -= len(part)
    raise FileRefusedError(path, f"is larger than {limit >> 10} KiB")


def refuse_foreign(seen: posix.stat_result, path: str) -> None:
    """Let only a regular file of the user's pass.

    Raises:
        FileRefusedError: it is something else.
    """
    if seen.st_mode & KIND != _REGULAR:
        raise FileRefusedError(path, f"is {KIND_WORDS.get(seen.st_mode & KIND, 'a device')}")
    if seen.st_uid != posix.geteuid():
        raise FileRefusedError(path, "belongs to another user")
