"""A claim on a pane where the sender does not provably run in it; the rules themselves are ``core.events.owner``'s."""

import os
import posix
import subprocess
import sys
from pathlib import Path

import pytest

from tma.adapters import system
from tma.adapters.linux import Table
from tma.adapters.tmux.client import Server
from tma.core.events.hooks import Event
from tma.core.pane import PaneRecord, ServerFacts
from tma.services import cache
from tma.services.cache import Options
from tma.services.claim import Claim, plugin
from tma.services.intake import Call, own_origin
from tma.services.runtime import Runtime

MANIFEST = {"process_names": ["probe-agent"], "title_patterns": []}
START = {"event": "start", "lifecycle": "start"}


def claim(*panes: PaneRecord, named: str = "", chain: list[tuple[int, str]] | None = None, host: str = "") -> Claim:
    """A claim by a process below others, on a server whose process is this one's parent."""
    call = Call(Options(), at=1000, began=0)
    call.agent, call.pane = "probe", named
    origin = own_origin()
    origin.known = [] if chain is None else chain
    origin.session = 0
    parent = os.getppid()
    server = Server((), f"/bin/{system.parents(os.getpid())[0][1]}")
    runtime = Runtime(Options(), cache.load(env={}), server)
    facts = ServerFacts("/tmp/s", "3.3a", host or system.node_name(), parent, 0)
    return Claim(call, origin, runtime, panes=list(panes), facts=facts)


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that the surroundings say of a pane."""
    for name in (b"TMA_HOOK_PID", b"TMA_TRUST_PANE"):
        monkeypatch.setitem(posix.environ, name, b"")


def test_a_pane_that_is_not_there_does_not_stand() -> None:
    """OWN-1: only a pane of this server."""
    assert claim(PaneRecord("%1", 10), named="%2").standing(MANIFEST) is None


def test_a_pane_stands_unless_an_agent_outside_it_sent_the_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """OWN-2 (a): and a caller that vouches is believed."""
    pane = PaneRecord("%1", 10)
    outside = [(5, "probe-agent"), (1, "init")]
    assert claim(pane, named="%1").standing(MANIFEST) is pane
    assert claim(pane, named="%1", chain=outside).standing(MANIFEST) is None
    monkeypatch.setitem(posix.environ, b"TMA_TRUST_PANE", b"1")
    assert claim(pane, named="%1", chain=outside).standing(MANIFEST) is pane


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc for the server's name")
def test_a_foreign_process_disproves_nothing_and_finds_nothing_by_its_parents() -> None:
    """FWD-7, OWN-2: process numbers of another host mean nothing here."""
    pane = PaneRecord("%1", 10)
    outside = [(5, "probe-agent"), (10, "sh")]
    event = Event("start", 1, "{}")
    assert claim(pane, chain=outside).found(MANIFEST, event, START) is pane
    assert claim(pane, chain=outside, host="elsewhere").found(MANIFEST, event, START) is None
    assert claim(PaneRecord("%1", 9), named="%1", chain=outside, host="elsewhere").standing(MANIFEST) is not None


@pytest.mark.parametrize("text", ["", "x", "0", "-1", "99999999999", "²"])
def test_a_plugin_that_names_no_live_process_says_nothing(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """OWN-2 (b): only a live pid counts."""
    monkeypatch.setitem(posix.environ, b"TMA_HOOK_PID", text.encode())
    assert plugin(system.env("TMA_HOOK_PID"), Table()) == []


def test_a_plugins_process_is_known_with_its_parents(monkeypatch: pytest.MonkeyPatch) -> None:
    """OWN-2 (b): the pane's own process may be any of them."""
    monkeypatch.setitem(posix.environ, b"TMA_HOOK_PID", str(os.getpid()).encode())
    assert plugin(system.env("TMA_HOOK_PID"), Table())[:2] == [os.getpid(), os.getppid()]


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")
def test_a_process_without_a_terminal_is_no_agent_of_a_directory(tmp_path: Path) -> None:
    """OWN-5: a daemon that works there has none; nor does a process of another name count."""
    child = subprocess.Popen(["/bin/sleep", "600"], cwd=tmp_path, start_new_session=True)
    try:
        pane = PaneRecord("%1", child.pid)
        names = {"process_names": ["sleep"], "title_patterns": []}
        event = Event("start", 1, f'{{"cwd": "{tmp_path}"}}')
        assert claim(pane).found(names, event, START) is None
        assert claim(pane).found(MANIFEST, event, START) is None
    finally:
        child.kill()
        child.wait()
