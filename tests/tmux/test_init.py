"""``tma init`` and ``tma uninstall``: a newcomer's way in, and the way out without a trace."""

import os
import pty
import subprocess
import sys
from pathlib import Path

from harness import ROOT, TmuxServer


def with_agents(server: TmuxServer, *names: str) -> dict[str, str]:
    """A PATH on which these agents are."""
    directory = server.home / "programs"
    directory.mkdir()
    for name in names:
        (directory / name).write_text("#!/bin/sh\n")
        (directory / name).chmod(0o755)
    return {"PATH": f"{directory}:{os.environ['PATH']}"}


def git(home: Path, *words: str) -> str:
    """Run git over a home directory."""
    argv = ["git", "-C", str(home), "-c", "user.name=x", "-c", "user.email=x@x", *words]
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout


def test_a_home_is_as_before_after_init_and_uninstall(server: TmuxServer) -> None:
    """INI-1, UNI-1, RMV-2: ``git diff`` of the whole home is empty, and the server has nothing of tma."""
    pane = server.start()
    env = with_agents(server, "claude", "codex", "pi")
    home = server.home
    for name, text in {
        ".claude/settings.json": '{\n\t"model": "opus", // mine\n}\n',
        ".codex/config.toml": 'model = "x"\n[features]\nhooks = true',
        ".tmux.conf": "set -g mouse on",
        ".gitignore": "state/\ncache/\ntma-*\n",
    }.items():
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text(text)
    git(home, "init", "-q")
    git(home, "add", "-A")
    git(home, "commit", "-qm", "before")
    server("set-option", "-p", "-t", pane, "@agent_ignore", "mine")

    first = server.tma("init", "--yes", env=env)
    assert first.returncode == 0
    assert [line for line in first.stdout.splitlines() if "found" in line and "not found" not in line] == [
        f"{name}: found ({home}/programs/{name})" for name in ("claude", "codex", "pi")
    ]
    assert 'set -g status-right "#(tma status) ' in first.stdout
    assert "daemon:" in first.stdout
    assert git(home, "status", "--porcelain") != ""
    second = server.tma("init", "--yes", env=env)
    assert (second.returncode, "+++" in second.stderr, "[y/N]" in second.stderr) == (0, False, False)

    dry = server.tma("uninstall", "--dry-run", env=env)
    assert (dry.returncode, f"{home}/.claude/settings.json" in dry.stdout) == (0, True)
    gone = server.tma("uninstall", "--yes", "--purge", env=env)
    assert gone.returncode == 0

    assert git(home, "status", "--porcelain", "--ignored") == ""
    assert git(home, "diff") == ""
    assert server.options(pane) == {"@agent_ignore": "mine"}
    assert "[" not in server("show-hooks", "-g", "after-select-pane")
    assert server.tma("uninstall", "--yes", env=env).returncode == 0


def test_a_newcomer_answers_with_enter(server: TmuxServer) -> None:
    """INI-1, INI-3: every question has yes as its answer, and the agent is wired in the end."""
    server.start()
    env = server.environment | with_agents(server, "pi")
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(sys.executable, [sys.executable, str(ROOT / "bin" / "tma"), "init"], env)
    seen = b""
    questions = 0
    try:
        while part := os.read(terminal, 65536):
            seen += part
            while seen.count(b"[Y/n]") > questions:
                questions += 1
                os.write(terminal, b"\n")
    except OSError:
        pass
    _, status = os.waitpid(pid, 0)
    os.close(terminal)

    assert (os.waitstatus_to_exitcode(status), questions) == (0, 2)
    assert (server.home / ".pi" / "agent" / "extensions" / "tma.js").exists()


def test_without_a_terminal_init_declines(server: TmuxServer) -> None:
    """INI-3: said up front, exit 1, nothing written."""
    server.start()
    env = with_agents(server, "pi")

    done = server.tma("init", env=env)

    assert done.returncode == 1
    assert done.stderr.startswith("tma: there is no terminal")
    assert not (server.home / ".pi").exists()
    assert "panes:" in done.stdout


def test_uninstall_without_a_server_undoes_the_files(server: TmuxServer) -> None:
    """CLI-9, UNI-3: every step is attempted; what needs a server is named."""
    server.tma("install-hooks", "pi", "--yes")

    done = server.tma("uninstall", "--yes")

    assert (done.returncode, "no tmux server running" in done.stderr) == (1, True)
    assert not (server.home / ".pi").exists()
