"""How commands end against servers that are gone, slow or strange, and readers that leave."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from harness import DEADLINE_S, ROOT, TmuxServer, until
from standin import StandIn, manifests

PROGRAM = [sys.executable, "-I", "-S", str(ROOT / "bin" / "tma")]


def fake_tmux(home: Path, script: str) -> dict[str, str]:
    """A program in tmux's place."""
    program = home / "fake-tmux"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return {"TMA_TMUX_BIN": str(program)}


@pytest.mark.parametrize("command", [["ls"], ["status"], ["debug", "explain", "%0"], ["debug", "capture", "%0"]])
def test_no_server_is_said_in_one_line(server: TmuxServer, command: list[str]) -> None:
    """CLI-9, JSN-8: exit 1, nothing on standard output, and no server is started."""
    done = server.tma(*command)

    assert (done.stdout, done.returncode) == ("", 1)
    assert done.stderr.startswith("tma: no tmux server running")
    assert not server.socket.exists()


@pytest.mark.parametrize(
    "command", [["version"], ["clear-attention", "%0"], ["event", "--agent", "claude", "--kind", "Stop"]]
)
def test_some_commands_need_no_server(server: TmuxServer, command: list[str]) -> None:
    """CLI-9: the exempt ones."""
    assert server.tma(*command).returncode == 0


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (
            "echo 'protocol version mismatch (client 8, server 7)' >&2; exit 1",
            ["protocol version mismatch", "[tmux] bin", "TMA_TMUX_BIN"],
        ),
        ("exec sleep 600", ["timed out after 3s"]),
        ("echo 'something else' >&2; exit 1", ["something else"]),
    ],
)
def test_a_tmux_that_fails_is_quoted(server: TmuxServer, script: str, words: list[str]) -> None:
    """CLI-10, CLI-11, REM-14: exit 1."""
    done = server.tma("status", env=fake_tmux(server.home, script))

    assert (done.stdout, done.returncode) == ("", 1)
    assert all(word in done.stderr for word in words)


@pytest.mark.parametrize("binary", ["/nonexistent/tmux", "no-such-tmux", "./tmux"])
def test_a_missing_tmux_is_said(server: TmuxServer, binary: str) -> None:
    """CLI-10, GLO-2."""
    done = server.tma("ls", env={"TMA_TMUX_BIN": binary})

    assert (done.stdout, done.returncode) == ("", 1)
    assert "not installed or not on PATH" in done.stderr


@pytest.mark.parametrize(("sent", "codes"), [(signal.SIGINT, {130}), (signal.SIGTERM, {143, -signal.SIGTERM})])
@pytest.mark.parametrize("command", ["ls", "status"])
def test_a_signal_ends_a_command_by_its_code(
    server: TmuxServer, sent: signal.Signals, codes: set[int], command: str
) -> None:
    """Exit codes as a shell shows them, in silence: to die of the signal is the same to it."""
    started = server.home / "started"
    env = server.environment | fake_tmux(server.home, f": > {started}; exec sleep 600")
    running = subprocess.Popen([*PROGRAM, command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    until(started.exists, what="the call to tmux")

    running.send_signal(sent)

    assert running.communicate(timeout=DEADLINE_S) == (b"", b"")
    assert running.returncode in codes


@pytest.mark.parametrize("closing", ["| :", ">&-"])
@pytest.mark.parametrize("words", ["ls", "status --format json", "version", "--help"])
def test_a_closed_output_ends_a_command_in_silence(server: TmuxServer, words: str, closing: str) -> None:
    """CLI-8: exit 141."""
    server.start("cat")
    StandIn(server)
    line = f"{{ read -r _; {' '.join(PROGRAM)} {words} --manifest-dir {manifests(server)}; echo $? >&3; }} {closing}"
    script = f"exec 3>&1; echo | {line}"

    done = subprocess.run(
        ["/bin/sh", "-c", script], check=False, capture_output=True, text=True, env=server.environment
    )

    assert (done.stdout, done.stderr) == ("141\n", "")


def test_closed_streams_of_a_hook_are_nobodys_business(server: TmuxServer) -> None:
    """SEC-E-3: an agent may start a hook with nothing open."""
    server.start("cat")
    pane = server.show("main", "#{pane_id}")
    server("set-option", "-p", "-t", pane, "@agent_attention", "1")

    done = subprocess.run(
        ["/bin/sh", "-c", f"{' '.join(PROGRAM)} clear-attention {pane} <&- >&- 2>&-"],
        check=False,
        env=server.environment,
    )

    assert done.returncode == 0
    assert server.options(pane) == {}


def test_a_broken_manifest_is_said_once_and_skipped(server: TmuxServer) -> None:
    """MAN-SET-3: the others are used, the command succeeds."""
    server.start("cat")
    robot = StandIn(server)
    directory = Path(manifests(server))
    (directory / "broken.toml").write_text("x")

    done = server.tma("ls", "--manifest-dir", str(directory))

    assert done.stdout.startswith(robot.pane)
    assert done.stderr.startswith(f"tma: skipping manifest {directory}/broken.toml: ")
    assert done.stderr.count("tma: ") == 1


@pytest.mark.parametrize("place", ["bin/tma", "elsewhere/tma", "lib-less/bin/tma"])
def test_the_program_finds_its_package_without_the_site_directory(server: TmuxServer, place: str) -> None:
    """PKG-1: as a file of a checkout, through links, and in an environment."""
    if place == "elsewhere/tma":
        link = server.home / place
        link.parent.mkdir()
        (server.home / "hop").symlink_to(ROOT / "bin" / "tma")
        link.symlink_to("../hop")
        program = link
    elif place == "lib-less/bin/tma":
        packages = server.home / "lib-less" / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"
        packages.mkdir(parents=True)
        (packages / "tma").symlink_to(ROOT / "src" / "tma")
        program = server.home / place
        program.parent.mkdir()
        program.write_bytes((ROOT / "bin" / "tma").read_bytes())
    else:
        program = ROOT / place

    done = subprocess.run([sys.executable, "-I", "-S", program, "version"], check=True, capture_output=True, cwd="/")

    assert done.stdout.startswith(b"tma ")


def test_an_environment_server_and_an_option_name_the_same_server(server: TmuxServer) -> None:
    """GLO-1, GLO-6: an empty variable counts as unset, an option wins."""
    server.start("cat")
    words = ["ls", "--manifest-dir", manifests(server)]
    lost = {"TMA_SOCKET_PATH": "/nonexistent/socket"}

    assert server.tma(*words, env=lost).returncode == 1
    assert server.tma(*words, "--socket-path", str(server.socket), env=lost).returncode == 0
    inside = {"TMA_SOCKET_PATH": "", "TMUX": f"{server.socket},{os.getpid()},0"}
    assert server.tma(*words, env=inside).returncode == 0
