"""Directories and files of tma's own: made for the user alone, and what is refused."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tma.adapters import files, owned
from tma.adapters.files import FileRefusedError
from users import IS_ROOT, NOBODY, plain_user

as_root = pytest.mark.skipif(not IS_ROOT, reason="only root can give files away")


@pytest.fixture
def plain_home() -> Iterator[Path]:
    """The home of the acting user, who is not root."""
    with plain_user() as home:
        yield home


class TestPrivateDirectory:
    """The directories that hold tma's own files."""

    def test_it_is_made_for_the_user_alone(self, tmp_path: Path) -> None:
        """Made with 0700 whatever the umask allows (SEC-F-1, SEC-F-2)."""
        old = os.umask(0)
        try:
            _open(f"{tmp_path}/d")
        finally:
            os.umask(old)

        assert _mode(tmp_path / "d") == 0o700

    def test_missing_parents_are_made_only_as_deep_as_asked(self, tmp_path: Path) -> None:
        """A mistyped home does not grow into a tree of directories (PTH-11)."""
        _refused(lambda: _open(f"{tmp_path}/a/b/c", missing=1), "No such file or directory")
        _open(f"{tmp_path}/x/y", missing=1)

        assert [_mode(tmp_path / "x"), _mode(tmp_path / "x/y")] == [0o700, 0o700]
        assert not (tmp_path / "a").exists()

    @pytest.mark.parametrize("mode", [0o755, 0o777, 0o770, 0o500])
    def test_a_wrong_mode_of_our_own_is_repaired(self, tmp_path: Path, mode: int) -> None:
        """Tightened, or opened up for the user, to 0700 (SEC-F-1)."""
        (tmp_path / "d").mkdir()
        (tmp_path / "d").chmod(mode)
        _open(f"{tmp_path}/d")

        assert _mode(tmp_path / "d") == 0o700

    def test_a_write_bit_that_stays_is_refused(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """On a file system that refuses modes nothing in the directory is used (PTH-5)."""
        (tmp_path / "d").mkdir()
        (tmp_path / "d").chmod(0o770)
        monkeypatch.setattr(owned, "_chmod", lambda *_: False)

        _refused(lambda: _open(f"{tmp_path}/d"), "stays writable for others")

    def test_a_symlink_is_refused(self, tmp_path: Path) -> None:
        """Also one to a directory of our own (PTH-5)."""
        (tmp_path / "real").mkdir(0o700)
        (tmp_path / "d").symlink_to("real")

        _refused(lambda: _open(f"{tmp_path}/d"), "is a symlink")

    def test_a_file_in_its_place_is_refused(self, tmp_path: Path) -> None:
        """What is no directory is named as such (PTH-5)."""
        (tmp_path / "d").touch()

        _refused(lambda: _open(f"{tmp_path}/d"), "is no directory")

    @as_root
    def test_a_directory_of_another_user_is_refused(self, tmp_path: Path) -> None:
        """Whatever its mode (PTH-5)."""
        (tmp_path / "d").mkdir(0o700)
        os.chown(tmp_path / "d", NOBODY, NOBODY)

        _refused(lambda: _open(f"{tmp_path}/d"), "belongs to another user")

    @as_root
    def test_nothing_is_made_in_a_directory_of_another_user(self, tmp_path: Path) -> None:
        """A root shell that kept a user's environment leaves nothing that the user cannot use."""
        (tmp_path / "home").mkdir(0o755)
        os.chown(tmp_path / "home", NOBODY, NOBODY)

        _refused(lambda: _open(f"{tmp_path}/home/d"), f"{tmp_path}/home belongs to another user")
        assert not (tmp_path / "home/d").exists()

    def test_two_users_of_one_world_writable_base_do_not_meet(self, plain_home: Path) -> None:
        """Each has a name of its own there, and a directory made by another is no way in (PTH-4, PTH-5)."""
        plain_home.chmod(0o1777)
        mine = files.runtime_dir({"TMPDIR": str(plain_home)})
        _open(mine)

        assert Path(mine).name == f"tma-{os.geteuid()}"
        if IS_ROOT:
            os.seteuid(0)
            _refused(lambda: _open(mine), "belongs to another user")
            assert Path(files.runtime_dir({"TMPDIR": str(plain_home)})).name == "tma-0"


class TestReplace:
    """Writing a file of tma's own."""

    def test_the_file_is_whole_and_private(self, tmp_path: Path) -> None:
        """Written beside and renamed, 0600, and nothing is left over (SEC-F-2, SEC-F-3)."""
        old = os.umask(0)
        try:
            owned.replace(f"{tmp_path}/f", b"one")
            owned.replace(f"{tmp_path}/f", b"two")
        finally:
            os.umask(old)

        assert (tmp_path / "f").read_bytes() == b"two"
        assert _mode(tmp_path / "f") == 0o600
        assert [entry.name for entry in tmp_path.iterdir()] == ["f"]

    def test_a_symlink_is_neither_followed_nor_removed(self, tmp_path: Path) -> None:
        """A file there that is a symlink is refused (PTH-6)."""
        (tmp_path / "victim").write_bytes(b"kept")
        (tmp_path / "f").symlink_to("victim")

        _refused(lambda: owned.replace(f"{tmp_path}/f", b"x"), "is a symlink")
        assert (tmp_path / "f").is_symlink()
        assert (tmp_path / "victim").read_bytes() == b"kept"

    @as_root
    def test_a_file_of_another_user_is_not_removed(self, tmp_path: Path) -> None:
        """A file there that is another user's is refused (PTH-6)."""
        (tmp_path / "f").write_bytes(b"kept")
        os.chown(tmp_path / "f", NOBODY, NOBODY)

        _refused(lambda: owned.replace(f"{tmp_path}/f", b"x"), "belongs to another user")
        assert (tmp_path / "f").read_bytes() == b"kept"

    def test_a_failure_leaves_nothing_behind(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The temporary file goes when the content cannot be written (SEC-F-3)."""

        def full(_descriptor: int, _data: bytes) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(owned, "_write", full)

        with pytest.raises(OSError, match="No space"):
            owned.replace(f"{tmp_path}/f", b"x")
        assert list(tmp_path.iterdir()) == []


def _open(path: str, *, missing: int = 0) -> None:
    os.close(owned.private_dir(path, missing=missing))


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def _refused(call: object, reason: str) -> None:
    assert callable(call)
    with pytest.raises(FileRefusedError) as caught:
        call()

    assert caught.value.reason == reason
    assert str(caught.value) == f"{caught.value.path}: {reason}"
