"""What stands at a path, and which of it may be edited."""

import os
import socket
from pathlib import Path

import pytest

from tma.install.dialect import RefusedError
from tma.install.target import read, refuse_unwritable
from users import plain_user


def test_absent_is_absent_and_nothing_else_is(tmp_path: Path) -> None:
    """EDT-3: a directory in the way of the path is not absence."""
    (tmp_path / "file").write_text("x")

    assert read(str(tmp_path / "no" / "such")).data is None
    with pytest.raises(RefusedError, match="Not a directory"):
        read(str(tmp_path / "file" / "below"))


def test_links_are_followed_to_their_target(tmp_path: Path) -> None:
    """EDT-2: several hops, relative."""
    (tmp_path / "dot").mkdir()
    (tmp_path / "dot" / "real").write_text("x")
    (tmp_path / "dot" / "hop").symlink_to("real")
    (tmp_path / "link").symlink_to("dot/hop")

    target = read(str(tmp_path / "link"))

    assert (target.data, target.real) == (b"x", str(tmp_path / "dot" / "real"))


def test_a_link_that_leads_nowhere_is_refused_by_name(tmp_path: Path) -> None:
    """EDT-2: dangling and looping links name link and target."""
    (tmp_path / "dangling").symlink_to("/gone/settings.json")
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")

    with pytest.raises(RefusedError, match="dangling: is a link to /gone/settings"):
        read(str(tmp_path / "dangling"))
    with pytest.raises(RefusedError, match="circle"):
        read(str(tmp_path / "a"))


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    """EDT-2: directory, FIFO, socket, device."""
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "directory").mkdir()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(tmp_path / "socket"))

    for name, words in (("fifo", "a FIFO"), ("directory", "a directory"), ("socket", "a socket")):
        with pytest.raises(RefusedError, match=words):
            read(str(tmp_path / name))
    with pytest.raises(RefusedError, match="a device"):
        read("/dev/null")
    listener.close()


def test_what_may_not_be_read_or_written_is_refused() -> None:
    """EDT-2: the message says which."""
    with plain_user() as home:
        secret, fixed = home / "secret", home / "kept" / "fixed"
        secret.write_text("x")
        secret.chmod(0)
        fixed.parent.mkdir()
        fixed.write_text("x")
        with pytest.raises(RefusedError, match="cannot read"):
            read(str(secret))
        refuse_unwritable(read(str(fixed)))
        fixed.chmod(0o400)
        with pytest.raises(RefusedError, match="fixed is not writable"):
            refuse_unwritable(read(str(fixed)))
        fixed.chmod(0o600)
        fixed.parent.chmod(0o500)
        with pytest.raises(RefusedError, match="kept is not writable"):
            refuse_unwritable(read(str(fixed)))
        with pytest.raises(RefusedError, match="kept is not writable"):
            refuse_unwritable(read(str(fixed.with_name("new"))))
        fixed.parent.chmod(0o700)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no file here that opens and cannot be read")
def test_a_file_that_opens_and_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """EDT-2: a disk or a server may fail after the file was opened."""
    link = tmp_path / "settings.json"
    link.symlink_to("/proc/self/mem")

    with pytest.raises(RefusedError, match="cannot read: Input/output error"):
        read(str(link))
