"""One command's world."""

import os
import sys
from pathlib import Path

import pytest

import tma
from tma.adapters import darwin, linux
from tma.adapters.system import node_name
from tma.adapters.tmux import client
from tma.core.errors import TmaError
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


class Blind:
    """A process table in which nothing can be seen; ``fails`` is one that says so."""

    def __init__(self, *, fails: bool) -> None:
        self.fails = fails

    def names(self, _pid: int) -> tuple[str, ...]:
        """Nothing."""
        if self.fails:
            message = "cannot read the process table"
            raise TmaError(message)
        return ()


@pytest.mark.parametrize("fails", [False, True])
def test_where_no_process_can_be_seen_the_host_decides(
    world: runtime.Runtime, monkeypatch: pytest.MonkeyPatch, *, fails: bool
) -> None:
    """FWD-7: then "no such process" says nothing about the server."""
    monkeypatch.setattr(runtime.Runtime, "procs", lambda _: Blind(fails=fails))
    assert not world.foreign(ServerFacts("/s", "3.4", node_name(), 2**30, 0))
    assert world.foreign(ServerFacts("/s", "3.4", "elsewhere", 1, 0))


@pytest.mark.parametrize(
    ("variable", "pid"),
    [("/tmp/s,42,0", 42), ("/tmp/other,42,0", 0), ("/tmp/s,x,0", 0), ("", 0), ("/tmp/a,b/s,42,0", 0)],
)
def test_the_server_s_process_is_believed_for_that_server_alone(
    monkeypatch: pytest.MonkeyPatch, variable: str, pid: int
) -> None:
    """TMUX may name another server than the options do."""
    monkeypatch.setattr("posix.environ", {b"TMUX": variable.encode()})
    world = runtime.Runtime(cache.Options(), cache.load(env={}), client.Server(("-S", "/tmp/s"), "/bin/tmux"))
    assert world.server_pid == pid


@pytest.mark.parametrize(
    ("version", "wanted"), [(tma.__version__, False), ("99.0.0", False), ("0.0.1", True), ("x.y.z", False)]
)
def test_only_an_older_daemon_is_to_be_replaced(
    world: runtime.Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, *, wanted: bool
) -> None:
    """DLC-9: told from one small file, without a tmux client."""
    env = {"XDG_RUNTIME_DIR": str(tmp_path)}
    monkeypatch.setattr(runtime.system, "environment", lambda: env)
    server = client.socket_path(world.server.selector, os.geteuid(), lambda name: env.get(name, ""))
    lock = Path(runtime.files.daemon_file(env, server, "lock"))
    lock.parent.mkdir(mode=0o700)
    lock.write_text(f"{os.getpid()}\nversion={version}\n")
    assert runtime.wants_keeper(world) is wanted


def test_the_process_table_is_the_one_of_this_system(world: runtime.Runtime) -> None:
    """Linux reads /proc and macOS asks ps (PROC-1)."""
    assert isinstance(world.procs(), darwin.Table if sys.platform == "darwin" else linux.Table)
