"""What every edit leaves behind so that it can be undone to the byte: copies, and the record of who wrote what.

The record of a file is a chain: each edit's ``before`` is the former one's ``after``. Where the
chain reaches from what is there now back to the first edit, that edit's copy is put back.
"""

import fcntl
import hashlib
import json
import os
import posix
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tma.adapters import files, owned
from tma.install.dialect import RefusedError

KEPT = 10
"""Copies that are kept of one file."""

_RECORDS = "backups.json"
_LIMIT = 16 << 20
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True)
class Record:
    """One edit: digests, the copy of the former bytes or "" for a file that was not there, and directories made."""

    before: str
    after: str
    backup: str
    made: tuple[str, ...] = ()
    at: int = 0


def digest(data: bytes) -> str:
    """What names a file's content."""
    return hashlib.sha256(data).hexdigest()


class Backups:
    """The store in the state directory; every method may raise RefusedError, which means: do not write."""

    def __init__(self, env: Mapping[str, str]) -> None:
        """Find its place; nothing is made yet."""
        state = files.state_dir(env)
        self.directory = f"{state}/backups" if state else ""

    @contextmanager
    def locked(self, path: str) -> Iterator[None]:
        """One writer of tma at a time."""
        if not self.directory:
            raise RefusedError(path, "no backup can be made: neither XDG_STATE_HOME nor HOME is set")
        try:
            descriptor = self._opened()
        except OSError as error:
            raise RefusedError(path, f"no backup can be made: {error.strerror or error}") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def keep(self, path: str, data: bytes, now_ms: int) -> str:
        """Copy a file's bytes and give the copy's path; the newest ten stay."""
        directory = f"{self.directory}/{files.short_hash(path)}"
        try:
            posix.close(owned.private_dir(directory))
            copy = _written(directory, Path(path).name, data, now_ms)
            others = sorted(path for path in Path(directory).iterdir() if str(path) != copy)
            for old in others[: 1 - KEPT]:
                old.unlink()
        except OSError as error:
            raise RefusedError(path, f"no backup can be made: {error.strerror or error}") from None
        return copy

    def record(self, path: str, record: Record) -> None:
        """Remember an edit, under the lock."""
        known = self._known()
        try:
            self._store(known | {path: [*known.get(path, []), asdict(record)]})
        except OSError as error:
            raise RefusedError(path, f"no backup can be made: {error.strerror or error}") from None

    def take_back(self, path: str) -> None:
        """Remember the last edit of a file no more, under the lock; where that cannot be written, it stays."""
        known = self._known()
        former = known.pop(path, [])[:-1]
        with suppress(OSError):
            self._store(known | ({path: former} if former else {}))

    def forget(self, path: str) -> None:
        """Remember no edit of a file any more, under the lock."""
        known = self._known()
        if known.pop(path, None) is None:
            return
        try:
            self._store(known)
        except OSError as error:
            reason = f"is as it was, but its record in {self.directory} cannot be written: {error.strerror or error}"
            raise RefusedError(path, reason) from None

    def records(self, path: str) -> list[Record]:
        """The edits of a file, oldest first; a damaged record is none."""
        return self.every().get(path, [])

    def made(self, path: str) -> tuple[str, ...]:
        """The directories that were made for a file, also by a run that was killed before it made the file."""
        return tuple(dict.fromkeys(directory for record in self.records(path) for directory in record.made))

    def every(self) -> dict[str, list[Record]]:
        """The edits of every file."""
        return {path: [_read(entry) for entry in entries] for path, entries in self._known().items()}

    def original(self, path: str, data: bytes) -> tuple[bytes | None, Record] | None:
        """What was there before the first edit and that edit's record, if nobody else wrote since (EDT-12).

        The bytes are None for a file that was not there. No answer where the chain or a copy is broken.
        """
        wanted, first = digest(data), None
        for record in reversed(self.records(path)):
            if record.after == wanted:
                wanted, first = record.before, record
        if first is None:
            return None
        if not first.backup:
            return None, first
        former = _copied(first)
        return None if former is None else (former, first)

    def at_first(self, path: str) -> bytes | None:
        """What a file held before the first edit, nothing where it was not there; None where nothing tells."""
        first = next(iter(self.records(path)), None)
        return None if first is None else _copied(first) if first.backup else b""

    def _opened(self) -> int:
        posix.close(owned.private_dir(str(Path(self.directory).parent), missing=3))
        return owned.private_dir(self.directory)

    def _known(self) -> dict[str, list[dict[str, Any]]]:
        try:
            known = json.loads(files.read_own(f"{self.directory}/{_RECORDS}", _LIMIT))["files"]
        except (OSError, ValueError, TypeError, KeyError):
            return {}
        return known if isinstance(known, dict) else {}

    def _store(self, known: dict[str, list[dict[str, Any]]]) -> None:
        text = json.dumps({"schema": 1, "files": known}, indent=1)
        owned.replace(f"{self.directory}/{_RECORDS}", text.encode())


def _written(directory: str, name: str, data: bytes, now_ms: int) -> str:
    """Two copies of one millisecond take two milliseconds."""
    for instant in range(now_ms, now_ms + 1000):
        stamp = datetime.fromtimestamp(instant / 1000, UTC).strftime("%Y%m%dT%H%M%S")
        path = f"{directory}/{stamp}.{instant % 1000:03d}-{name}"
        try:
            descriptor = os.open(path, _FLAGS, 0o600)
        except FileExistsError:
            continue
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            Path(path).unlink()
            raise
        return path
    raise FileExistsError(directory)


def _copied(record: Record) -> bytes | None:
    """The copy that an edit left, None where it is gone or damaged."""
    try:
        former = files.read_own(record.backup, _LIMIT)
    except OSError:
        return None
    return former if digest(former) == record.before else None


def _read(entry: dict[str, Any]) -> Record:
    made, at = entry.get("made"), entry.get("at")
    return Record(
        str(entry.get("before", "")),
        str(entry.get("after", "")),
        str(entry.get("backup", "")),
        made=tuple(map(str, made)) if isinstance(made, list) else (),
        at=at if isinstance(at, int) else 0,
    )
