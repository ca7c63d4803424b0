"""Crash reports: what they hold, what they leave out, and that they never fail."""

import os
import stat
from pathlib import Path

from tma import __version__
from tma.services import crash

AT = 1_700_000_000_123


def test_a_report_holds_versions_command_options_and_traceback(tmp_path: Path) -> None:
    """No option values and no local variables are in it (PTH-9, SEC-L-5)."""
    path = _report(tmp_path, options=("--json", "--text"))
    text = Path(path).read_text()

    assert path == f"{tmp_path}/.local/state/tma/crash/20231114T221320-{os.getpid()}.txt"
    assert f"tma {__version__}\nPython 3." in text
    assert "command: ls --json --text\n" in text
    assert "in _fail\n" in text
    assert text.endswith("ValueError: it broke\n")
    assert "hunter2" not in text


def test_a_report_is_private(tmp_path: Path) -> None:
    """0600 in 0700, the state directory too (PTH-9, SEC-F-2)."""
    path = Path(_report(tmp_path))

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [stat.S_IMODE(parent.stat().st_mode) for parent in list(path.parents)[:2]] == [0o700, 0o700]


def test_the_newest_ten_are_kept(tmp_path: Path) -> None:
    """Older reports go when a new one comes (PTH-9)."""
    for second in range(12):
        _report(tmp_path, now_ms=AT + second * 1000)
    names = sorted(path.name for path in (tmp_path / ".local/state/tma/crash").iterdir())

    assert len(names) == 10
    assert names[0].startswith("20231114T221322-")


def test_text_that_is_no_unicode_is_escaped(tmp_path: Path) -> None:
    """Undecodable bytes of a path do not cost the report."""
    path = _report(tmp_path, command="ls \udcff")

    assert "command: ls \\udcff" in Path(path).read_text()


def test_a_report_that_cannot_be_written_is_left_out(tmp_path: Path) -> None:
    """No home, or no directory there (PTH-9, PTH-11)."""
    (tmp_path / ".local").touch()

    assert _report(tmp_path) == ""
    assert crash.report(ValueError(), command="ls", options=(), env={}, now_ms=AT) == ""


def _report(home: Path, *, command: str = "ls", options: tuple[str, ...] = (), now_ms: int = AT) -> str:
    try:
        _fail()
    except ValueError as error:
        return crash.report(error, command=command, options=options, env={"HOME": str(home)}, now_ms=now_ms)
    return "not reached"


def _fail() -> None:
    secret = "hunter2"  # noqa: S105  # what must not be printed
    message = f"it broke{secret[:0]}"
    raise ValueError(message)
