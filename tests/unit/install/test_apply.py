"""One change carried out: nothing lost, whatever happens meanwhile."""

import errno
import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from tma.install import backups as backing
from tma.install import swap
from tma.install.apply import apply
from tma.install.backups import Backups
from tma.install.dialect import RefusedError
from tma.install.plan import Change
from tma.install.target import read

OLD, NEW, THEIRS = b'{"old": 1}\n', b'{"new": 1}\n', b'{"theirs": 1}\n'


def planned(tmp_path: Path) -> tuple[Path, Change, Backups]:
    """A file, a change of it, and a store of backups."""
    file = tmp_path / "settings.json"
    file.write_bytes(OLD)
    file.chmod(0o640)
    return file, Change(read(str(file)), NEW), Backups({"XDG_STATE_HOME": str(tmp_path / "state")})


def beside(file: Path) -> list[str]:
    """What else is in the file's directory."""
    return [path.name for path in file.parent.iterdir() if path.name not in {file.name, "state"}]


def test_a_change_keeps_mode_and_leaves_a_copy(tmp_path: Path) -> None:
    """EDT-8, PTH-12: nothing else stays beside the file."""
    file, change, backups = planned(tmp_path)

    outcome = apply(change, backups)

    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (NEW, 0o640)
    assert Path(outcome.backup).read_bytes() == OLD
    assert beside(file) == []


def test_a_file_that_changed_after_the_diff_is_left_alone(tmp_path: Path) -> None:
    """PTH-13: the re-read finds it."""
    file, change, backups = planned(tmp_path)
    file.write_bytes(THEIRS)

    with pytest.raises(RefusedError, match="changed since"):
        apply(change, backups)

    assert file.read_bytes() == THEIRS


def test_a_write_at_the_same_moment_is_found_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """EDT-8: between the re-read and the rename; the message names where their bytes are."""
    file, change, backups = planned(tmp_path)
    real = swap.into_place

    def meanwhile(new: str, path: str) -> str:
        other = file.with_name("other")
        other.write_bytes(THEIRS)
        other.rename(file)
        return real(new, path)

    monkeypatch.setattr(swap, "into_place", meanwhile)

    with pytest.raises(RefusedError, match="kept in") as refused:
        apply(change, backups)

    kept = str(refused.value).rpartition("kept in ")[2]
    assert Path(kept).read_bytes() == THEIRS
    assert file.read_bytes() == NEW


def test_a_file_with_two_names_keeps_both(tmp_path: Path) -> None:
    """EDT-2: written in place after the copy, and said."""
    file, change, backups = planned(tmp_path)
    os.link(file, tmp_path / "second")

    outcome = apply(Change(read(str(file)), change.new), backups)

    assert (tmp_path / "second").read_bytes() == NEW
    assert "in place" in outcome.remarks[0]
    assert Path(outcome.backup).read_bytes() == OLD


def test_a_new_file_never_replaces_one_that_appeared(tmp_path: Path) -> None:
    """PTH-13: also where there was none."""
    backups = Backups({"XDG_STATE_HOME": str(tmp_path / "state")})
    file = tmp_path / "made" / "here" / "f.json"
    change = Change(read(str(file)), NEW)
    file.parent.mkdir(parents=True)
    file.write_bytes(THEIRS)

    with pytest.raises(RefusedError):
        apply(change, backups)

    assert file.read_bytes() == THEIRS


def test_a_new_file_has_the_usual_mode_and_a_private_one_in_a_directory_of_ours(tmp_path: Path) -> None:
    """EDT-2: 0644 minus the umask; 0600 under a directory that was made."""
    backups = Backups({"XDG_STATE_HOME": str(tmp_path / "state")})
    former = os.umask(0o027)
    try:
        for path in (tmp_path / "plain", tmp_path / "made" / "private"):
            apply(Change(read(str(path)), NEW), backups)
    finally:
        os.umask(former)

    assert (tmp_path / "plain").stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "made" / "private").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "made").stat().st_mode & 0o777 == 0o700


def test_two_installers_at_once_lose_nothing(tmp_path: Path) -> None:
    """PTH-13: one of two changes planned on the same bytes is made, the other one is refused."""
    file, change, backups = planned(tmp_path)
    other = Change(change.target, THEIRS)
    refused: list[RefusedError] = []

    def run(each: Change) -> None:
        try:
            apply(each, backups)
        except RefusedError as error:
            refused.append(error)

    threads = [threading.Thread(target=run, args=(each,)) for each in (change, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(refused) == 1
    assert file.read_bytes() in {NEW, THEIRS}
    assert beside(file) == []


def test_what_a_killed_edit_left_goes_with_the_next_one(tmp_path: Path) -> None:
    """EDT-8: a sibling that holds known bytes or none yet; one that holds another program's stays."""
    file, change, backups = planned(tmp_path)
    ours, theirs = file.with_name("settings.json.tma-1"), file.with_name("settings.json.tma-2")
    ours.write_bytes(OLD)
    theirs.write_bytes(THEIRS)
    file.with_name("settings.json.tma-3").touch()

    apply(change, backups)

    assert beside(file) == [theirs.name]


@pytest.mark.parametrize("exists", [True, False])
def test_an_edit_that_cannot_be_recorded_is_not_made(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    exists: bool,  # noqa: FBT001
) -> None:
    """EDT-8: a full disk below the state directory, found before a byte of the file changes."""
    file, change, backups = planned(tmp_path)
    if not exists:
        file.unlink()
        change = Change(read(str(file)), NEW)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(backing.owned, "replace", full)

    with pytest.raises(RefusedError, match="no backup can be made: No space left"):
        apply(change, backups)

    assert read(str(file)).data == (OLD if exists else None)


def test_a_failed_edit_leaves_no_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CHK-5: nothing was installed, so nothing can vanish."""
    file, change, backups = planned(tmp_path)

    def full(*_: object) -> str:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(swap, "into_place", full)

    with pytest.raises(RefusedError, match="No space left"):
        apply(change, backups)

    assert (file.read_bytes(), backups.records(str(file)), beside(file)) == (OLD, [], [])


@pytest.mark.parametrize("in_place", [False, True])
def test_a_kill_between_any_two_calls_leaves_a_whole_file(tmp_path: Path, in_place: bool) -> None:  # noqa: FBT001
    """EDT-8: killed before the n-th system call that changes anything, for every n until it ends by itself."""
    for number in range(1, 80):
        home = tmp_path / str(number)
        home.mkdir()
        file, change, backups = planned(home)
        if in_place:
            os.link(file, home / "second")
            change = Change(read(str(file)), NEW)
        pid = os.fork()
        if pid == 0:
            killed_before(number, change, backups)
        _, status = os.waitpid(pid, 0)
        content = file.read_bytes()
        copies = [path.read_bytes() for path in home.rglob("*-settings.json")]
        assert content in {OLD, NEW} or (in_place and OLD in copies)
        if os.WIFEXITED(status):
            assert (os.WEXITSTATUS(status), content, number > 10) == (0, NEW, True)
            return
    pytest.fail("the edit never ended by itself")


def killed_before(number: int, change: Change, backups: Backups) -> None:
    """Carry a change out in a child that dies before its n-th system call."""
    left = number

    def count(event: str, _: object) -> None:
        nonlocal left
        if event.startswith(("open", "os.", "ctypes.dlsym", "fcntl.")):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)
    apply(change, backups)
    os._exit(0)
