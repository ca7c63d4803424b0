"""How tma starts itself again."""

import sys
from pathlib import Path

import pytest

from tma.services import program
from tma.services.cache import Options


def test_a_script_is_its_own_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MNU-7: by its absolute path, links followed."""
    script = tmp_path / "tma"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    (tmp_path / "link").symlink_to(script)
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "link")])
    assert program.own_words() == [str(script)]


@pytest.mark.parametrize("argv", ["/x/tma/__main__.py", "-c", ""])
def test_a_package_is_run_by_its_interpreter(monkeypatch: pytest.MonkeyPatch, argv: str) -> None:
    """MNU-7."""
    monkeypatch.setattr(sys, "argv", [argv])
    assert program.own_words() == [sys.executable, "-m", "tma"]


def test_options_are_passed_on_in_their_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """GLO-4, ACT-MENU-3: a child may stand in another directory."""
    monkeypatch.chdir(tmp_path)
    options = Options()
    options.config, options.manifest_dir, options.client = "c.toml", "/d", "tty1"
    assert program.own_options(options, "/sock") == [
        "--socket-path",
        "/sock",
        "--config",
        f"{tmp_path}/c.toml",
        "--manifest-dir",
        "/d",
        "--client",
        "tty1",
    ]
    options.socket_name = "x"
    assert program.own_options(options, "/sock")[:2] == ["--socket-name", "x"]
    assert program.own_options(Options()) == []
