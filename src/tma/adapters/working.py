"""Which processes of a user work in a directory: from /proc where there is one, else from `lsof`."""

import posix

from tma.adapters import child

MAX_ROWS = 65536
_LSOF = "/usr/sbin/lsof"


def working_in(directory: str, uid: int, *, timeout_s: float, root: str = "/proc") -> list[int]:
    """The ids of a user's processes whose working directory that is, by whatever path.

    Empty where the directory or the processes cannot be seen.
    """
    try:
        place = _place(directory)
    except (OSError, ValueError):
        return []
    try:
        listed = [name for name in posix.listdir(root) if name.isdigit()]
    except OSError:
        return [pid for pid, path in _listed_open(uid, timeout_s) if _is_place(path, place)]
    owned = [name for name in listed[:MAX_ROWS] if _is_owned(f"{root}/{name}", uid)]
    return [int(name) for name in owned if _is_place(f"{root}/{name}/cwd", place)]


def parse_lsof(text: str) -> list[tuple[int, str]]:
    """Process and directory of each entry of ``lsof -F pn``, whose lines begin with their kind."""
    found: list[tuple[int, str]] = []
    pid = 0
    for line in text.split("\n"):
        kind, value = line[:1], line[1:]
        if kind == "p" and value.isdigit():
            pid = int(value)
        elif kind == "n" and pid:
            found.append((pid, value))
    return found[:MAX_ROWS]


def _listed_open(uid: int, timeout_s: float) -> list[tuple[int, str]]:
    argv = [_LSOF, "-a", "-w", "-n", "-P", "-u", str(uid), "-d", "cwd", "-F", "pn"]
    try:
        done = child.run(argv, timeout_s=timeout_s)
    except OSError:
        return []
    return parse_lsof(done.out.decode("utf-8", "surrogateescape"))


def _place(path: str) -> tuple[int, int]:
    seen = posix.stat(path)
    return seen.st_dev, seen.st_ino


def _is_place(path: str, place: tuple[int, int]) -> bool:
    try:
        return _place(path) == place
    except (OSError, ValueError):
        return False


def _is_owned(process: str, uid: int) -> bool:
    try:
        return posix.stat(process).st_uid == uid
    except OSError:
        return False
