"""An agent's files, all or none."""

from pathlib import Path

import pytest

from installs import Home
from tma.install import apply as applying
from tma.install import target as targets
from tma.install import wiring
from tma.install.dialect import RefusedError
from tma.install.plan import Change
from users import plain_user


def test_links_and_modes_of_a_dotfiles_repository_stay(tmp_path: Path) -> None:
    """EDT-2, PTH-12: two hops, relative, mode 0600; the target is edited and comes back to the byte."""
    home = Home(tmp_path)
    real = home.write("dot/claude/real.json", b'{\n  "model": "opus"\n}\n')
    real.chmod(0o600)
    (real.parent / "settings.json").symlink_to("real.json")
    link = tmp_path / ".claude" / "settings.json"
    link.parent.mkdir()
    link.symlink_to("../dot/claude/settings.json")

    home.install("claude")
    assert b"tma-hook claude Stop" in real.read_bytes()
    home.uninstall("claude")

    assert real.read_bytes() == b'{\n  "model": "opus"\n}\n'
    assert real.stat().st_mode & 0o777 == 0o600
    assert (link.is_symlink(), (real.parent / "settings.json").is_symlink()) == (True, True)


@pytest.mark.parametrize(
    ("agent", "path"),
    [("claude", ".claude/settings.json"), ("codex", ".codex/config.toml"), ("pi", ".pi/agent/extensions/tma.js")],
)
def test_a_dangling_link_is_refused_and_stays(tmp_path: Path, agent: str, path: str) -> None:
    """EDT-2: never a plain file in place of the link."""
    home = Home(tmp_path)
    link = tmp_path / path
    link.parent.mkdir(parents=True)
    link.symlink_to("/gone/file")

    with pytest.raises(RefusedError, match="/gone/file"):
        home.install(agent)

    assert link.is_symlink()
    assert "cannot read" in home.status(agent).reasons[0]


def test_a_failure_in_the_second_file_undoes_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ADP-8: codex has two files; both are as they were."""
    home = Home(tmp_path)
    config = home.write(".codex/config.toml", b"a = 1\n")
    changes = wiring.plan_install(home.channels("codex"), home.reference)
    real = applying.apply

    def fail_late(change: Change, backups: applying.Backups) -> applying.Outcome:
        if change.target.path == str(config) and change.target.data == b"a = 1\n":
            raise RefusedError(str(config), "no room")
        return real(change, backups)

    monkeypatch.setattr(wiring, "apply", fail_late)

    with pytest.raises(RefusedError):
        home.make(changes)

    assert config.read_bytes() == b"a = 1\n"
    assert not (tmp_path / ".codex" / "hooks.json").exists()


def test_a_file_that_somebody_edited_keeps_their_edit(tmp_path: Path) -> None:
    """EDT-11, EDT-12: no restore over another's change."""
    home = Home(tmp_path)
    file = home.write(".claude/settings.json", b'{"model": "opus"}')
    home.install("claude")
    file.write_bytes(file.read_bytes().replace(b"opus", b"sonnet"))

    home.uninstall("claude")

    assert file.read_bytes() == b'{"model": "sonnet"}'


def test_a_store_path_is_refused_with_the_entries_to_add(monkeypatch: pytest.MonkeyPatch) -> None:
    """EDT-2: a generated file says so, and what to add to its source."""
    with plain_user() as home:
        monkeypatch.setattr(targets, "STORES", (f"{home}/store/",))
        stored = home / "store" / "settings.json"
        stored.parent.mkdir()
        stored.write_bytes(b"{}")
        stored.chmod(0o444)
        person = Home(home)
        link = person.directory / ".claude" / "settings.json"
        link.parent.mkdir()
        link.symlink_to(stored)

        with pytest.raises(RefusedError, match="is generated") as refused:
            person.install("claude")

        assert "tma-hook claude Stop" in refused.value.hint
        assert stored.read_bytes() == b"{}"


def test_partial_wiring_is_incomplete(tmp_path: Path) -> None:
    """CHK-1, CHK-6: one of codex's two files still counts as wired in part."""
    home = Home(tmp_path)
    home.install("codex")
    (tmp_path / ".codex" / "config.toml").write_bytes(b"")

    status = home.status("codex")

    assert (status.state, status.carried) == (wiring.INCOMPLETE, True)
    assert "config.toml" in status.reasons[0]
