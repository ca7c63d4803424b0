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
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tma.adapters import files
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
            raise RefusedError(path, f"no backup can be made: {error}") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def keep(self, path: str, data: bytes, now_ms: int) -> str:
        """Copy a file's bytes and give the copy's path; the newest ten stay."""
        directory = f"{self.directory}/{files.short_hash(path)}"
        try:
            posix.close(files.private_dir(directory))
            copy = _written(directory, Path(path).name, data, now_ms)
            others = sorted(path for path in Path(directory).iterdir() if str(path) != copy)
            for old in others[: 1 - KEPT]:
                old.unlink()
        except OSError as error:
            raise RefusedError(path, f"no backup can be made: {error}") from None
        return copy

    def record(self, path: str, record: Record) -> None:
        """Remember an edit, under the lock."""
        known = self._known()
        self._store(known | {path: [*known.get(path, []), asdict(record)]})

    def forget(self, path: str) -> None:
        """Remember no edit of a file any more, under the lock."""
        known = self._known()
        if known.pop(path, None) is not None:
            self._store(known)

    def records(self, path: str) -> list[Record]:
        """The edits of a file, oldest first; a damaged record is none."""
        return self.every().get(path, [])

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
        try:
            former = files.read_own(first.backup, _LIMIT)
        except OSError:
            return None
        return (former, first) if digest(former) == first.before else None

    def _opened(self) -> int:
        posix.close(files.private_dir(str(Path(self.directory).parent), missing=3))
        return files.private_dir(self.directory)

    def _known(self) -> dict[str, list[dict[str, Any]]]:
        try:
            known = json.loads(files.read_own(f"{self.directory}/{_RECORDS}", _LIMIT))["files"]
        except (OSError, ValueError, TypeError, KeyError):
            return {}
        return known if isinstance(known, dict) else {}

    def _store(self, known: dict[str, list[dict[str, Any]]]) -> None:
        text = json.dumps({"schema": 1, "files": known}, indent=1)
        files.replace(f"{self.directory}/{_RECORDS}", text.encode())


def _written(directory: str, name: str, data: bytes, now_ms: int) -> str:
    """Two copies of one millisecond take two milliseconds."""
    for instant in range(now_ms, now_ms + 1000):
        stamp = datetime.fromtimestamp(instant / 1000, UTC).strftime("%Y%m%dT%H%M%S")
        path = f"{directory}/{stamp}.{instant % 1000:03d}-{name}"
        try:
            descriptor = os.open(path, _FLAGS, 0o600)
        except FileExistsError:
            continue
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        return path
    raise FileExistsError(directory)


def _read(entry: dict[str, Any]) -> Record:
    made, at = entry.get("made"), entry.get("at")
    return Record(
        str(entry.get("before", "")),
        str(entry.get("after", "")),
        str(entry.get("backup", "")),
        made=tuple(map(str, made)) if isinstance(made, list) else (),
        at=at if isinstance(at, int) else 0,
    )
