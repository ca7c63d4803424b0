"""Repositories read as plain files, and git itself only where no file tells the branch (ROW-3).

What lies in a directory may be hostile: nothing but small regular files is read, no program that
a repository names is run, and nothing here waits.
"""

import os.path
import posix
import stat

from tma.adapters import child, system
from tma.core.row import RepoLabel

MAX_BYTES = 4096
MAX_LEVELS = 64
TIMEOUT_S = 3.0
MAX_OUTPUT = 64 << 10

_FLAGS = posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC | posix.O_NOCTTY
_GIT_FILE = "gitdir: "
_BRANCH = "ref: refs/heads/"
_PLACEHOLDER = "ref: refs/heads/.invalid"
"""What ``HEAD`` holds where the references are in the reftable format."""
_HASH_LENGTHS = (40, 64)
_HEX = frozenset("0123456789abcdef")
_SAFE = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
"""Settings under which git starts no program that a repository names (SEC-X-4)."""


class Found:
    """A repository: its label, and whether only git can tell the branch."""

    __slots__ = ("label", "needs_git")

    def __init__(self, label: RepoLabel, *, needs_git: bool) -> None:
        """Keep the parts."""
        self.label = label
        self.needs_git = needs_git


class Answer:
    """What git said: a branch, or None; ``late`` when its time ran out."""

    __slots__ = ("branch", "late")

    def __init__(self, branch: str | None, *, late: bool) -> None:
        """Keep the parts."""
        self.branch = branch
        self.late = late


def find(directory: str) -> Found | None:
    """The repository that a directory lies in, by the nearest ``.git`` upwards; None for none or a broken one."""
    if not directory.startswith("/"):
        return None
    place = directory.rstrip("/")
    for _ in range(MAX_LEVELS):
        if _is_there(f"{place}/.git"):
            return _read(place)
        if not place:
            break
        place = place.rpartition("/")[0]
    return None


def ask(git: str, directories: list[str]) -> dict[str, Answer]:
    """The current branch of each directory, asked all at once under one deadline (SEC-X-4)."""
    running = {directory: _start(git, directory) for directory in directories}
    return {directory: _answer(started) for directory, started in running.items()}


def _read(place: str) -> Found | None:
    git_dir = _git_dir(place)
    head = _text(f"{git_dir}/HEAD") if git_dir else None
    if git_dir is None or head is None:
        return None
    name = place.rpartition("/")[2]
    worktree = False
    if _is_there(f"{git_dir}/commondir"):
        common = _common_dir(git_dir)
        if common is None:
            return None
        name = os.path.normpath(common).split("/")[-2]
        worktree = not _same(common, git_dir)
    return _found(name, head.rstrip("\r\n"), worktree=worktree)


def _found(name: str, head: str, *, worktree: bool) -> Found | None:
    is_hash = len(head) in _HASH_LENGTHS and _HEX.issuperset(head)
    if not name or not (is_hash or head.startswith("ref: ")):
        return None
    branch = "HEAD" if is_hash else None
    if head.startswith(_BRANCH) and head != _PLACEHOLDER:
        branch = head.removeprefix(_BRANCH) or None
    return Found(RepoLabel(name, branch, worktree=worktree), needs_git=head == _PLACEHOLDER)


def _git_dir(place: str) -> str | None:
    entry = f"{place}/.git"
    if _is_directory(entry):
        return entry
    text = _text(entry)
    if text is None or not text.startswith(_GIT_FILE):
        return None
    return _below(place, text.removeprefix(_GIT_FILE))


def _common_dir(git_dir: str) -> str | None:
    text = _text(f"{git_dir}/commondir")
    common = _below(git_dir, text) if text else None
    return common if common and _is_directory(common) else None


def _below(place: str, text: str) -> str:
    path = text.rstrip("\r\n")
    return path if path.startswith("/") else f"{place}/{path}"


def _is_there(path: str) -> bool:
    try:
        posix.lstat(path)
    except (OSError, ValueError):
        return False
    return True


def _is_directory(path: str) -> bool:
    try:
        return stat.S_ISDIR(posix.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def _same(one: str, other: str) -> bool:
    try:
        first, second = posix.stat(one), posix.stat(other)
    except OSError:
        return False
    return (first.st_dev, first.st_ino) == (second.st_dev, second.st_ino)


def _text(path: str) -> str | None:
    """The text of a small regular file, None for anything else; opening a device may act, so it is not opened."""
    try:
        if not stat.S_ISREG(posix.stat(path).st_mode):
            return None
        fd = posix.open(path, _FLAGS)
    except (OSError, ValueError):
        return None
    try:
        data = posix.read(fd, MAX_BYTES + 1) if stat.S_ISREG(posix.fstat(fd).st_mode) else b""
    except OSError:
        return None
    finally:
        posix.close(fd)
    return data.decode("utf-8", "surrogateescape") if 0 < len(data) <= MAX_BYTES else None


def _start(git: str, directory: str) -> child.Child | None:
    argv = [git, "-C", directory, *_SAFE, "rev-parse", "--abbrev-ref", "HEAD"]
    try:
        return child.Child(argv, env=_environment(), timeout_s=TIMEOUT_S, limit=MAX_OUTPUT)
    except OSError:
        return None


def _environment() -> dict[str, str]:
    """Our environment without git's own variables, which would name another repository."""
    kept = {name: value for name, value in system.environment().items() if not name.startswith("GIT_")}
    return kept | {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}


def _answer(started: child.Child | None) -> Answer:
    if started is None:
        return Answer(None, late=False)
    done = started.finish()
    text = done.out.decode("utf-8", "surrogateescape").strip()
    branch = text if done.code == 0 and text and not done.truncated else None
    return Answer(branch, late=done.timed_out)
