"""What doctor examines; whole reports are tested on real servers."""

from pathlib import Path
from typing import Any

from tma.install import findings
from tma.install.health import COMM_MAX


def test_the_kernel_keeps_fifteen_characters() -> None:
    """DOC-2: a longer process name needs its cut form."""
    assert COMM_MAX == 15


def test_a_runtime_directory_that_others_can_write_to_is_a_fault(tmp_path: Path) -> None:
    """CDO-3: named, with what to do."""
    (tmp_path / "tma").mkdir()
    (tmp_path / "tma").chmod(0o777)
    setup: Any = type("Run", (), {})()
    setup.env = {"XDG_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path)}
    setup.places = type("Places", (), {"of": staticmethod(lambda _: "")})()

    (fault,) = findings.faults(setup)

    assert str(tmp_path / "tma") in fault
