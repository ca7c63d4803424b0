"""A daemon's life: one a server, gone without a trace, replaced only by a newer one."""

import os
import signal
import socket
import subprocess
from pathlib import Path

import pytest

from daemons import Daemon, daemon, file_of, is_gone
from harness import TmuxServer, private_server, until
from standin import StandIn, manifests
from tma import __version__
from tma.services import holder


@pytest.fixture
def started(server: TmuxServer) -> TmuxServer:
    """A server with a shell."""
    server.start()
    return server


def clients(server: TmuxServer) -> list[int]:
    """The processes of control clients."""
    listed = server("list-clients", "-F", "#{client_control_mode} #{client_pid}").splitlines()
    return [int(line.split()[1]) for line in listed if line.startswith("1 ")]


def tma(server: TmuxServer, *words: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """The command with the stand-in's manifest."""
    return server.tma("--manifest-dir", manifests(server), "daemon", *words, env=env)


def background(server: TmuxServer) -> int:
    """The process of the background daemon that listens."""
    until(lambda: file_of(server, "sock").exists(), what="a background daemon")
    return until(lambda: holder.read_record(str(file_of(server, "lock"))).pid, what="its lock")


def test_without_a_server_it_does_nothing(server: TmuxServer) -> None:
    """CLI-9, DLC-1: exit 0."""
    for words in ((), ("--ensure",), ("--stop",)):
        done = tma(server, *words)
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert not file_of(server, "sock").exists()


def test_a_second_one_notes_the_first_and_leaves_its_lock(started: TmuxServer) -> None:
    """CDM-1, DID-4: exit 0, the body untouched."""
    with daemon(started) as first:
        before = file_of(started, "lock").read_text()
        second = tma(started)
        assert (second.returncode, "already running" in second.stderr) == (0, True)
        assert file_of(started, "lock").read_text() == before == f"{first.pid}\nversion={__version__}\n"


def test_its_files_are_private(started: TmuxServer) -> None:
    """PTH-6: socket and lock 0600; the runtime directory 0700."""
    with daemon(started):
        modes = [file_of(started, ending).stat().st_mode & 0o777 for ending in ("sock", "lock")]
        assert modes == [0o600, 0o600]
        assert file_of(started, "sock").parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_without_a_trace(started: TmuxServer, number: int) -> None:
    """DLC-13, DLC-14: exit 0, no socket, no client, the lock free."""
    StandIn(started)
    with daemon(started) as running:
        running.watches("main")
        (client,) = clients(started)
        assert running.end(number) == 0, running.said
        assert not file_of(started, "sock").exists()
        assert not holder.is_held(str(file_of(started, "lock")))
        until(lambda: is_gone(client), what="the client's end")
        assert clients(started) == []


def test_a_signal_the_moment_the_socket_appears_ends_it_as_well(started: TmuxServer) -> None:
    """DLC-1: handlers come before the bind."""
    StandIn(started)
    for _ in range(5):
        running = Daemon(started)
        path = file_of(started, "sock")
        until(lambda path=path: path.exists(), what="the socket")
        assert running.end() == 0, running.said
        assert not path.exists()
        assert clients(started) == []


def test_a_reload_the_moment_the_lock_names_it_does_not_end_it(started: TmuxServer) -> None:
    """DLC-1, CRL-1: who reads its process id may ask it to reload, before its handlers stand."""
    lock = file_of(started, "lock")
    for _ in range(5):
        running = Daemon(started)
        until(lambda: lock.exists() and lock.read_text().startswith(f"{running.pid}\n"), what="the lock's body")  # noqa: B023
        running.process.send_signal(signal.SIGHUP)
        running.ready()
        until(lambda: "read again" in running.said, what="the reload")  # noqa: B023
        assert running.end() == 0, running.said


def test_one_that_was_killed_leaves_nothing_that_hinders(started: TmuxServer) -> None:
    """DLC-15: its clients end by themselves, the server can be killed, the next one starts."""
    StandIn(started)
    with daemon(started) as running:
        running.watches("main")
        (client,) = clients(started)
        running.end(signal.SIGKILL)
        until(lambda: is_gone(client), what="the client's end")
        assert file_of(started, "sock").exists()
        with daemon(started) as following:
            following.watches("main")


def test_a_server_that_does_not_answer_does_not_hold_it(started: TmuxServer) -> None:
    """DLC-12: the call under way is abandoned, and no process of it is left."""
    StandIn(started)
    with daemon(started, sweep_ms=100) as running:
        running.watches("main")
        os.kill(started.pid, signal.SIGSTOP)
        try:
            before = running.count("sweeps")
            until(lambda: _children(running.pid), what="a call under way")
            assert running.end() == 0, running.said
            assert running.count("sweeps") - before < 5
            assert not file_of(started, "sock").exists()
        finally:
            os.kill(started.pid, signal.SIGCONT)


def _children(pid: int) -> list[str]:
    """The processes below one that are no control clients."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    found = [child for task in tasks for child in (task / "children").read_text().split()]
    words = [Path(f"/proc/{child}/cmdline").read_bytes() for child in found if not is_gone(int(child))]
    return [str(each) for each in words if not {b"-C", b"-c"} & set(each.split(b"\0"))]


def test_a_killed_daemon_does_not_keep_a_server_from_ending(any_server: TmuxServer) -> None:
    """A dead reader must not leave a client that `kill-server` waits for, not even under a flood."""
    any_server.start()
    robot = StandIn(any_server)
    with daemon(any_server) as running:
        running.watches("main")
        any_server("respawn-pane", "-k", "-t", robot.pane, "yes")
        until(lambda: running.key("active") != "0", what="output")
        running.end(signal.SIGKILL)
        any_server("kill-server")
        until(lambda: is_gone(any_server.pid), what="the server's end")


def test_the_servers_end_is_the_daemons(started: TmuxServer) -> None:
    """DCC-5, section 14: noticed without a client, and without a sweep; exit 0."""
    with daemon(started) as running:
        assert running.key("clients") == "0"
        started("kill-server")
        assert running.process.wait(20) == 0, running.said
        assert not file_of(started, "sock").exists()


def test_the_servers_end_with_a_client_is_too(started: TmuxServer) -> None:
    """DCC-10."""
    StandIn(started)
    with daemon(started) as running:
        running.watches("main")
        started("kill-server")
        assert running.process.wait(20) == 0, running.said


@pytest.mark.parametrize("kind", ["file", "directory", "symlink"])
def test_what_is_no_socket_of_ours_stays(started: TmuxServer, kind: str) -> None:
    """DLC-2: exit 1, and the message names it."""
    path = file_of(started, "sock")
    path.parent.mkdir(mode=0o700)
    target = started.home / "target"
    target.write_text("kept")
    {"file": lambda: path.write_text("kept"), "directory": path.mkdir, "symlink": lambda: path.symlink_to(target)}[
        kind
    ]()
    done = tma(started)
    assert done.returncode == 1
    assert str(path) in done.stderr
    assert path.is_symlink() or path.exists()
    assert target.read_text() == "kept"


def test_a_runtime_directory_that_others_can_write_is_refused(started: TmuxServer) -> None:
    """PTH-5: a symlink in its place; exit 1 naming path and reason."""
    elsewhere = started.home / "elsewhere"
    elsewhere.mkdir()
    (started.home / "tma").symlink_to(elsewhere)
    done = tma(started)
    assert done.returncode == 1
    assert "symlink" in done.stderr
    assert list(elsewhere.iterdir()) == []


def test_a_socket_path_that_is_too_long_is_refused(started: TmuxServer) -> None:
    """PTH-7: the message names the length."""
    long = started.home / ("d" * 100)
    long.mkdir()
    done = tma(started, env={"XDG_RUNTIME_DIR": str(long)})
    assert done.returncode == 1
    assert "bytes" in done.stderr


def test_a_removed_socket_is_bound_anew(started: TmuxServer) -> None:
    """Section 14: detected by the next sweep."""
    with daemon(started, sweep_ms=200):
        path = file_of(started, "sock")
        first = path.stat().st_ino
        path.unlink()
        until(path.exists, what="the socket again")
        assert path.stat().st_ino != first
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(str(path))


def test_a_replaced_lock_ends_it(started: TmuxServer) -> None:
    """DLC-13: the lock file is another inode; the socket of its successor stays."""
    with daemon(started, sweep_ms=200) as running:
        lock = file_of(started, "lock")
        lock.rename(f"{lock}.old")
        lock.write_text("")
        assert running.process.wait(20) == 0


def test_two_at_once_start_one(started: TmuxServer) -> None:
    """CDM-2: the lock decides."""
    argv = ["--manifest-dir", manifests(started), "daemon", "--ensure"]
    racers = [
        subprocess.Popen([*_python(), *argv], env=started.environment, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        for _ in range(4)
    ]
    for racer in racers:
        _, said = racer.communicate(timeout=20)
        assert (racer.returncode, said) == (0, b"")
    pid = background(started)
    until(lambda: _daemons(started) == [pid], what="one process")
    assert tma(started, "--stop").returncode == 0
    assert is_gone(pid)


def test_a_background_daemon_is_on_its_own(started: TmuxServer) -> None:
    """DLC-4, DLC-5: its own session, cwd /, no descriptors of ours, none of the pane's environment."""
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)  # noqa: FBT003
    done = subprocess.run(
        [*_python(), "--manifest-dir", manifests(started), "daemon", "--ensure"],
        check=False,
        env=started.environment | {"SECRET": "x", "TMUX_PANE": "%99"},
        close_fds=False,
        timeout=20,
    )
    os.close(writing)
    assert done.returncode == 0
    pid = background(started)
    assert os.getsid(pid) == pid
    assert Path(f"/proc/{pid}/cwd").readlink() == Path("/")
    environment = Path(f"/proc/{pid}/environ").read_bytes()
    assert b"SECRET" not in environment
    assert b"TMUX_PANE" not in environment
    assert os.read(reading, 1) == b""
    os.close(reading)
    assert tma(started, "--stop").returncode == 0


def test_stop_without_one_is_no_failure_and_restart_starts_one(started: TmuxServer) -> None:
    """CDM-3: it waits until the socket answers."""
    assert tma(started, "--stop").returncode == 0
    done = tma(started, "--restart")
    assert done.returncode == 0, done.stderr
    first = background(started)
    assert tma(started, "--restart").returncode == 0
    second = background(started)
    assert first != second
    assert is_gone(first)
    assert tma(started, "--stop").returncode == 0
    assert is_gone(second)


def test_a_daemon_that_does_not_end_is_reported_and_none_starts(started: TmuxServer) -> None:
    """CDM-3, DLC-7: SIGTERM only."""
    with daemon(started, "--shutdown-delay-ms", "8000") as running:
        done = tma(started, "--restart")
        assert done.returncode == 1
        assert "did not end" in done.stderr
        assert _daemons(started) == [running.pid]
        running.end(signal.SIGKILL)


@pytest.mark.parametrize(
    ("version", "replaced"),
    [("0.0.1", True), (__version__, False), ("99.0.0", False), ("garbage", False), (f"{__version__}-rc1", False)],
)
def test_only_an_older_one_is_replaced(started: TmuxServer, version: str, *, replaced: bool) -> None:
    """CFG-14, DLC-9: and only once a minute."""
    with daemon(started, "--fake-version", version) as running:
        assert tma(started, "--ensure").returncode == 0
        assert is_gone(running.pid) is replaced or running.process.poll() is not None
        assert (running.process.poll() is not None) is replaced
        assert file_of(started, "restart").exists() is replaced
    if replaced:
        tma(started, "--stop")
        with daemon(started, "--fake-version", version) as again:
            assert tma(started, "--ensure").returncode == 0
            assert again.process.poll() is None


def test_servers_do_not_share(started: TmuxServer) -> None:
    """DMN-1, REM-17: a daemon for each."""
    with private_server(started.binary) as other:
        other.start()
        with daemon(started) as one, daemon(other) as two:
            assert file_of(started, "lock") != file_of(other, "lock")
            one.end()
            assert two.process.poll() is None


def _python() -> list[str]:
    import sys

    return [sys.executable, "-m", "tma"]


def _daemons(server: TmuxServer) -> list[int]:
    """Every process of ``tma daemon`` with this server's home in its environment."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            mine = str(server.home).encode() in (entry / "environ").read_bytes()
        except (OSError, ValueError):
            continue
        if mine and b"daemon" in words and b"--ensure" not in words and b"tma" in words:
            found.append(int(entry.name))
    return found
