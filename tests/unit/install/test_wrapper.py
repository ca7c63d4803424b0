"""How configurations name the wrapper."""

import os
from pathlib import Path

import pytest

from tma.core.errors import TmaError
from tma.install import wrapper
from tma.install.wrapper import Reference


def program(path: Path, text: str = "#!/bin/sh\n") -> Path:
    """An executable file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_bare_is_chosen_only_for_this_installs_own(tmp_path: Path) -> None:
    """REF-1, REF-2: found on PATH and the same file, links followed; otherwise absolute with a note."""
    own = program(tmp_path / "own" / "tma-hook")
    other = program(tmp_path / "other" / "tma-hook")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "tma-hook").symlink_to(own)

    assert wrapper.choose(str(own), "", str(tmp_path / "bin")).reference.word == "tma-hook"
    chosen = wrapper.choose(str(own), "", str(other.parent))
    assert (chosen.reference.word, len(chosen.notes)) == (str(own), 1)
    warned = wrapper.choose(str(own), "bare", f":relative:{other.parent}")
    assert (warned.reference.word, str(other) in warned.notes[0]) == ("tma-hook", True)


def test_bare_without_one_on_path_is_refused(tmp_path: Path) -> None:
    """REF-2: before any file is touched."""
    own = program(tmp_path / "tma-hook")

    with pytest.raises(TmaError, match="no tma-hook on PATH"):
        wrapper.choose(str(own), "bare", "relative::/gone")


def test_references_are_the_same_by_the_file_they_lead_to(tmp_path: Path) -> None:
    """REF-5: spelling is no drift, a reference to nothing is."""
    own = program(tmp_path / "tma-hook")
    reference = Reference(str(own), str(tmp_path))

    assert reference.is_current("tma-hook")
    assert reference.is_current(f"{tmp_path}/./tma-hook")
    assert not reference.is_current("/gone/tma-hook")
    assert not Reference("/gone/tma-hook", "").is_current("/gone/tma-hook")
    assert not Reference(str(own), str(tmp_path), respell=True).is_current("tma-hook")


def test_a_path_is_quoted_only_where_a_shell_needs_it() -> None:
    """REF-3."""
    assert Reference("/opt/a b/it's/tma-hook", "").shell == "'/opt/a b/it'\\''s/tma-hook'"
    assert Reference("/opt/tma/tma-hook", "").shell == "/opt/tma/tma-hook"


def test_the_wrapper_is_written_once_with_its_mode(tmp_path: Path) -> None:
    """WRP-9: a byte-equal executable is not touched; another program's file is not replaced."""
    path = tmp_path / "bin" / "tma-hook"

    assert wrapper.put(str(path))
    assert path.stat().st_mode & 0o777 == 0o755
    assert path.read_bytes() == Path(wrapper.shipped()).read_bytes()
    assert not wrapper.put(str(path))
    assert wrapper.is_removable(str(path))
    assert not wrapper.is_removable(wrapper.shipped())
    with pytest.raises(TmaError, match="another file"):
        wrapper.put(str(program(tmp_path / "foreign", "echo")))


def test_a_throw_away_environment_is_known() -> None:
    """PKG-2."""
    assert wrapper.is_passing("/h/.cache/uv/archive-v0/x/bin/tma-hook", {})
    assert wrapper.is_passing("/t/venv/bin/tma-hook", {"TMPDIR": "/t"})
    assert not wrapper.is_passing("/h/.local/bin/tma-hook", {})


def test_a_path_that_is_no_text_is_refused(tmp_path: Path) -> None:
    """REF-1: JSON and TOML hold text only; the bare name leads there all the same."""
    own = program(tmp_path / os.fsdecode(b"a\xff") / "tma-hook")

    with pytest.raises(TmaError, match="no UTF-8"):
        wrapper.choose(str(own), "", "/gone")
    assert wrapper.choose(str(own), "", str(own.parent)).reference.word == "tma-hook"
