"""The wrapper script and how configurations name it: bare by PATH, or by its absolute path (REF-1 to REF-5)."""

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tma.core.errors import TmaError
from tma.install.ours import WRAPPER
from tma.install.target import STORES

BARE, ABSOLUTE = "bare", "absolute"

_PLAIN_WORD = re.compile(r"[A-Za-z0-9_@%+=:,./-]+")
_PASSING = ("/uv/archive-v", "/uv/environments-v", "/pipx/.cache/", "/.cache/uv/")
"""Parts of paths in environments that are thrown away (PKG-2)."""

_SHIPPED = "bin/tma-hook"


@dataclass(frozen=True)
class Reference:
    """The wrapper as it is written down, and the PATH that a bare name is looked up on."""

    word: str
    search: str
    respell: bool = False

    @property
    def real(self) -> str:
        """The file that it leads to now, "" for none."""
        return resolved(self.word, self.search)

    @property
    def shell(self) -> str:
        """The word for a channel that goes through a shell (REF-3)."""
        if _PLAIN_WORD.fullmatch(self.word):
            return self.word
        return "'" + self.word.replace("'", "'\\''") + "'"

    def is_current(self, written: str) -> bool:
        """Whether an entry's reference is this wiring: the same file now (REF-5)."""
        if self.respell:
            return written == self.word
        real = self.real
        return bool(real) and resolved(written, self.search) == real


@dataclass(frozen=True)
class Choice:
    """A reference with what is to be said about it."""

    reference: Reference
    notes: list[str] = field(default_factory=list)


def shipped() -> str:
    """The wrapper that came with this tma, "" where it cannot be found."""
    script = Path(sys.argv[0]).resolve()
    package = Path(__file__).resolve().parent.parent.parent
    places = (script.parent / WRAPPER, Path(sys.executable).parent / WRAPPER, package.parent / _SHIPPED)
    return next((str(place) for place in places if place.is_file()), "")


def choose(path: str, wanted: str, search: str) -> Choice:
    """How to name the wrapper at ``path``; ``wanted`` is ``bare``, ``absolute`` or "" for no choice.

    Raises:
        TmaError: bare is wanted and PATH has no wrapper, or the path is no text.
    """
    found = on_path(WRAPPER, search)
    is_same = bool(found) and Path(found).resolve() == Path(path).resolve()
    if wanted == BARE and not found:
        message = f"there is no {WRAPPER} on PATH"
        raise TmaError(message, "put its directory on PATH, or use --wrapper-ref absolute")
    if wanted == BARE or (not wanted and is_same):
        notes = [] if is_same else [f"{WRAPPER} on PATH is {found}, not the one of this tma ({path})"]
        return Choice(Reference(WRAPPER, search), notes)
    word, notes = _lasting(path, search)
    if not is_text(word):
        message = f"{word} is no UTF-8 text, so that no configuration can name it"
        raise TmaError(message, f"put {WRAPPER} on PATH")
    if not wanted:
        notes = [f"{WRAPPER} is named by its path, because PATH leads to {'another one' if found else 'none'}", *notes]
    return Choice(Reference(word, search), notes)


def resolved(word: str, search: str) -> str:
    """The executable file behind a reference, links followed; "" for none."""
    path = on_path(word, search) if "/" not in word else word if word.startswith("/") else ""
    return str(Path(path).resolve()) if path and _is_program(path) else ""


def on_path(name: str, search: str) -> str:
    """The first executable of a name on PATH; empty and relative entries are skipped (REF-2)."""
    places = (f"{directory.rstrip('/')}/{name}" for directory in search.split(":") if directory.startswith("/"))
    return next((place for place in places if _is_program(place)), "")


def put(path: str) -> bool:
    """Write the wrapper where it is missing or old; whether it was written (WRP-9).

    Raises:
        TmaError: it cannot be written, or another file has its place.
    """
    source = shipped()
    data = Path(source).read_bytes() if source else b""
    try:
        there = Path(path).read_bytes() if Path(path).exists() else b""
        if there == data and os.access(path, os.X_OK):
            return False
        if not data or (there and WRAPPER.encode() not in there):
            message = f"{path}: cannot write the wrapper: " + ("another file is there" if there else "none was shipped")
            raise TmaError(message)
        _write(path, data)
    except OSError as error:
        message = f"{path}: cannot write the wrapper: {error.strerror}"
        raise TmaError(message) from None
    return True


def is_removable(path: str) -> bool:
    """Whether the wrapper at a path is a copy that was put there, and not the shipped one itself."""
    source = shipped()
    try:
        return bool(source) and not Path(path).samefile(source) and Path(path).read_bytes() == Path(source).read_bytes()
    except OSError:
        return False


def is_passing(path: str, env: Mapping[str, str]) -> bool:
    """Whether a path lies in an environment that will vanish (PKG-2)."""
    temporary = env.get("TMPDIR", "").rstrip("/") or "/tmp"  # noqa: S108  # a place to warn of, not to write to
    return any(part in path for part in _PASSING) or path.startswith(f"{temporary}/")


def is_text(path: str) -> bool:
    """Whether a path can be written into JSON and TOML."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _lasting(path: str, search: str) -> tuple[str, list[str]]:
    """A store path is named by the PATH entry outside the stores that leads to it (REF-4)."""
    if not path.startswith(STORES):
        return path, []
    for directory in search.split(":"):
        place = f"{directory.rstrip('/')}/{WRAPPER}"
        if directory.startswith("/") and not place.startswith(STORES) and resolved(place, "") == resolved(path, ""):
            return place, []
    return path, [f"{path} lies in a package store and will change with the next build"]


def _write(path: str, data: bytes) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    beside = f"{path}.tma-{os.getpid()}"
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o700)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        os.fchmod(file.fileno(), 0o755)
        file.flush()
        os.fsync(file.fileno())
    Path(beside).rename(path)


def _is_program(path: str) -> bool:
    return Path(path).is_file() and os.access(path, os.X_OK)
