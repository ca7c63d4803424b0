"""Several hosts in one list: the script of the documentation as it stands, and what makes rows distinct."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness import TmuxServer, private_home, private_server, tmux_binaries
from recipes import block, filled
from sshd import Near, far_host, need_sshd, program, python_tma
from tma.core.text import clean, well_formed

PAGE = "how-to/merge-hosts.md"
SCRIPT = block(PAGE, "import", "python")
HOSTILE = "\x1b[31mred\x1b]0;owned\x07\u202e\x9b2Jend"


@pytest.fixture
def home() -> Iterator[Path]:
    """A directory of this test."""
    with private_home() as directory:
        yield directory


def merged(home: Path, *hosts: str, path: str, script: str = SCRIPT, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the page's script."""
    file = home / "agents"
    file.write_text(script, encoding="utf-8")
    environment = {"HOME": str(home), "PATH": path, "LC_ALL": "C.UTF-8", **env}
    argv = [sys.executable, str(file), *hosts]
    return subprocess.run(argv, check=False, capture_output=True, text=True, env=environment, timeout=60)


def report(server: TmuxServer, pane: str, kind: str, session: str) -> None:
    """One event of an agent, as its hook would send it."""
    payload = json.dumps({"session_id": session, "tool_name": "Bash", "tool_input": {"command": "make"}})
    words = ("event", "--agent", "claude", "--kind", kind, "--payload", "-")
    assert server.tma(*words, stdin=payload, env={"TMUX_PANE": pane}).returncode == 0


def fake_ssh(home: Path, servers: dict[str, TmuxServer]) -> str:
    """PATH with an ``ssh`` that runs its words here, on the server of the host that is named; its argv is kept."""
    programs = home / "bin"
    programs.mkdir()
    python_tma(programs)
    cases = "".join(f"{name}) TMA_SOCKET_PATH={server.socket} ;;\n" for name, server in servers.items())
    program(
        programs / "ssh",
        f'printf "%s\\n" "$*" >>{home}/argv\nwhile [ "$1" != -- ]; do shift; done\ncase $2 in\n{cases}'
        '*) echo "ssh: connect to host $2: Connection timed out" >&2; exit 255 ;;\nesac\n'
        'export TMA_SOCKET_PATH\nshift 2\nexec "$@"',
    )
    return f"{programs}:{os.environ['PATH']}"


def test_two_servers_with_one_pane_id_are_two_rows(home: Path) -> None:
    """REM-21, REM-27 to REM-30: colliding panes, a title full of escapes, a host that does not answer."""
    binary = tmux_binaries()[0]
    with private_server(binary) as near, private_server(binary) as far:
        for server, title in ((near, "plain"), (far, HOSTILE)):
            assert server.start("cat") == "%0"
            server("select-pane", "-t", "%0", "-T", title)
            report(server, "%0", "SessionStart", "s")
        report(far, "%0", "PermissionRequest", "s")
        before = near.options("%0"), far.options("%0")
        path = fake_ssh(home, {"far": far})

        done = merged(home, "far", "silent", "far", path=path, TMA_SOCKET_PATH=str(near.socket))

        lines = done.stdout.splitlines()
        assert done.returncode == 0, done.stderr
        assert len(lines) == 2
        assert str(far.socket) in lines[0]
        assert "blocked" in lines[0]
        assert str(near.socket) in lines[1]
        assert all("%0" in line and line.isprintable() for line in lines)
        assert done.stderr.splitlines() == ["silent: no answer: ssh: connect to host silent: Connection timed out"]
        assert (near.options("%0"), far.options("%0")) == before
        asked = (home / "argv").read_text().splitlines()
        assert set(asked) == {
            f"-T -n -o BatchMode=yes -o ConnectTimeout=10 -- {host} tma ls --json" for host in ("far", "silent")
        }


def test_two_servers_on_one_host_are_two_rows() -> None:
    """REM-20, REM-21: the same host and pane, and each server tells its own path however it was addressed."""
    binary = tmux_binaries()[0]
    with private_server(binary) as one, private_server(binary) as other:
        keys = set()
        for server in (one, other):
            server.start("cat")
            report(server, "%0", "SessionStart", "s")
            alias = server.home / "alias"
            alias.symlink_to(server.socket)
            for words, env in (
                ((), {}),
                (("--socket-path", str(server.socket)), {"TMA_SOCKET_PATH": ""}),
                (("--socket-path", str(alias)), {"TMA_SOCKET_PATH": ""}),
                (("--socket-name", server.socket.name), {"TMA_SOCKET_PATH": "", "TMUX_TMPDIR": str(tmpdir_of(server))}),
                ((), {"TMA_SOCKET_PATH": "", "TMUX": f"{server.socket},{server.pid},0"}),
            ):
                rows = json.loads(server.tma("ls", "--json", *words, env=env).stdout)["agents"]
                keys |= {(row["host"], row["server"], row["pane"]) for row in rows}
        assert keys == {(os.uname().nodename, str(server.socket), "%0") for server in (one, other)}


def tmpdir_of(server: TmuxServer) -> Path:
    """A TMUX_TMPDIR in which the server's socket can be found by name."""
    directory = server.home / "tmpdir" / f"tmux-{os.geteuid()}"
    directory.mkdir(parents=True, mode=0o700, exist_ok=True)
    link = directory / server.socket.name
    if not link.is_symlink():
        link.symlink_to(server.socket)
    return directory.parent


def test_hosts_behind_a_real_ssh_with_the_same_socket_and_pane(home: Path) -> None:
    """REM-20 to REM-23, REM-28: two hosts that differ in name alone, one that hangs, one that is not there."""
    need_sshd()
    near = Near(home)
    path = "/run/user/1000/tmux"
    with ExitStack() as ending:
        for name in ("one", "two"):
            host = ending.enter_context(far_host(near, name))
            program(host.home / "bin" / "tmux-there", f'exec "{host.home}/bin/tmux" -S {path} "$@"')
            host("tmux-there -f /dev/null new-session -d -s main cat")
            settings = host.home / "bin" / "tma"
            settings.write_text(settings.read_text().replace("PYTHONPATH=", f"TMA_SOCKET_PATH={path} PYTHONPATH="))
            payload = f'{{"session_id":"{name}"}}'
            host(f"echo '{payload}' | tma event --agent claude --kind SessionStart --payload -", TMUX_PANE="%0")
        hanging = ending.enter_context(socket.create_server(("127.0.0.1", 0)))
        entry = "Host {}\n  HostName 127.0.0.1\n  Port {}\n  ConnectTimeout 1\n  StrictHostKeyChecking no\n"
        config = near.config.read_text() + entry.format("hangs", hanging.getsockname()[1]) + entry.format("absent", 9)
        near.config.write_text(config)
        program(near.bin / "ssh", f'exec /usr/bin/ssh -F "{near.config}" -o ConnectTimeout=1 "$@"')

        done = merged(home, "hangs", "one", "absent", "two", path=near.path, TMA_SOCKET_PATH=str(home / "none"))

        rows = sorted(tuple(line.split("  ")[:5]) for line in done.stdout.splitlines())
        assert rows == [(name, path, "%0", "claude", "idle") for name in ("one", "two")], done.stderr
        named = sorted(line.split(":")[0] for line in done.stderr.splitlines())
        assert named == ["absent", "hangs", "this host"]


ANSWERS = [
    "", "[]", "{}", '{"agents":3}', '{"agents":[1]}', '{"agents":[{"state":"idle"}]}', "\x00",
    '{"agents":[{"done":0}]}',
    '{"agents":[{"done":false,"state":"own","host":"h","server":"s","pane":"p","since":1,"agent":"a","title":"t"}]}',
    '{"agents":[{"done":false,"state":"idle","host":"h","server":"s","pane":"p","since":"x","agent":"a","title":"t"}]}',
    "[" * 100_000,
]  # fmt: skip


@pytest.mark.parametrize("answer", ANSWERS)
def test_nonsense_of_one_host_costs_its_rows_alone(home: Path, answer: str) -> None:
    """REM-28: a host that answers anything else is named, and the others are printed."""
    programs = home / "bin"
    programs.mkdir()
    (home / "answer").write_text(answer)
    row = {"host": "here", "server": "/s", "pane": "%0", "agent": "pi", "state": "idle", "done": False, "since": 0}
    (home / "own").write_text(json.dumps({"agents": [row | {"title": "\ud800 lone"}]}))
    program(programs / "ssh", f"cat {home}/answer")
    program(programs / "tma", f"cat {home}/own")

    done = merged(home, "odd", path=f"{programs}:/usr/bin:/bin")

    assert done.stdout.splitlines() == ["here  /s  %0  pi  idle   lone"], done.stderr
    assert done.stderr.startswith("odd: no answer: ") or not answer
    assert "Traceback" not in done.stderr


def test_a_host_that_hangs_behind_its_login_is_named_in_time(home: Path) -> None:
    """REM-28: ssh's own limit ends with the login, so the script has one of its own."""
    programs = home / "bin"
    programs.mkdir()
    program(programs / "ssh", "exec sleep 60")
    program(programs / "tma", "echo '{\"agents\":[]}'")

    done = merged(home, "odd", path=f"{programs}:/usr/bin:/bin", script=filled(SCRIPT, {"timeout=30": "timeout=0.2"}))

    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("odd: no answer: ")


def test_hostile_texts_of_a_host_are_only_text(home: Path) -> None:
    """SAN-1, REM-28, REM-30: whatever a field holds, a row is one line without an escape."""
    programs = home / "bin"
    programs.mkdir()
    row = dict.fromkeys(("host", "server", "pane", "agent", "title"), HOSTILE) | {"state": "idle", "since": 0}
    (home / "answer").write_text(json.dumps({"agents": [row | {"done": True}]}))
    program(programs / "ssh", f"cat {home}/answer; printf '%b' '\\033[2J\\n' >&2")
    program(programs / "tma", "printf '%b' '\\033[2Jbroken\\n' >&2; exit 1")

    done = merged(home, "odd", path=f"{programs}:/usr/bin:/bin")

    texts = ["[31mred]0;owned2Jend"] * 4
    assert done.stdout == "  ".join([*texts, "done", texts[0]]) + "\n"
    assert done.stderr == "this host: no answer: [2Jbroken\n"


def page_module() -> ModuleType:
    """The page's script as a module that has not run."""
    module = ModuleType("page")
    exec(compile(SCRIPT.replace("\nmain(sys.argv[1:])\n", "\n"), PAGE, "exec"), module.__dict__)  # noqa: S102
    return module


PAGE_MODULE = page_module()


@given(st.text() | st.text("a\u0301\u20dd\u200d\ufe0f\u200b\x1b\U000e0101"))
def test_the_page_cleans_as_tma_does(text: str) -> None:
    """SAN-1, REM-28: no control, no invisible character, no stack of marks; lone surrogates go instead of showing."""
    foreign = "".join(char for char in text if well_formed(char) == char)

    assert PAGE_MODULE.clean(foreign) == clean(foreign)
