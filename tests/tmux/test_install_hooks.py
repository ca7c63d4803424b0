"""``tma install-hooks`` as a person runs it: files in a home of its own, and a real server's hooks."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from harness import DEADLINE_S, ROOT, TmuxServer, until

SELECT_PANE, SELECT_WINDOW = "after-select-pane", "session-window-changed"


def tree(home: Path) -> dict[str, bytes | str]:
    """Every file of a home outside tma's own directories."""
    own = {"state", "cache", "config"}
    files = [path for path in home.rglob("*") if path.relative_to(home).parts[0] not in own]
    return {
        str(path.relative_to(home)): str(path.readlink()) if path.is_symlink() else path.read_bytes()
        for path in files
        if path.is_file() or path.is_symlink()
    }


def hooks(server: TmuxServer, name: str) -> list[str]:
    """The entries of a server hook."""
    return [line for line in server("show-hooks", "-g", name).splitlines() if "[" in line]


def test_an_agent_is_wired_checked_and_unwired(server: TmuxServer) -> None:
    """IHK-4, IHK-5, EDT-12: the home is as it was, and so is the server."""
    server.start()
    (server.home / ".claude").mkdir()
    settings = server.home / ".claude" / "settings.json"
    settings.write_text('{\n    "model": "opus" // mine\n}\n')
    before = tree(server.home)

    wired = server.tma("install-hooks", "claude", "--yes")
    assert (wired.returncode, wired.stdout) == (0, "claude: wired\n")
    assert str(settings) in wired.stderr
    assert server.tma("install-hooks", "--check").stdout == "tma: hooks OK\n"
    assert server.tma("install-hooks", "claude", "--check").returncode == 0
    again = server.tma("install-hooks", "claude", "--yes")
    assert (again.stdout, "already up to date" in again.stderr) == ("claude: already wired\n", True)
    assert [len(hooks(server, name)) for name in (SELECT_PANE, SELECT_WINDOW)] == [1, 1]

    gone = server.tma("install-hooks", "claude", "--uninstall", "--yes")
    assert (gone.returncode, "status-right" in gone.stderr) == (0, True)
    assert tree(server.home) == before
    assert [hooks(server, name) for name in (SELECT_PANE, SELECT_WINDOW)] == [[], []]
    assert server.tma("install-hooks", "claude", "--check").returncode == 1


def test_the_profile_in_use_is_the_one_that_is_wired(server: TmuxServer) -> None:
    """IHK-1, PAT-1, PAT-2: CLAUDE_CONFIG_DIR, an empty one, and a variable of tma's own that wins."""
    server.start()
    for name in (".claude", ".claude-work"):
        (server.home / name).mkdir()
        (server.home / name / "settings.json").write_text("{}")
    work = {"CLAUDE_CONFIG_DIR": str(server.home / ".claude-work")}

    done = server.tma("install-hooks", "claude", "--yes", env=work)

    assert str(server.home / ".claude-work" / "settings.json") in done.stderr
    assert (server.home / ".claude" / "settings.json").read_text() == "{}"
    blank = server.tma("install-hooks", "claude", "--check", env={"CLAUDE_CONFIG_DIR": ""})
    assert (blank.returncode, "claude: not installed" in blank.stderr) == (1, True)
    assert server.tma("install-hooks", "claude", "--check", env=work).returncode == 0
    named = work | {"TMA_CLAUDE_SETTINGS": str(server.home / "x.json")}
    server.tma("install-hooks", "claude", "--yes", env=named)
    assert "tma-hook" in (server.home / "x.json").read_text()


def test_refusals_name_the_file_and_touch_nothing(server: TmuxServer) -> None:
    """IHK-2, EDT-1, CHK-2: exit 1; ``--check`` says that it cannot read, not that nothing is installed."""
    server.start()
    (server.home / ".claude").mkdir()
    settings = server.home / ".claude" / "settings.json"
    settings.write_text('{\n  "a": }\n')

    refused = server.tma("install-hooks", "claude", "--yes")
    assert (refused.returncode, f"{settings}:2:8" in refused.stderr, refused.stdout) == (1, True, "")
    checked = server.tma("install-hooks", "claude", "--check")
    assert (checked.returncode, "cannot read" in checked.stderr, "not installed" in checked.stderr) == (1, True, False)
    assert server.tma("install-hooks", "nobody", "--yes").returncode == 2
    assert hooks(server, SELECT_PANE) == []


def test_without_a_terminal_nothing_is_written(server: TmuxServer) -> None:
    """The setup commands: a question that cannot be read declines, exit 1."""
    server.start()
    before = tree(server.home)

    done = server.tma("install-hooks", "pi", stdin="y\n")

    assert (done.returncode, "declined" in done.stderr, tree(server.home)) == (1, True, before)


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("", 1)])
def test_a_person_is_asked_after_the_diff(server: TmuxServer, answer: str, code: int) -> None:
    """EDT-7: the diff comes first, and Enter alone means no."""
    server.start()
    pid, terminal = pty.fork()
    if pid == 0:
        argv = [sys.executable, str(ROOT / "bin" / "tma"), "install-hooks", "pi"]
        os.execve(sys.executable, argv, server.environment)
    seen = b""
    while b"[y/N]" not in seen:
        seen += os.read(terminal, 65536)
    os.write(terminal, f"{answer}\n".encode())
    until(lambda: b"pi" in os.read(terminal, 65536) or True, what="an answer")
    _, status = os.waitpid(pid, 0)
    os.close(terminal)

    assert os.waitstatus_to_exitcode(status) == code
    assert b"+++ " in seen
    assert (server.home / ".pi" / "agent" / "extensions" / "tma.js").exists() == (code == 0)


def test_no_server_skips_its_hooks(server: TmuxServer) -> None:
    """IHK-7, WRP-8: exit 0 with a note, and none is started."""
    done = server.tma("install-hooks", "gemini", "--yes")

    assert (done.returncode, "no tmux server" in done.stderr) == (0, True)
    assert "trust" in done.stderr
    assert not server.socket.exists()


def test_foreign_entries_and_their_indexes_stay(server: TmuxServer) -> None:
    """TMH-4 to TMH-6: the user's entry is intact through install, repair and uninstall."""
    server.start()
    server("set-hook", "-g", f"{SELECT_PANE}[7]", "display-message hello")
    server.tma("install-hooks", "pi", "--yes")
    assert len(hooks(server, SELECT_PANE)) == 2

    server("set-hook", "-g", SELECT_PANE, "display-message hello")
    checked = server.tma("install-hooks", "--check")
    assert (checked.returncode, f"tmux hook {SELECT_PANE}: wiped" in checked.stderr) == (1, True)

    server.tma("install-hooks", "--all", "--yes")
    assert server.tma("install-hooks", "--check").returncode == 0
    server.tma("install-hooks", "pi", "--uninstall", "--yes")
    assert [line.partition(" ")[2] for line in hooks(server, SELECT_PANE)] == ["display-message hello"]


def test_a_selection_clears_the_pane_arrived_at_and_the_one_left(server: TmuxServer) -> None:
    """TMH-1 to TMH-3: pane and window switches; no other pane, and nothing is shown."""
    first = server.start()
    second = server("split-window", "-P", "-F", "#{pane_id}")
    third = server("split-window", "-P", "-F", "#{pane_id}")
    far = server.pane()
    server.tma("install-hooks", "pi", "--yes")

    def mark() -> None:
        for pane in (first, second, third, far):
            server("set-option", "-p", "-t", pane, "@agent_attention", "1")

    def marked() -> list[str]:
        return [pane for pane in (first, second, third, far) if server.options(pane).get("@agent_attention")]

    mark()
    server("select-pane", "-t", first)
    assert marked() == [second, far]
    mark()
    server("select-window", "-t", far)
    assert marked() == [second, third]


def test_all_covers_the_wired_agents_only(server: TmuxServer) -> None:
    """IHK-3: none is a note and exit 0; one failure does not stop the others and is named."""
    server.start()
    none = server.tma("install-hooks", "--all", "--yes")
    assert (none.returncode, "no agent is wired" in none.stderr) == (0, True)
    for agent in ("claude", "pi"):
        server.tma("install-hooks", agent, "--yes")
    server("set-option", "-p", "@agent_name", "claude")
    (server.home / ".claude" / "settings.json").chmod(0o644)
    bare = {"PATH": f"{ROOT / 'bin'}:{os.environ['PATH']}", "TMA_WRAPPER_PATH": str(ROOT / "bin" / "tma-hook")}

    respelled = server.tma("install-hooks", "--all", "--yes", env=bare)

    assert respelled.returncode == 0
    assert '"tma-hook claude Stop"' in (server.home / ".claude" / "settings.json").read_text()
    assert "1 claude session is running" in respelled.stderr
    gone = server.tma("install-hooks", "--all", "--uninstall", "--yes", env=bare)
    assert (gone.returncode, server.options("main:").get("@agent_name")) == (0, None)


def test_a_wired_agent_registers_its_pane(server: TmuxServer) -> None:
    """WRP-1, IHK-1: the command as it stands in the file, run as the agent runs it, reaches the pane."""
    pane = server.start()
    server.tma("install-hooks", "claude", "--yes")
    text = (server.home / ".claude" / "settings.json").read_text()
    command = text.partition('"command", "command": "')[2].partition('"')[0]

    inside = {"TMUX": f"{server.socket},{server.pid},0", "TMUX_PANE": pane, "TMA_TRUST_PANE": "1"}
    subprocess.run(
        ["/bin/sh", "-c", command],
        input='{"session_id": "s1", "hook_event_name": "SessionStart"}',
        text=True,
        check=True,
        env=server.environment | inside,
        timeout=DEADLINE_S,
    )

    assert server.options(pane)["@agent_session"] == "s1"


def test_a_status_line_is_wrapped_only_on_request(server: TmuxServer) -> None:
    """SLN-1, SLN-4, SLN-5, EDT-12: recorded, found displaced, given back, and gone to the byte with the hooks."""
    server.start()
    (server.home / ".claude").mkdir()
    settings = server.home / ".claude" / "settings.json"
    settings.write_text('{"statusLine": {"type": "command", "command": "echo mine"}}')
    server.tma("install-hooks", "claude", "--yes")
    assert "--kind context" not in settings.read_text()
    assert server.tma("install-hooks", "claude", "--check", "--statusline").returncode == 1

    server.tma("install-hooks", "claude", "--yes", "--statusline")
    assert "--kind context" in settings.read_text()
    assert server.tma("install-hooks", "--check").returncode == 0
    assert server.tma("install-hooks", "claude", "--check", "--no-statusline").returncode == 1
    shimmed = settings.read_text()
    server.tma("install-hooks", "claude", "--yes", "--no-statusline")
    assert '"command": "echo mine"' in settings.read_text()

    settings.write_text(shimmed)
    unasked = server.tma("install-hooks", "--check")
    assert (unasked.returncode, "not asked for" in unasked.stderr) == (1, True)
    server.tma("install-hooks", "claude", "--uninstall", "--yes")
    assert settings.read_text() == '{"statusLine": {"type": "command", "command": "echo mine"}}'
    assert server.tma("install-hooks", "pi", "--yes", "--statusline").returncode == 1
