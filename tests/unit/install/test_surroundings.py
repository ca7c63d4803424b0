"""What an agent's own process was started with."""

from pathlib import Path
from typing import Any

import pytest

from installs import EVENTS, Home
from tma.core.detect.identity import Identity
from tma.install.agents import ADAPTERS
from tma.install.places import Places
from tma.install.surroundings import Away, Surroundings
from tma.install.wrapper import Reference


class Table:
    """One process's environment, and when it started."""

    def __init__(self, started: int, variables: dict[str, str]) -> None:
        self._started = started
        self._variables = variables

    def variable(self, _pid: int, name: str) -> str:
        """What it was started with."""
        return self._variables.get(name, "")

    def started_ms(self, _started: str) -> int:
        """When."""
        return self._started


def surroundings(home: Home, started: int = 0, *, word: str = "", **own: str) -> Surroundings:
    """Those of a Claude in a home."""
    run: Any = type("Run", (), {})()
    run.env, run.backups = home.env, home.backups
    run.reference = Reference(word or str(home.wrapper), home.env["PATH"])
    run.known_events = lambda _agent: list(EVENTS)
    run.channels = lambda adapter: adapter.channels(Places(home.env), EVENTS)
    run.runtime = type("Runtime", (), {"procs": staticmethod(lambda: Table(started, own))})()
    return Surroundings(run, ADAPTERS["claude"], Identity("claude", "observed", pid=7, started="1"))


def test_an_account_of_its_own_is_told_by_its_variable(tmp_path: Path) -> None:
    """WTR-2, PAT-2: not where the same file is meant, nor one that is wired, nor where nothing can be read."""
    home = Home(tmp_path)
    work = str(tmp_path / "a b")
    here = {"HOME": str(tmp_path)}

    assert surroundings(home, **here).away() is None
    assert surroundings(home, **here, CODEX_HOME="/x").away() is None
    assert surroundings(home, CLAUDE_CONFIG_DIR=work).away() is None
    around = surroundings(home, **here, CLAUDE_CONFIG_DIR=work)
    assert around.away() == Away("CLAUDE_CONFIG_DIR", work)
    setting = f"CLAUDE_CONFIG_DIR='{work}'"
    assert around.notes(wired=True) == [
        f"account: runs with {setting}, no tma hooks there: {setting} tma install-hooks claude"
    ]
    Home(tmp_path, {"CLAUDE_CONFIG_DIR": work}).install("claude")
    assert around.away() is None


@pytest.mark.parametrize(("started", "older"), [(0, False), (-500, False), (-1500, True), (500, False)])
def test_one_that_started_before_the_install_has_not_read_it(tmp_path: Path, started: int, older: bool) -> None:  # noqa: FBT001
    """WTR-3: a start that is not known says nothing, nor one so close that it may have read either."""
    home = Home(tmp_path)
    home.install("claude")
    (record,) = home.backups.records(str(tmp_path / ".claude" / "settings.json"))

    around = surroundings(home, record.at + started if started else 0, HOME=str(tmp_path))

    assert bool(around.notes(wired=True)) is older


@pytest.mark.parametrize(
    ("word", "path", "lacks"), [("tma-hook", "/usr/bin", True), ("tma-hook", "", False), ("", "/usr/bin", False)]
)
def test_a_bare_name_is_looked_up_on_the_agents_own_path(tmp_path: Path, word: str, path: str, lacks: bool) -> None:  # noqa: FBT001
    """WTR-4."""
    found = surroundings(Home(tmp_path), word=word, HOME=str(tmp_path), PATH=path).notes(wired=True)

    assert any("its PATH has no tma-hook" in line for line in found) is lacks
