"""Which server and binary a command talks to, and what errors mean."""

import re
import socket
import threading
from pathlib import Path

import pytest

from tma.adapters.tmux import client
from tma.core.errors import TmuxError, TmuxGoneError


def script(path: Path, text: str) -> str:
    """A program that stands in for tmux."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("arguments", "env", "selector"),
    [
        ({"socket_name": "n"}, {"TMA_SOCKET_PATH": "/p"}, ("-L", "n")),
        ({"socket_path": "/q"}, {"TMA_SOCKET_PATH": "/p"}, ("-S", "/q")),
        ({}, {"TMA_SOCKET_PATH": "/p"}, ("-S", "/p")),
        ({}, {"TMA_SOCKET_PATH": ""}, ()),
    ],
)
def test_the_server_is_the_first_of_option_variable_and_tmux_itself(
    arguments: dict[str, str], env: dict[str, str], selector: tuple[str, ...]
) -> None:
    """GLO-1: first match."""
    assert client.choose(env, **arguments).selector == selector


def test_a_bare_name_is_searched_on_absolute_path_entries_only(tmp_path: Path) -> None:
    """GLO-2, SEC-X-5: never relative to the current directory."""
    program = script(tmp_path / "tmux", "exit 0")
    assert client.find_binary("tmux", f":.:relative:{tmp_path}") == program
    assert client.find_binary("tmux", ":.:relative") == ""
    assert client.find_binary("./tmux", str(tmp_path)) == ""
    assert client.find_binary("/any/where", "") == "/any/where"


def test_the_environment_names_the_binary_before_the_configuration(tmp_path: Path) -> None:
    """GLO-2: TMA_TMUX_BIN, then [tmux] bin, then tmux."""
    assert client.choose({"TMA_TMUX_BIN": "/a"}, configured="/b").binary == "/a"
    assert client.choose({}, configured="/b").binary == "/b"
    assert client.choose({"PATH": str(tmp_path)}).binary == ""


@pytest.mark.parametrize("binary", ["", "/no/such/tmux"])
def test_a_missing_tmux_says_so(binary: str) -> None:
    """CLI-10, REM-15: one message for every way of missing."""
    with pytest.raises(TmuxError, match="not installed or not on PATH"):
        client.Server((), binary).run(["list-panes"])


def test_another_protocol_names_the_two_settings(tmp_path: Path) -> None:
    """REM-14: never retried with another binary."""
    fake = script(tmp_path / "tmux", "echo 'protocol version mismatch (client 8, server 7)' >&2; exit 1")
    with pytest.raises(TmuxError, match="protocol version mismatch") as caught:
        client.Server((), fake).run(["list-panes"])
    assert "[tmux] bin" in caught.value.hint
    assert "TMA_TMUX_BIN" in caught.value.hint


@pytest.mark.parametrize(
    "text", ["no server running on /x", "error connecting to /tmp/tmux-0/x (No such file or directory)", "lost server"]
)
def test_every_way_of_no_server_is_one_error(tmp_path: Path, text: str) -> None:
    """WR-8, CLI-9: the server is gone."""
    fake = script(tmp_path / "tmux", f"echo '{text}' >&2; exit 1")
    with pytest.raises(TmuxGoneError, match="no tmux server running"):
        client.Server((), fake).run(["list-panes"])


def test_a_socket_that_nobody_answers_explains_the_forward(tmp_path: Path) -> None:
    """FWD-4: path and StreamLocalBindUnlink in the message."""
    fake = script(tmp_path / "tmux", "echo 'no server running on x' >&2; exit 1")
    dead = tmp_path / "sock"
    dead.touch()
    with pytest.raises(TmuxGoneError, match=str(dead)) as caught:
        client.Server(("-S", str(dead)), fake).run(["list-panes"])
    assert "StreamLocalBindUnlink" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "code"), [("access not allowed", 0), ("error connecting to /x (Permission denied)", 1)]
)
def test_the_refusal_of_another_user_is_passed_on(tmp_path: Path, text: str, code: int) -> None:
    """CON-2: tmux's words, whatever it ends with."""
    fake = script(tmp_path / "tmux", f"echo '{text}' >&2; exit {code}")
    with pytest.raises(TmuxError, match=re.escape(text)) as caught:
        client.Server((), fake).run(["list-panes"])
    assert "--user" in caught.value.hint


def test_any_other_failure_carries_tmuxs_text(tmp_path: Path) -> None:
    """WR-8: anything else is a failure with what tmux said."""
    fake = script(tmp_path / "tmux", "echo 'unknown option: -Z' >&2; exit 1")
    with pytest.raises(TmuxError, match="unknown option: -Z"):
        client.Server((), fake).run(["list-panes"])


def test_an_old_client_that_calls_a_living_server_gone_is_a_mismatch(tmp_path: Path) -> None:
    """REM-14, CLI-10: 3.3a says of a 3.7c server that it exited; the socket answers."""
    fake = script(tmp_path / "tmux", "echo 'server exited unexpectedly' >&2; exit 1")
    path = str(tmp_path / "sock")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        with pytest.raises(TmuxError, match="protocol version mismatch"):
            client.Server(("-S", path), fake).run(["list-panes"])
    with pytest.raises(TmuxGoneError, match="no tmux server running"):
        client.Server(("-S", path), fake).run(["list-panes"])


def test_a_forward_that_drops_the_line_is_no_server(tmp_path: Path) -> None:
    """FWD-4: sshd takes the connection of a forward whose server has ended, and closes it."""
    fake = script(tmp_path / "tmux", "echo 'server exited unexpectedly' >&2; exit 1")
    path = str(tmp_path / "sock")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()

        def drop() -> None:
            line, _ = listener.accept()
            line.close()

        dropping = threading.Thread(target=drop)
        dropping.start()
        with pytest.raises(TmuxGoneError, match=path) as caught:
            client.Server(("-S", path), fake).run(["list-panes"])
        dropping.join()
    assert "StreamLocalBindUnlink" in caught.value.hint


@pytest.mark.parametrize(
    ("selector", "env", "path"),
    [
        (("-S", "/p"), {"TMUX": "/q,1,0"}, "/p"),
        (("-L", "n"), {"TMUX": "/q,1,0", "TMUX_TMPDIR": "/t"}, "/t/tmux-7/n"),
        ((), {"TMUX": "/a,b,1,0"}, "/a,b"),
        ((), {}, "/tmp/tmux-7/default"),
    ],
)
def test_the_socket_is_the_one_that_tmux_would_use(selector: tuple[str, ...], env: dict[str, str], path: str) -> None:
    """GLO-1: tmux's own rule."""
    assert client.socket_path(selector, 7, lambda name: env.get(name, "")) == path


@pytest.mark.parametrize(
    ("variable", "found"),
    [
        ("/tmp/s,11,0", ("/tmp/s", 11)),
        ("/tmp/a,b,11,0", ("/tmp/a,b", 11)),
        ("/tmp/s,x,0", ("/tmp/s", 0)),
        ("/tmp/s", ("/tmp/s", 0)),
        ("", ("", 0)),
    ],
)
def test_the_variable_names_a_socket_and_a_process(variable: str, found: tuple[str, int]) -> None:
    """GLO-1, DEV-4: a socket's path may hold commas."""
    assert client.own_server(lambda _name: variable) == found
