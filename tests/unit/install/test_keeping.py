"""The daemon's part of setting up, with a daemon that is pretended."""

from types import SimpleNamespace
from typing import Any

import pytest

from tma import __version__
from tma.core.errors import TmaError
from tma.install import keeping
from tma.services import link


class Pretended:
    """A keeper of a daemon of some version."""

    def __init__(self, version: str) -> None:
        self.version = version
        self.socket_text = "/s"
        self.did: list[str] = []

    def record(self) -> Any:
        """What its lock says."""
        return SimpleNamespace(pid=7 if self.version else 0, version=self.version)

    def restart(self) -> None:
        """Note it."""
        self.did.append("restart")

    def stop(self) -> bool:
        """Note it."""
        self.did.append("stop")
        return True

    def ensure(self) -> None:
        """Note it."""
        self.did.append("ensure")

    def path(self, ending: str) -> str:
        """A file's name."""
        return f"/s.{ending}"


def setup(*, yes: bool = True, server: bool = True) -> Any:
    """A run whose person always gives one answer, and which remembers what was said."""
    said: list[str] = []
    console = SimpleNamespace(ask=lambda text: (said.append(text), yes)[1], note=said.append, result=said.append)
    return SimpleNamespace(console=console, facts=object() if server else None, said=said)


def pretend(monkeypatch: pytest.MonkeyPatch, version: str, standing: str = link.ALIVE) -> Pretended:
    """Put a pretended daemon in the place of a real one."""
    keeper = Pretended(version)
    monkeypatch.setattr(keeping, "_keeper", lambda run: keeper if run.facts else None)
    monkeypatch.setattr(link, "standing", lambda _server: standing)
    monkeypatch.setattr(link, "ping", lambda _path: True)
    return keeper


@pytest.mark.parametrize(
    ("version", "standing", "yes", "did"),
    [
        ("0.0.9", link.ALIVE, True, ["restart"]),
        ("0.0.9", link.ALIVE, False, []),
        ("99.0.0", link.ALIVE, True, ["restart"]),
        (__version__, link.ALIVE, True, []),
        ("", link.ALIVE, True, []),
        ("0.0.9", link.WEDGED, True, []),
        ("0.0.9", link.ABSENT, True, []),
    ],
)
def test_another_version_may_be_replaced(
    monkeypatch: pytest.MonkeyPatch, version: str, standing: str, *, yes: bool, did: list[str]
) -> None:
    """IHK-8: only one that answers and says its version; declining is no failure."""
    keeper = pretend(monkeypatch, version, standing)

    assert keeping.offer_restart(setup(yes=yes))
    assert keeper.did == did


def test_without_a_server_there_is_nothing_to_keep(monkeypatch: pytest.MonkeyPatch) -> None:
    """UNI-1, INI-1: starting one needs a server, and says so."""
    keeper = pretend(monkeypatch, "1.0.0")
    run = setup(server=False)

    assert keeping.running(run) == ""
    assert keeping.offer_restart(run)
    assert keeping.stop(run)
    with pytest.raises(TmaError, match="no tmux server"):
        keeping.start(run)
    assert keeper.did == []


def test_what_runs_is_named_with_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """UNI-3, RMV-1."""
    pretend(monkeypatch, "1.0.0")
    assert keeping.running(setup()) == "the daemon of /s (process 7)"
    pretend(monkeypatch, "")
    assert keeping.running(setup()) == "the daemon of /s"
    pretend(monkeypatch, "1.0.0", link.ABSENT)
    assert keeping.running(setup()) == ""


def test_a_start_waits_for_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """INI-1: and says so; no answer in time is an error with what to do."""
    keeper = pretend(monkeypatch, "1.0.0")
    run = setup()
    assert keeping.start(run)
    assert (keeper.did, run.said) == (["ensure"], ["daemon: running"])

    monkeypatch.setattr(link, "ping", lambda _path: None)
    monkeypatch.setattr(keeping, "START_S", 0.0)
    with pytest.raises(TmaError, match="did not answer"):
        keeping.start(run)


def test_a_daemon_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """UNI-1."""
    keeper = pretend(monkeypatch, "1.0.0")
    run = setup()

    assert keeping.stop(run)
    assert (keeper.did, run.said) == (["stop"], ["the daemon was stopped"])
