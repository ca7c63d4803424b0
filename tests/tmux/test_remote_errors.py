"""What is said where no server can be talked to: a dead socket, another protocol, no tmux."""

import socket

import pytest

from harness import TmuxServer
from people import tma


@pytest.mark.parametrize("hanging", [False, True])
def test_a_socket_that_nobody_answers_is_one_message_and_a_silent_hook(server: TmuxServer, *, hanging: bool) -> None:
    """FWD-4, FWD-5: a file that is left over, and a forward that takes connections and never speaks."""
    path = str(server.home / "left")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        if hanging:
            listener.listen()
        done = tma(server, "ls", "--socket-path", path)
        assert (done.returncode, done.stdout) == (1, "")
        if not hanging:
            assert f"no tmux server running on {path}" in done.stderr
            assert "StreamLocalBindUnlink" in done.stderr
        words = ("event", "--agent", "robot", "--kind", "Ask", "--socket-path", path)
        hook = tma(server, *words, env={"TMUX_PANE": "%0"})
        assert (hook.returncode, hook.stdout, hook.stderr) == (0, "", "")


def test_another_protocol_is_one_error_and_a_silent_hook(server: TmuxServer) -> None:
    """REM-14, CLI-10: named once, with both settings, and tried with one binary only."""
    log = server.home / "started"
    fake = server.home / "fake-tmux"
    fake.write_text(f"#!/bin/sh\necho x >> {log}\necho 'protocol version mismatch (client 8, server 7)' >&2\nexit 1\n")
    fake.chmod(0o755)
    env = {"TMA_TMUX_BIN": str(fake)}

    done = tma(server, "ls", env=env)

    assert (done.returncode, done.stdout) == (1, "")
    for words in ("protocol version mismatch", "[tmux] bin", "TMA_TMUX_BIN"):
        assert done.stderr.count(words) == 1
    assert log.read_text() == "x\n"
    hook = tma(server, "event", "--agent", "robot", "--kind", "Ask", env={**env, "TMUX_PANE": "%0"})
    assert (hook.returncode, hook.stdout, hook.stderr) == (0, "", "")


@pytest.mark.parametrize("name", ["no-such-tmux", "/no/such/tmux"])
def test_a_binary_that_is_not_there_is_not_installed(server: TmuxServer, name: str) -> None:
    """REM-15: by the setting too, and never a bare "no such file"."""
    server.start()
    directory = server.home / "config" / "tma"
    directory.mkdir(parents=True)
    (directory / "config.toml").write_text(f'[tmux]\nbin = "{name}"\n')

    done = tma(server, "ls", env={"TMA_TMUX_BIN": ""})

    assert done.returncode == 1
    assert "not installed or not on PATH" in done.stderr
