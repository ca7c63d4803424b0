"""Install records."""

from pathlib import Path

import pytest

from tma.core.errors import TmaError
from tma.install import records


def test_a_record_comes_back_and_goes_when_empty(tmp_path: Path) -> None:
    """PTH-2, SEC-F-2: mode 0600 in a private directory."""
    path = tmp_path / "conf" / "hooks-state-1.toml"

    records.store(str(path), "tmux_hooks", [{"hook": 'a"b', "index": 3}])

    assert records.load(str(path)) == {"tmux_hooks": [{"hook": 'a"b', "index": 3}]}
    assert path.stat().st_mode & 0o777 == 0o600
    records.store(str(path), "tmux_hooks", [])
    assert not path.exists()
    assert records.load(str(path)) == {}


def test_a_record_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """CLI-1."""
    (tmp_path / "file").write_text("")

    with pytest.raises(TmaError, match="install record"):
        records.store(str(tmp_path / "file" / "x"), "t", [{"a": 1}])
