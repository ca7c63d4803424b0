"""Files read again while a command runs."""

from pathlib import Path

import pytest

from gone import world
from standin import MANIFEST
from tma.services.reload import Reload
from tma.services.runtime import Runtime


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runtime:
    """A configuration and one agent in files that can be changed."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "config.toml").write_text("")
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "robot.toml").write_text(MANIFEST)
    return world(config=str(tmp_path / "config.toml"), manifest_dir=str(tmp_path / "agents"))


def test_files_that_say_the_same_keep_what_was_made_of_them(runtime: Runtime) -> None:
    """CFG-9: a tick without a change compiles no rule anew."""
    before = runtime.manifests

    assert Reload(runtime).refresh() == ""
    assert runtime.manifests is before


def test_a_change_is_in_force_at_once_and_the_server_stays(runtime: Runtime, tmp_path: Path) -> None:
    """CFG-9, CFG-12: the socket and the tmux program are fixed for the life of a process."""
    server = runtime.server
    (tmp_path / "config.toml").write_text('[fold]\nfreshness_secs = 7\n[tmux]\nbin = "/other/tmux"\n')
    (tmp_path / "agents" / "robot.toml").write_text(MANIFEST.replace("ALLOW?", "MAY I?"))

    assert Reload(runtime).refresh() == ""
    assert runtime.settings.freshness_ms == 7000
    assert "MAY I?" in str(runtime.document.agents)
    assert runtime.server is server


def test_a_broken_file_keeps_the_whole_pair_and_is_said_once_until_mended(runtime: Runtime, tmp_path: Path) -> None:
    """CFG-10, CFG-11: for the configuration."""
    reload = Reload(runtime)
    before = runtime.document
    config = tmp_path / "config.toml"
    for _ in range(2):
        config.write_text("[fold]\nfreshness = 1\n")
        (tmp_path / "agents" / "robot.toml").write_text(MANIFEST.replace("ALLOW?", "MAY I?"))
        line = reload.refresh()
        assert line.startswith(f"reload failed: config {config}: ")
        assert line.endswith("; keeping the last good pair")
        assert reload.refresh() == ""
        assert runtime.document is before
        config.write_text("")
        (tmp_path / "agents" / "robot.toml").write_text(MANIFEST)
        assert reload.refresh() == ""


def test_a_manifest_that_fails_anew_keeps_the_whole_pair(runtime: Runtime, tmp_path: Path) -> None:
    """CFG-10: one that was skipped before stays so and fails nothing."""
    broken = tmp_path / "agents" / "old.toml"
    broken.write_text("x")
    with_one = world(config=runtime.options.config, manifest_dir=runtime.options.manifest_dir)
    assert Reload(with_one).refresh() == ""

    line = Reload(runtime).refresh()

    assert line.startswith(f"reload failed: manifests: {broken}: ")
    assert runtime.document.skipped == []


def test_a_directory_that_went_away_keeps_the_last_agents(runtime: Runtime, tmp_path: Path) -> None:
    """CFG-10."""
    (tmp_path / "agents" / "robot.toml").unlink()
    (tmp_path / "agents").rmdir()

    assert Reload(runtime).refresh().startswith("reload failed: manifests: ")
    assert runtime.names == ["robot"]
