"""``tma uninstall`` over wiring that is broken, partly gone, or stands elsewhere: nothing of ours stays in silence."""

import json
from pathlib import Path

from harness import TmuxServer

SETTINGS = '{\n  "statusLine": {"type": "command", "command": "echo mine"}\n}\n'


def written(server: TmuxServer, path: str, text: str) -> Path:
    """A file in the home."""
    file = server.home / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def test_a_wrapped_status_line_goes_without_hooks_too(server: TmuxServer) -> None:
    """RMV-2, SLN-4: an agent or a person took the hooks out, and the shim stayed."""
    server.start()
    file = written(server, ".claude/settings.json", SETTINGS)
    server.tma("install-hooks", "claude", "--statusline", "--yes")
    without = json.loads(file.read_text())
    del without["hooks"]
    file.write_text(json.dumps(without))

    dry = server.tma("uninstall", "--dry-run")
    done = server.tma("uninstall", "--yes")

    assert (str(file) in dry.stdout, done.returncode) == (True, 0)
    assert json.loads(file.read_text()) == json.loads(SETTINGS)


def test_a_wired_file_that_cannot_be_read_is_a_failure(server: TmuxServer) -> None:
    """UNI-3, CHK-2: it is named, and the copies that could restore it are kept; put right, it is undone."""
    server.start()
    file = written(server, ".claude/settings.json", SETTINGS)
    written(server, ".gemini/settings.json", "{ never wired")
    server.tma("install-hooks", "claude", "--yes")
    wired = file.read_text()
    file.write_text(wired.removesuffix("}\n"))

    done = server.tma("uninstall", "--yes", "--purge")

    assert done.returncode == 1
    assert "claude: " in done.stderr
    assert "not done: hooks" in done.stderr
    assert list(server.home.rglob("*-settings.json")) != []
    file.write_text(wired)
    assert server.tma("uninstall", "--yes", "--purge").returncode == 0
    assert file.read_text() == SETTINGS
    assert list(server.home.rglob("*-settings.json")) == []


def test_the_wiring_of_another_account_is_named(server: TmuxServer) -> None:
    """RMV-2: what was wired under another variable is no longer where this run looks."""
    server.start()
    work = {"CLAUDE_CONFIG_DIR": str(server.home / "work")}
    file = written(server, "work/settings.json", SETTINGS)
    server.tma("install-hooks", "claude", "--yes", env=work)

    done = server.tma("uninstall", "--yes", "--purge")

    assert (done.returncode, f"{file} is still wired" in done.stderr) == (1, True)
    assert server.tma("install-hooks", "claude", "--uninstall", "--yes", env=work).returncode == 0
    assert file.read_text() == SETTINGS
    assert server.tma("uninstall", "--yes", "--purge").returncode == 0


def test_logs_that_the_user_asked_for_stay(server: TmuxServer) -> None:
    """UNI-2, RMV-1: also in tma's own directory; they are named in the end."""
    server.start()
    written(server, ".config/tma/config.toml", '[notify]\nlog = "~/.local/state/tma/notify.log"\n')
    log = written(server, ".local/state/tma/notify.log", "{}\n")
    server.tma("install-hooks", "pi", "--yes")
    env = {"XDG_STATE_HOME": str(server.home / ".local" / "state"), "XDG_CONFIG_HOME": str(server.home / ".config")}

    done = server.tma("uninstall", "--yes", "--purge", env=env)

    assert (done.returncode, log.read_text()) == (0, "{}\n")
    assert f"left: {log}" in done.stderr
    assert [path.name for path in log.parent.iterdir()] == [log.name]


def test_what_only_the_user_can_take_out_is_said(server: TmuxServer) -> None:
    """CHK-6: the counts in the status line, and keys that stay bound while the server runs."""
    server.start()
    server.tma("install-keys", "--yes")

    done = server.tma("uninstall", "--yes")

    assert "#(tma status)" in done.stderr
    assert "stay bound" in done.stderr
