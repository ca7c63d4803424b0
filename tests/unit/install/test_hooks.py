"""Wiring one agent or all of them, in a home without a server."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from installs import Home
from tma.core.errors import FAILURE, OK, TmuxGoneError
from tma.install import hooks
from tma.install.console import Console
from tma.install.setup import Setup


class NoServer:
    """A server that is not there."""

    def run(self, _words: list[str]) -> str:
        """Nothing answers."""
        message = "no tmux server running"
        raise TmuxGoneError(message)


def setup(tmp_path: Path) -> Setup:
    """A run in a home with claude and gemini."""
    home = Home(tmp_path)
    agents = [{"name": name, "map": [{"event": "Stop"}]} for name in ("claude", "gemini")]
    runtime: Any = SimpleNamespace(
        names=["claude", "gemini"],
        document=SimpleNamespace(agents=agents),
        settings=SimpleNamespace(wrapper_ref="", focus_events=False),
        server=NoServer(),
    )
    env = home.env | {"TMA_WRAPPER_PATH": str(tmp_path / "own" / "tma-hook")}
    return Setup(runtime, Console(yes=True), env, {"wrapper_ref": "absolute"})


def test_wiring_writes_the_wrapper_and_is_found_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """WRP-9, IHK-3, IHK-5: only agents that carry wiring count as carrying it."""
    run = setup(tmp_path)

    assert hooks.install(run, run.adapter("claude"))

    assert (tmp_path / "own" / "tma-hook").stat().st_mode & 0o777 == 0o755
    assert [adapter.name for adapter in hooks.carrying(run)] == ["claude"]
    assert hooks.check(run, None) == ["no tmux server running: its hooks cannot be checked"]
    assert hooks.check(run, run.adapter("gemini"))[0] == "gemini: not installed"
    assert capsys.readouterr().out == "claude: wired\n"


def test_one_agents_failure_does_not_stop_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """IHK-3: it is named at the end, and the code is that of a failure."""
    run = setup(tmp_path)
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.json").write_text("[broken")

    code = hooks.each(run, run.adapters(), remove=False)

    assert code == FAILURE
    assert capsys.readouterr().err.rstrip().endswith("tma: not done: claude")
    assert [adapter.name for adapter in hooks.carrying(run)] == ["gemini"]
    assert hooks.each(run, hooks.carrying(run), remove=True) == OK
    assert hooks.carrying(run) == []


def test_a_missing_wrapper_is_a_finding(tmp_path: Path) -> None:
    """CHK-3."""
    run = setup(tmp_path)
    hooks.install(run, run.adapter("claude"))
    (tmp_path / "own" / "tma-hook").unlink()

    found = hooks.check(run, None)

    assert any(line.startswith("wrapper ") and "missing" in line for line in found)
    assert any(line.startswith("claude Stop: ") for line in found)


def test_a_check_of_all_names_what_vanished(tmp_path: Path) -> None:
    """CHK-5: also where nothing of the agent is left, which a bare check passes over otherwise."""
    run = setup(tmp_path)
    hooks.install(run, run.adapter("claude"))
    (tmp_path / ".claude" / "settings.json").write_text("{}")

    for found in (hooks.check(run, None), hooks.check(run, run.adapter("claude"))):
        assert "vanished" in found[0]
        assert found[0].endswith("tma install-hooks claude")
        assert not any("not installed" in each for each in found)


def test_what_was_unwired_is_not_missed(tmp_path: Path) -> None:
    """CHK-5: also where the entries had vanished before."""
    run = setup(tmp_path)
    hooks.install(run, run.adapter("claude"))
    (tmp_path / ".claude" / "settings.json").write_text("{}")

    assert hooks.uninstall(run, run.adapter("claude"))

    assert not any("vanished" in each for each in hooks.check(run, None))


def test_wiring_goes_also_where_its_wrapper_cannot_be_found(tmp_path: Path) -> None:
    """UNI-3, CHK-3: a bare name that PATH does not lead to is a finding, and no hindrance to take it out."""
    home = Home(tmp_path)
    file = home.write(".claude/settings.json", b'{"a": 1}')
    home.install("claude")
    run = setup(tmp_path)
    lost = Setup(run.runtime, run.console, run.env | {"PATH": "/gone"}, {"wrapper_ref": "bare"})

    assert "wrapper tma-hook: not on PATH" in hooks.check(lost, None)
    assert hooks.each(lost, hooks.removable(lost), remove=True) == OK
    assert file.read_bytes() == b'{"a": 1}'


def test_without_a_home_no_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """PTH-11: neither the wiring nor the status line is looked for in the current directory."""
    run = setup(tmp_path)
    lost = Setup(run.runtime, run.console, run.env | {"HOME": ""}, {"wrapper_ref": "absolute"})

    assert hooks.removable(lost) == []
    assert hooks.each(lost, [lost.adapter("claude")], remove=True) == FAILURE
    assert "HOME: is not set" in capsys.readouterr().err
