"""Carrying out one planned change so that a reader, a crash or another writer never meets half a file (EDT-8).

In this order: re-read and compare with what the person was shown; copy the old bytes; record the
edit, so that one which cannot be undone is not made; write a sibling and sync it; keep a second
name of the old file; rename; sync the directory; re-read and compare; look whether somebody wrote
to the old file meanwhile.
"""

import errno
import glob
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tma.adapters import system
from tma.install import swap
from tma.install.backups import Backups, Record, digest
from tma.install.dialect import RefusedError
from tma.install.plan import Change
from tma.install.target import Target, read

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_NO_LINKS = frozenset((errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV))
_NO_RENAME = frozenset((errno.EBUSY, errno.EXDEV))


@dataclass
class Outcome:
    """What a person is told: the copy's path, and remarks."""

    backup: str = ""
    remarks: tuple[str, ...] = ()


def apply(change: Change, backups: Backups) -> Outcome:
    """Write, create or remove the file.

    Raises:
        RefusedError: the file changed since the plan was made, no backup can be made, or the
            system refuses; then nothing was changed. Also when another program wrote meanwhile:
            the message says where its bytes are.
    """
    target = change.target
    with backups.locked(target.path):
        _refuse_changed(target)
        _clear_leftovers(change, backups)
        outcome = Outcome()
        if target.data is not None:
            outcome.backup = backups.keep(target.real, target.data, system.now_ms())
        missing = _missing_above(target)
        with _recorded(change, backups, outcome, missing):
            try:
                _carry_out(change, outcome, missing)
            except OSError as error:
                raise RefusedError(target.path, f"cannot write: {error.strerror}") from None
    return outcome


def _carry_out(change: Change, outcome: Outcome, missing: tuple[str, ...]) -> None:
    if change.new is None:
        _remove(change.target, change.emptied)
    elif change.target.data is None:
        _create(change.target, change.new, change.mode, missing)
    else:
        _replace(change.target, change.new, outcome)


@contextmanager
def _recorded(change: Change, backups: Backups, outcome: Outcome, missing: tuple[str, ...]) -> Iterator[None]:
    """Record an edit before it is made; one that fails leaves no record, one that undoes takes them all along."""
    target = change.target
    if change.undoes or change.new is None:
        yield
        try:
            if change.undoes:
                backups.forget(target.real)
        except RefusedError as error:
            outcome.remarks += (str(error),)
        return
    before = digest(target.data) if target.data is not None else ""
    backups.record(target.real, Record(before, digest(change.new), outcome.backup, missing, system.now_ms()))
    try:
        yield
    except RefusedError:
        backups.take_back(target.real)
        raise


def _refuse_changed(target: Target) -> None:
    """PTH-13."""
    now = read(target.path)
    if (now.real, now.data) != (target.real, target.data):
        raise RefusedError(
            target.path, "changed since the changes were shown; nothing was written", hint="run it again"
        )


def _clear_leftovers(change: Change, backups: Backups) -> None:
    """Remove siblings of an edit that was killed, where they hold nothing but what tma itself wrote or kept."""
    target = change.target
    records = backups.records(target.real)
    known = {digest(data) for data in (target.data, change.new, b"") if data is not None}
    known |= {name for record in records for name in (record.before, record.after)}
    for sibling in Path(target.real).parent.glob(f"{glob.escape(Path(target.real).name)}.tma-*"):
        with suppress(OSError):
            if digest(sibling.read_bytes()) in known:
                sibling.unlink()


def _missing_above(target: Target) -> tuple[str, ...]:
    """The directories to be made for a new file, outermost first."""
    missing = [parent for parent in Path(target.real).parents if not parent.exists()] if target.data is None else []
    return tuple(str(directory) for directory in reversed(missing))


def _create(target: Target, data: bytes, mode: int, missing: tuple[str, ...]) -> None:
    """A new file, never over one that somebody made meanwhile."""
    for directory in missing:
        Path(directory).mkdir(mode=0o700)
    if missing and not mode & 0o111:
        mode = 0o600
    sibling = _sibling(target.real, data, mode, None)
    try:
        os.link(sibling, target.real)
    except FileExistsError:
        raise RefusedError(target.path, "appeared since the changes were shown; nothing was written") from None
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        Path(sibling).rename(target.real)
    finally:
        Path(sibling).unlink(missing_ok=True)
    _sync_directory(target.real)


def _remove(target: Target, emptied: tuple[str, ...]) -> None:
    Path(target.real).unlink()
    for directory in reversed(emptied):
        with suppress(OSError):
            Path(directory).rmdir()


def _replace(target: Target, data: bytes, outcome: Outcome) -> None:
    seen = target.seen
    if seen is None or seen.st_nlink > 1:
        _write_in_place(target, data, outcome, "it has more than one name")
        return
    sibling = _sibling(target.real, data, stat.S_IMODE(seen.st_mode), seen)
    if not sibling:
        _write_in_place(target, data, outcome, "its owner could not be kept otherwise")
        return
    try:
        former = swap.into_place(sibling, target.real)
    except OSError as error:
        Path(sibling).unlink(missing_ok=True)
        if error.errno not in _NO_RENAME:
            raise
        _write_in_place(target, data, outcome, "it cannot be replaced")
        return
    _sync_directory(target.real)
    _compare(target, data, former)


def _compare(target: Target, data: bytes, former: str) -> None:
    """Find what another program wrote between the re-read and the rename, or after the rename."""
    if former:
        if Path(former).read_bytes() != target.data:
            reason = f"another program wrote it at the same moment; what it wrote is kept in {former}"
            raise RefusedError(target.path, reason, hint="compare the two and run the command again")
        Path(former).unlink()
    _refuse_overwritten(target, data)


def _refuse_overwritten(target: Target, data: bytes) -> None:
    if read(target.path).data != data:
        raise RefusedError(target.path, "another program replaced it right after it was written", hint="run --check")


def _sibling(path: str, data: bytes, mode: int, seen: os.stat_result | None) -> str:
    """A synced file beside a path, of the same mode and owner; "" where the owner cannot be had."""
    beside = f"{path}.tma-{system.nonce(16)}"
    descriptor = os.open(beside, _NEW, mode if seen is None else 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if seen is not None:
                if not _owned_like(file.fileno(), seen):
                    Path(beside).unlink()
                    return ""
                os.fchmod(file.fileno(), mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise
    return beside


def _owned_like(descriptor: int, seen: os.stat_result) -> bool:
    own = os.fstat(descriptor)
    if (own.st_uid, own.st_gid) != (seen.st_uid, seen.st_gid):
        try:
            os.fchown(descriptor, seen.st_uid, seen.st_gid)
        except OSError:
            return False
    return True


def _write_in_place(target: Target, data: bytes, outcome: Outcome, why: str) -> None:
    descriptor = os.open(target.real, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())
    outcome.remarks += (f"{target.path} was written in place, because {why}",)
    _refuse_overwritten(target, data)


def _sync_directory(path: str) -> None:
    descriptor = os.open(Path(path).parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    except OSError:
        return
    finally:
        os.close(descriptor)
