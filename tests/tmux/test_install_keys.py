"""``tma install-keys`` against real servers that load what it wrote."""

import json

import pytest

from harness import TmuxServer


def bound(server: TmuxServer, key: str) -> str:
    """What a server's prefix table runs for a key."""
    lines = [line for line in server("list-keys", "-T", "prefix").splitlines() if line.split()[3:4] == [key]]
    return lines[0] if lines else ""


def test_the_bindings_load_and_go_without_a_trace(server: TmuxServer) -> None:
    """IKY-1, IKY-3, IKY-5, IKY-6, KYS-5: installed, checked, loaded twice, removed to the byte."""
    server.start()
    conf = server.home / ".tmux.conf"
    conf.write_bytes(b"set -g mouse on\nset -g history-limit 5000")

    done = server.tma("install-keys", "--yes", "--mouse")
    assert (done.returncode, "tmux source-file" in done.stdout) == (0, True)
    assert server.tma("install-keys", "--check", "--mouse").stdout == "tma: keybindings OK\n"
    again = server.tma("install-keys", "--yes", "--mouse")
    assert again.stderr.count("already up to date") == 2
    for _ in range(2):
        server("source-file", str(conf))
    assert "tma jump --attention" in bound(server, "j")

    assert server.tma("install-keys", "--uninstall", "--yes").returncode == 0
    assert conf.read_bytes() == b"set -g mouse on\nset -g history-limit 5000"
    assert not (server.home / "config" / "tma" / "tmux.conf").exists()
    assert server.tma("install-keys", "--check").returncode == 1
    assert server.tma("install-keys", "--uninstall", "--yes").returncode == 0


def test_keys_that_are_taken_are_left_out_or_taken(server: TmuxServer) -> None:
    """KYS-2: listed and left out with ``--yes``, remembered by the next run, taken with ``--force-keys``."""
    server.start()
    server("bind-key", "h", "select-pane", "-L")
    managed = server.home / "config" / "tma" / "tmux.conf"

    done = server.tma("install-keys", "--yes")
    assert "prefix h is bound: select-pane -L" in done.stderr
    assert "bind-key h" not in managed.read_text()
    assert server.tma("install-keys", "--check").returncode == 0
    server("unbind-key", "h")
    assert server.tma("install-keys", "--yes").stderr.count("already up to date") == 2

    server.tma("install-keys", "--yes", "--force-keys")
    assert "bind-key h" in managed.read_text()
    server("bind-key", "h", "select-pane", "-L")
    assert "keys:     prefix h runs select-pane -L, not tma" in server.tma("doctor").stdout


def test_a_managed_file_of_somebody_else_is_left_alone(server: TmuxServer) -> None:
    """IKY-2: exit 1 on install, a note on uninstall, also with ``--yes``."""
    managed = server.home / "config" / "tma" / "tmux.conf"
    managed.parent.mkdir(parents=True)
    managed.write_text("set -g mouse on\n")

    refused = server.tma("install-keys", "--yes")
    assert (refused.returncode, "not tma's file" in refused.stderr) == (1, True)
    kept = server.tma("install-keys", "--uninstall", "--yes")
    assert (kept.returncode, "not tma's file" in kept.stderr) == (0, True)
    assert managed.read_text() == "set -g mouse on\n"


@pytest.mark.parametrize("end", ["", "\n", " \\\n"])
def test_a_linked_configuration_keeps_its_link(server: TmuxServer, end: str) -> None:
    """EDT-2, KYS-1, PTH-12: the target is edited; one marked line that loads."""
    server.start()
    real = server.home / "dot" / "tmux.conf"
    real.parent.mkdir()
    real.write_text(f"set -g history-limit 5000{end}")
    (server.home / ".tmux.conf").symlink_to("dot/tmux.conf")

    server.tma("install-keys", "--yes", "--no-daemon")

    assert (server.home / ".tmux.conf").is_symlink()
    assert real.read_text().count("# tma keys") == 1
    server("source-file", str(real))
    assert "tma jump --home" in bound(server, "h")


def test_a_click_that_somebody_binds_is_left_out(server: TmuxServer) -> None:
    """KYS-2, DOC-2: with ``--yes``; taken by ``--force-keys``, and then doctor says that both stand."""
    server.start()
    server("bind-key", "-n", "MouseDown3Status", "run-shell my-click")
    managed = server.home / "config" / "tma" / "tmux.conf"

    done = server.tma("install-keys", "--yes", "--mouse")
    assert (done.returncode, "left out: MouseDown3Status" in done.stderr) == (0, True)
    assert "bind-key -n MouseDown3Status " not in managed.read_text()
    assert json.loads(server.tma("doctor", "--json").stdout)["key_conflicts"] == []

    assert server.tma("install-keys", "--yes", "--mouse", "--force-keys").returncode == 0
    assert json.loads(server.tma("doctor", "--json").stdout)["key_conflicts"] == [
        {"table": "root", "key": "MouseDown3Status", "command": "run-shell my-click"}
    ]
    assert "root MouseDown3Status runs run-shell my-click, not tma" in server.tma("doctor").stdout


def test_no_server_is_started_to_look_at_its_keys(server: TmuxServer) -> None:
    """KYS-2: listing keys would start one and run the user's configuration; the configuration's own lines are read."""
    conf = server.home / ".tmux.conf"
    conf.write_text(f"run-shell 'touch {server.home}/ran'\nbind h select-pane -L\n")

    done = server.tma("install-keys", "--yes")
    server.tma("install-keys", "--check")
    server.tma("install-keys", "--uninstall", "--yes")
    server.tma("install-keys", "--check")

    assert (done.returncode, "prefix h is bound: select-pane -L" in done.stderr) == (0, True)
    assert not (server.home / "ran").exists()


def test_a_directory_of_any_name_is_loaded(server: TmuxServer) -> None:
    """IKY-3: quotes, blanks, signs of tmux and of the shell; a line break has no place in a line."""
    server.start()
    directory = server.home / "a b'c\"d$HOME\\e#{pid};f*[g]?~"
    given = ("--config-dir", str(directory), "--conf", str(server.home / "x.conf"))

    assert server.tma("install-keys", "--yes", *given).returncode == 0
    server("source-file", str(server.home / "x.conf"))

    assert "tma jump --attention" in bound(server, "j")
    assert server.tma("install-keys", "--check", *given).returncode == 0
    assert server.tma("install-keys", "--uninstall", "--yes", *given).returncode == 0
    assert not (server.home / "x.conf").exists()
    refused = server.tma("install-keys", "--yes", "--config-dir", f"{server.home}/a\nb", *given[2:])
    assert (refused.returncode, "line break" in refused.stderr) == (1, True)
