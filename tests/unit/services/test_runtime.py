"""One command's world."""

import os

import pytest

from tma.adapters.system import node_name
from tma.core.pane import ServerFacts
from tma.services import cache, runtime


@pytest.fixture
def world() -> runtime.Runtime:
    """The bundled agents and the default settings."""
    options = cache.Options()
    options.socket_name = "nobody"
    return runtime.connect(options, cache.load(env={}))


def test_what_the_documents_say_is_at_hand(world: runtime.Runtime) -> None:
    """MAN-SET-1, ROL-1: names in load order, every process name, and who keeps a gauge in a file."""
    assert world.names[:2] == ["claude", "opencode"]
    assert {"claude", "codex", "pi"} <= world.process_names
    assert world.tailed == {"codex"}
    assert [manifest.name for manifest in world.manifests] == world.names
    assert world.server.selector == ("-L", "nobody")


def test_a_note_is_said_once(world: runtime.Runtime) -> None:
    """FWD-8: once per run."""
    world.note("a")
    world.note("b")
    world.note("a")
    assert world.notes == ["a", "b"]


def test_a_server_that_is_not_a_local_tmux_is_foreign(world: runtime.Runtime) -> None:
    """FWD-7: another host, or a pid that is no tmux here."""
    for host, pid in (("elsewhere", 1), (node_name(), os.getpid()), (node_name(), 2**30)):
        assert world.foreign(ServerFacts("/s", "3.4", host, pid, 0))
