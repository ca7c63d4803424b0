"""An agent's files, all or none."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
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
    """FC-11, EDT-2, PTH-12: two hops, relative, mode 0600; the target is edited and comes back to the byte."""
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
    assert home.status("codex").vanished == ()


def test_a_failure_leaves_no_directory_of_the_first_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ADP-8: a directory that was made for a file goes with it."""
    home = Home(tmp_path, {"TMA_CODEX_CONFIG": str(tmp_path / "elsewhere.toml")})
    changes = wiring.plan_install(home.channels("codex"), home.reference)
    real = applying.apply

    def fail_late(change: Change, backups: applying.Backups) -> applying.Outcome:
        if change.target.path.endswith("elsewhere.toml"):
            raise RefusedError(change.target.path, "no room")
        return real(change, backups)

    monkeypatch.setattr(wiring, "apply", fail_late)

    with pytest.raises(RefusedError):
        home.make(changes)

    assert not (tmp_path / ".codex").exists()


@pytest.mark.parametrize("edited", [False, True])
def test_a_directory_of_a_killed_run_goes_in_the_end(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    edited: bool,  # noqa: FBT001
) -> None:
    """EDT-12, RMV-2: it was made for the file before the file could be."""
    home = Home(tmp_path)
    with monkeypatch.context() as dying:
        dying.setattr(applying, "_sibling", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            home.install("claude")
    assert (tmp_path / ".claude").is_dir()

    home.install("claude")
    file = tmp_path / ".claude" / "settings.json"
    file.write_bytes(file.read_bytes() + b"\n" * edited)
    home.uninstall("claude")

    assert not (tmp_path / ".claude").exists()


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


@pytest.mark.parametrize("left", [b'{"model": "opus", "theme": "dark"}', None])
def test_entries_that_somebody_took_out_have_vanished(tmp_path: Path, left: bytes | None) -> None:
    """CHK-5: an agent that writes its settings from memory, or a file that went; the first install says nothing."""
    home = Home(tmp_path)
    file = home.write(".claude/settings.json", b'{"model": "opus"}')
    assert home.status("claude").vanished == ()
    home.install("claude")
    assert home.status("claude").vanished == ()

    file.write_bytes(left) if left else file.unlink()

    status = home.status("claude")
    assert (status.state, len(status.vanished)) == (wiring.NOT_INSTALLED, 1)
    assert f"{file}: vanished" in status.vanished[0]
    home.install("claude")
    assert home.status("claude").vanished == ()
    home.uninstall("claude")
    assert home.status("claude").vanished == ()


def test_one_file_of_two_may_have_vanished(tmp_path: Path) -> None:
    """CHK-1, CHK-5: said once, in that word."""
    home = Home(tmp_path)
    home.install("codex")
    (tmp_path / ".codex" / "hooks.json").write_bytes(b"{}")

    status = home.status("codex")

    assert (status.state, len(status.reasons)) == (wiring.INCOMPLETE, 1)
    assert "hooks.json: vanished" in status.reasons[0]


def test_an_agent_that_writes_meanwhile_loses_nothing(tmp_path: Path) -> None:
    """EDT-8, PTH-13: two installers and an agent that writes from memory; whatever was replaced is kept and named."""
    file = Home(tmp_path).write(".claude/settings.json", b'{"n": 0}')
    refused: list[str] = []
    lost: list[int] = []
    installing = [True]

    def install_and_remove() -> None:
        home = Home(tmp_path)
        for number in range(24):
            try:
                (home.uninstall if number % 2 else home.install)("claude")
            except RefusedError as error:
                refused.append(str(error))

    def write_as_the_agent() -> None:
        last = 0
        while installing:
            document = json.loads(file.read_bytes())
            lost.extend([last] if document["n"] < last else [])
            document["n"] = last = max(last, document["n"]) + 1
            beside = file.with_name("agents-own")
            beside.write_text(json.dumps(document))
            beside.replace(file)

    with ThreadPoolExecutor(3) as pool:
        installers = [pool.submit(install_and_remove) for _ in range(2)]
        agent = pool.submit(write_as_the_agent)
        for each in installers:
            each.result()
        installing.clear()
        agent.result()

    kept = [path for path in map(Path, re.findall(r"kept in (\S+)", " ".join(refused))) if path.exists()]
    assert len(lost) <= len(kept)
    assert all(json.loads(path.read_bytes())["n"] >= 0 for path in kept)
