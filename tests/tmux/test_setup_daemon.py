"""Setting up with a daemon: started, found by doctor, brought back by a restarted server, taken out."""

import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest

from daemons import daemon, is_gone
from harness import DEADLINE_S, ROOT, TmuxServer, until
from standin import StandIn
from tma import __version__


def answers(server: TmuxServer) -> bool:
    """Whether doctor finds a daemon alive."""
    return bool(json.loads(server.tma("doctor", "--json").stdout)["daemon"]["alive"])


def pid_of(server: TmuxServer) -> int:
    """The process that the lock names, 0 for none."""
    for lock in server.home.glob("tma/*.lock"):
        with suppress(ValueError):
            return int(lock.read_text().partition("\n")[0])
    return 0


def programs(server: TmuxServer) -> str:
    """A PATH with this tma and this interpreter first."""
    return f"{ROOT}/bin:{Path(sys.executable).parent}:{server.environment['PATH']}"


def shipped(server: TmuxServer, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the script that people run: a daemon in the background does not inherit a test's path."""
    env = server.environment | {"PATH": programs(server)}
    argv = [str(ROOT / "bin" / "tma"), *words]
    return subprocess.run(argv, check=False, capture_output=True, text=True, input="", env=env, timeout=DEADLINE_S)


def test_init_starts_a_daemon_and_uninstall_stops_it(server: TmuxServer) -> None:
    """INI-1, UNI-1, UNI-3, DOC-2, DJ-1: a wired pane is on the highest tier meanwhile; twice changes nothing."""
    server.start()
    StandIn(server, "claude")
    assert server.tma("install-hooks", "claude", "--yes").returncode == 0

    first = shipped(server, "init", "--yes", "--daemon")
    assert (first.returncode, "daemon: running\n" in first.stdout) == (0, True)
    pid = pid_of(server)
    assert shipped(server, "init", "--yes", "--daemon").returncode == 0
    assert pid_of(server) == pid > 0

    report = json.loads(server.tma("doctor", "--json").stdout)
    assert report["daemon"] | {"socket": ""} == {
        "alive": True, "socket": "", "version": __version__, "version_matches": True,
    }  # fmt: skip
    assert [(row["tier"], row["tier_reason"]) for row in report["agents"]] == [(3, None)]
    lines = server.tma("doctor").stdout.splitlines()
    assert f"daemon:   running ({report['daemon']['socket']})" in lines
    assert "clients:  none attached; the daemon looks meanwhile" in lines
    # The server hooks name the tma that set them, which was the script.
    assert server.tma("install-hooks", "claude", "--yes").returncode == 0
    assert server.tma("doctor", "--exit-code").returncode == 0

    assert f"(process {pid})" in server.tma("uninstall", "--dry-run").stdout
    assert server.tma("uninstall", "--yes").returncode == 0
    assert is_gone(pid)
    assert server.tma("uninstall", "--yes").returncode == 0


def test_the_choices_about_a_daemon_exclude_each_other(server: TmuxServer) -> None:
    """The flags of ``init``; without one no daemon starts, and the bindings carry the launcher or not."""
    server.start()
    assert server.tma("init", "--daemon", "--no-daemon").returncode == 2
    managed = server.home / "config" / "tma" / "tmux.conf"
    for words, launches in (((), True), (("--no-daemon",), False)):
        managed.unlink(missing_ok=True)
        server.tma("init", "--yes", *words)
        assert ("daemon --ensure" in managed.read_text()) is launches
        assert not answers(server)


def test_a_daemon_that_does_not_answer_is_named_with_its_process(server: TmuxServer) -> None:
    """DST-4, DOC-2, DJ-2: a warning, and the report is complete."""
    server.start()
    path = Path(json.loads(server.tma("doctor", "--json").stdout)["daemon"]["socket"])
    path.parent.mkdir(mode=0o700, exist_ok=True)
    path.with_suffix(".lock").write_text(f"4242\nversion={__version__}\n")
    with closing(socket.socket(socket.AF_UNIX)) as listening, server.client():
        listening.bind(str(path))
        listening.listen(8)

        done = server.tma("doctor", "--exit-code")
        report = json.loads(server.tma("doctor", "--json").stdout)

    assert "daemon:   ✗ wedged (pid 4242), it does not answer: kill 4242" in done.stdout.splitlines()
    assert (done.returncode, report["daemon"]["alive"], report["schema"]) == (1, False, 1)


def test_another_version_is_named_and_its_restart_offered(server: TmuxServer) -> None:
    """IHK-8, DOC-2, CDO-3: declining is no failure; ``--yes`` replaces it."""
    server.start()
    with daemon(server, "--fake-version", "0.0.9") as running:
        running.ready()
        done = server.tma("doctor", "--exit-code")
        wanted = f"          ✗ it is tma 0.0.9, this is {__version__}: tma daemon --restart"
        assert (wanted in done.stdout.splitlines(), done.returncode) == (True, 1)

        shipped(server, "install-hooks", "claude", "--yes")
        assert json.loads(server.tma("doctor", "--json").stdout)["daemon"]["version_matches"] is True
    assert server.tma("daemon", "--stop").returncode == 0


@pytest.mark.parametrize("loads", [1, 2])
def test_a_restarted_server_is_set_up_by_its_configuration(server: TmuxServer, loads: int) -> None:
    """TMH-5, TMH-7, KYS-4: the launcher starts one daemon, which brings back the hooks that were recorded."""
    server.start()
    assert server.tma("install-keys", "--yes").returncode == 0
    assert server.tma("install-hooks", "claude", "--yes").returncode == 0
    server.stop()
    server.start()
    states = {hook["hook_state"] for hook in json.loads(server.tma("doctor", "--json").stdout)["tmux_hooks"]}
    assert states == {"wiped"}

    for name, value in (("PYTHONPATH", str(ROOT / "src")), ("PATH", programs(server))):
        server("set-environment", "-g", name, value)
    for _ in range(loads):
        server("source-file", str(server.home / "config" / "tma" / "tmux.conf"))

    until(lambda: answers(server), what="a daemon")
    pid = pid_of(server)
    until(lambda: "@agent_attention" in server("show-hooks", "-g", "after-select-pane"), what="the hooks")
    assert pid_of(server) == pid
    server("set-hook", "-g", "after-select-pane", "display-message mine")
    os.kill(pid, signal.SIGHUP)
    until(
        lambda: "@agent_attention" in server("show-hooks", "-g", "after-select-pane"), what="the hooks after a reload"
    )
    assert "display-message mine" in server("show-hooks", "-g", "after-select-pane")
    assert server.tma("daemon", "--stop").returncode == 0


def test_a_daemon_brings_back_nothing_that_was_not_installed(server: TmuxServer) -> None:
    """TMH-7: only what this server's record says."""
    server.start()
    with daemon(server) as running:
        running.ready()
        assert "@agent_attention" not in server("show-hooks", "-g", "after-select-pane")


def test_the_plugin_starts_one_daemon(server: TmuxServer) -> None:
    """TPM-2: unless it is switched off, as other tests do; running it twice changes nothing."""
    server.start()
    server("set-environment", "-g", "PATH", programs(server))
    server("set-option", "-g", "@tma_bin", str(ROOT / "bin" / "tma"))
    for _ in range(2):
        server("run-shell", str(ROOT / "tma.tmux"))
        until(lambda: answers(server), what="a daemon")

    pid = pid_of(server)
    server("run-shell", str(ROOT / "tma.tmux"))
    assert (answers(server), pid_of(server)) == (True, pid)
    assert server.tma("daemon", "--stop").returncode == 0
