"""Where the demo lives and what it refuses, without a server."""

from pathlib import Path

import pytest

from tma.core.errors import TmaError
from tma.install import keys
from tma.services.demo import DATA, Demo


def test_the_demo_lives_below_the_runtime_directory(tmp_path: Path) -> None:
    """Its socket is its own and no other server's (DEM-1)."""
    demo = Demo({"XDG_RUNTIME_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"})

    assert demo.socket == f"{tmp_path}/tma/demo/tmux.sock"


def test_the_demos_keys_are_those_that_are_installed() -> None:
    """DEM-1, KEY-1, KEY-2: what somebody learns in the demo holds outside."""
    bound = [line for line in (DATA / "keys.conf").read_text().splitlines() if line.startswith("bind-key")]

    assert bound == keys.rendered(mouse=True, launcher=False).splitlines()[1:]


def test_ending_no_demo_is_no_error(tmp_path: Path) -> None:
    """Nothing running is fine, and leftovers of one that ended by itself are removed (DEM-5)."""
    demo = Demo({"XDG_RUNTIME_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"})
    (tmp_path / "tma" / "demo" / "bin").mkdir(parents=True)

    assert demo.stop() is False
    assert not (tmp_path / "tma" / "demo").exists()


def test_a_socket_path_over_the_limit_is_refused_by_its_length(tmp_path: Path) -> None:
    """A path that the system cannot bind is named before anything is made (PTH-7)."""
    demo = Demo({"XDG_RUNTIME_DIR": str(tmp_path / ("x" * 100)), "PATH": "/usr/bin:/bin"})

    with pytest.raises(TmaError, match=r"more than 10[37] bytes"):
        demo.start(1.0)
    assert list(tmp_path.iterdir()) == []


def test_a_runtime_directory_that_is_a_symlink_is_refused(tmp_path: Path) -> None:
    """The demo starts only where nobody else can write (PTH-5)."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "tma").symlink_to(tmp_path / "elsewhere")
    demo = Demo({"XDG_RUNTIME_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"})

    with pytest.raises(TmaError, match="symlink"):
        demo.start(1.0)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_start_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    """Without tmux there is an error and no directory (DEM-5, CLI-10)."""
    demo = Demo({"XDG_RUNTIME_DIR": str(tmp_path), "PATH": "/nowhere"})

    with pytest.raises(TmaError, match="not installed or not on PATH"):
        demo.start(1.0)
    assert not (tmp_path / "tma" / "demo").exists()
