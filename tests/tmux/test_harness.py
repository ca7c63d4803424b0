"""The servers that the other tests here rely on."""

import os
import sys

import pytest

from harness import TmuxServer, until
from tma.adapters.linux import Table


def test_a_server_runs_on_its_own_socket_only(any_server: TmuxServer) -> None:
    """Every tmux version starts, answers on the private socket and shows a pane (SEC-B-1)."""
    pane = any_server.start("/bin/sh", "-c", "echo ready; exec sleep 600")

    until(lambda: "ready" in any_server.screen(pane), what="the pane's text")

    assert any_server.show(pane, "#{socket_path}") == str(any_server.socket)


def test_a_terminal_can_be_attached_to_a_server(server: TmuxServer) -> None:
    """A person's client is seen with its pane (ATN-4)."""
    pane = server.start()

    with server.client():
        shown = server("list-clients", "-F", "#{pane_id} #{client_control_mode}")

    assert shown == f"{pane} 0"


def test_a_condition_that_stays_false_fails_with_what_was_seen() -> None:
    """A wait ends at its deadline and says what it last saw."""
    with pytest.raises(AssertionError, match=r"the moon did not come .* last seen: 0"):
        until(lambda: 0, seconds=0, what="the moon")


def test_the_process_table_sees_a_panes_tree(server: TmuxServer) -> None:
    """A pane's tree starts at its own process and shows a program under an interpreter (PROC-4, PROC-8)."""
    script = server.home / "claude"
    script.write_text("import time\nprint('up', flush=True)\ntime.sleep(600)\n")
    pane = server.start("/bin/sh", "-c", f"{sys.executable} -I -S {script}; exec sleep 600")
    until(lambda: "up" in server.screen(pane), what="the program")
    root = int(server.show(pane, "#{pane_pid}"))

    tree = Table().tree(root)

    assert tree[0].pid == root
    assert "claude" in tree[-1].names
    assert tree[-1].tpgid == tree[0].tpgid != 0
    assert (server.pid, os.getpid()) != (root, root)
    assert Table().names(server.pid)[0].startswith("tmux")
