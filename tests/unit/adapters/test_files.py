"""Paths by the environment, and what is refused when files are read."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tma.adapters import files
from tma.adapters.files import FileRefusedError
from users import IS_ROOT, NOBODY, plain_user

as_root = pytest.mark.skipif(not IS_ROOT, reason="only root can give files away")


@pytest.fixture
def plain_home() -> Iterator[Path]:
    """The home of the acting user, who is not root."""
    with plain_user() as home:
        yield home


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ({"TMA_CONFIG": "/x.toml", "XDG_CONFIG_HOME": "/c", "HOME": "/h"}, "/x.toml"),
        ({"TMA_CONFIG": "", "XDG_CONFIG_HOME": "/c", "HOME": "/h"}, "/c/tma/config.toml"),
        ({"XDG_CONFIG_HOME": "", "HOME": "/h"}, "/h/.config/tma/config.toml"),
        ({"XDG_CONFIG_HOME": "relative", "HOME": "/h/"}, "/h/.config/tma/config.toml"),
        ({"XDG_CONFIG_HOME": ""}, ""),
        ({"HOME": ""}, ""),
        ({"HOME": "."}, ""),
        ({}, ""),
    ],
)
def test_the_configuration_is_found_by_the_first_variable_that_counts(env: dict[str, str], expected: str) -> None:
    """Empty and relative variables count as unset, and no path becomes relative (CFG-1, PTH-11, GLO-6)."""
    assert files.config_file(env) == expected


def test_each_directory_has_its_variable_and_its_place_below_home() -> None:
    """Manifests, cache and state by XDG variable, else below home, else nowhere (PTH-1, PTH-9, PTH-16)."""
    xdg = {"XDG_CONFIG_HOME": "/c", "XDG_CACHE_HOME": "/k", "XDG_STATE_HOME": "/s"}
    home = {"HOME": "/h"}
    places = (files.agents_dir, files.cache_dir, files.state_dir)

    assert [place(xdg) for place in places] == ["/c/tma/agents", "/k/tma", "/s/tma"]
    assert [place(home) for place in places] == ["/h/.config/tma/agents", "/h/.cache/tma", "/h/.local/state/tma"]
    assert [place({}) for place in places] == ["", "", ""]


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ({"XDG_RUNTIME_DIR": "/run/user/7", "TMPDIR": "/t"}, "/run/user/7/tma"),
        ({"XDG_RUNTIME_DIR": "", "TMPDIR": "/t"}, "/t/tma-{uid}"),
        ({"XDG_RUNTIME_DIR": "run", "TMPDIR": "t"}, "/tmp/tma-{uid}"),
        ({}, "/tmp/tma-{uid}"),
    ],
)
def test_the_runtime_directory_is_the_users_own(env: dict[str, str], expected: str) -> None:
    """Without the XDG variable the name holds the user id, so that users do not meet (PTH-4)."""
    assert files.runtime_dir(env) == expected.format(uid=os.geteuid())


@pytest.mark.parametrize(
    ("text", "expected"), [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")]
)
def test_a_text_is_hashed_as_fnv_1a(text: str, expected: str) -> None:
    """The published vectors of FNV-1a 64, in lower-case hex (PTH-3)."""
    assert files.short_hash(text) == expected


def test_a_signature_tells_any_change(tmp_path: Path) -> None:
    """Content, replacement, permissions and absence each give another signature (PTH-16)."""
    path = tmp_path / "f"
    seen = [files.signature(str(path))]
    path.write_bytes(b"one")
    seen.append(files.signature(str(path)))
    path.write_bytes(b"three")
    seen.append(files.signature(str(path)))
    path.chmod(0o600)
    os.utime(path, ns=(0, int(seen[-1][2])))
    seen.append(files.signature(str(path)))
    (tmp_path / "g").write_bytes(b"three")
    (tmp_path / "g").replace(path)
    seen.append(files.signature(str(path)))

    assert [files.is_absent(one) for one in seen] == [True, False, False, False, False]
    assert len({tuple(one) for one in seen}) == 5


def test_a_path_below_a_file_is_absent(tmp_path: Path) -> None:
    """A home of ``/dev/null`` means that there is nothing, not that it is broken (CFG-2)."""
    (tmp_path / "f").touch()

    assert files.is_absent(files.signature(f"{tmp_path}/f/config.toml"))
    assert files.is_absent(files.signature(""))


def test_a_path_that_may_not_be_looked_at_is_not_absent(plain_home: Path) -> None:
    """Then nobody knows whether there is a configuration."""
    closed = plain_home / "closed"
    closed.mkdir(0o000)

    assert not files.is_absent(files.signature(f"{closed}/config.toml"))


class TestTrusted:
    """Reading what a person wrote."""

    def test_a_plain_file_of_the_user_is_read(self, tmp_path: Path) -> None:
        """Exactly the limit still fits (MAN-LOAD-3)."""
        path = tmp_path / "f"
        path.write_bytes(b"x" * 1024)

        assert files.read_trusted(str(path), 1024) == b"x" * 1024

    def test_a_symlink_is_followed(self, tmp_path: Path) -> None:
        """Configuration kept elsewhere is fine (MAN-LOAD-3)."""
        (tmp_path / "real").write_bytes(b"x")
        (tmp_path / "link").symlink_to("real")

        assert files.read_trusted(f"{tmp_path}/link", 10) == b"x"

    def test_a_file_over_the_limit_is_refused(self, tmp_path: Path) -> None:
        """The bound is said (SEC-R-1)."""
        (tmp_path / "f").write_bytes(b"x" * 1025)

        _refused(lambda: files.read_trusted(f"{tmp_path}/f", 1024), "is larger than 1 KiB")

    def test_a_directory_is_refused(self, tmp_path: Path) -> None:
        """A directory is no configuration (MAN-LOAD-3)."""
        _refused(lambda: files.read_trusted(str(tmp_path), 10), "is a directory")

    def test_a_fifo_is_refused_without_waiting(self, tmp_path: Path) -> None:
        """Opening does not hang for a writer (MAN-LOAD-3)."""
        os.mkfifo(tmp_path / "f")

        _refused(lambda: files.read_trusted(f"{tmp_path}/f", 10), "is a FIFO")

    def test_a_device_is_refused(self) -> None:
        """Endless input is not read (MAN-LOAD-3)."""
        _refused(lambda: files.read_trusted("/dev/zero", 10), "is a device")

    def test_a_world_writable_file_is_refused(self, tmp_path: Path) -> None:
        """Anyone could have written it (MAN-LOAD-3, SEC-F-7)."""
        (tmp_path / "f").touch()
        (tmp_path / "f").chmod(0o602)

        _refused(lambda: files.read_trusted(f"{tmp_path}/f", 10), "is writable for everyone")

    def test_a_file_in_a_world_writable_directory_is_refused(self, tmp_path: Path) -> None:
        """Anyone could have put it there, the sticky bit notwithstanding (MAN-LOAD-3)."""
        (tmp_path / "d").mkdir()
        (tmp_path / "d").chmod(0o1777)
        (tmp_path / "d" / "f").touch()

        _refused(
            lambda: files.read_trusted(f"{tmp_path}/d/f", 10),
            f"its directory {tmp_path}/d is writable for everyone",
        )

    def test_a_symlink_into_a_world_writable_directory_is_refused(self, tmp_path: Path) -> None:
        """The directory of what is read counts, not only that of its name (MAN-LOAD-3)."""
        (tmp_path / "d").mkdir()
        (tmp_path / "d").chmod(0o777)
        (tmp_path / "d" / "f").touch()
        (tmp_path / "link").symlink_to("d/f")

        _refused(
            lambda: files.read_trusted(f"{tmp_path}/link", 10),
            f"its directory {tmp_path}/d is writable for everyone",
        )

    @as_root
    def test_a_file_of_another_user_is_refused(self, tmp_path: Path) -> None:
        """Only the user's and root's files hold commands to run (SEC-F-7)."""
        (tmp_path / "f").touch()
        os.chown(tmp_path / "f", NOBODY, NOBODY)

        _refused(lambda: files.read_trusted(f"{tmp_path}/f", 10), "belongs to another user")

    def test_a_missing_file_is_missing(self, tmp_path: Path) -> None:
        """Absence stays the system's own error."""
        with pytest.raises(FileNotFoundError):
            files.read_trusted(f"{tmp_path}/f", 10)


class TestOwn:
    """Reading what tma wrote."""

    def test_a_file_is_read_by_its_directory(self, tmp_path: Path) -> None:
        """Names are looked up in the open directory (PTH-6)."""
        (tmp_path / "f").write_bytes(b"x")
        descriptor = files.open_private(str(tmp_path))
        try:
            assert files.read_own("f", 10, dir_fd=descriptor) == b"x"
        finally:
            os.close(descriptor)

    def test_a_symlink_is_not_followed(self, tmp_path: Path) -> None:
        """What has the name itself must be the file (PTH-6)."""
        (tmp_path / "f").write_bytes(b"x")
        (tmp_path / "link").symlink_to("f")

        with pytest.raises(OSError, match="symbolic links"):
            files.read_own(f"{tmp_path}/link", 10)

    @as_root
    def test_a_file_of_another_user_is_refused(self, tmp_path: Path) -> None:
        """Root's too, and root refuses others' (PTH-6)."""
        (tmp_path / "f").touch()
        os.chown(tmp_path / "f", NOBODY, NOBODY)

        _refused(lambda: files.read_own(f"{tmp_path}/f", 10), "belongs to another user")


def _refused(call: object, reason: str) -> None:
    assert callable(call)
    with pytest.raises(FileRefusedError) as caught:
        call()

    assert caught.value.reason == reason
    assert str(caught.value) == f"{caught.value.path}: {reason}"
