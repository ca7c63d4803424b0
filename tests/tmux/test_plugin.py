"""``tma.tmux`` as tmux runs it when it loads a configuration."""

from pathlib import Path

from harness import ROOT, TmuxServer, until

ENTRY = str(ROOT / "tma.tmux")


def bound(server: TmuxServer) -> dict[str, str]:
    """The prefix table."""
    lines = [line.split(None, 4) for line in server("list-keys", "-T", "prefix").splitlines()]
    return {words[3]: words[4] for words in lines if words[1] == "-T"}


def load(server: TmuxServer) -> None:
    """Run the entry as tmux does."""
    server("set-environment", "-g", "PYTHONPATH", str(ROOT / "src"))
    server("set-option", "-g", "@tma_bin", str(ROOT / "bin" / "tma"))
    server("set-option", "-g", "@tma_daemon", "off")
    server("run-shell", ENTRY)


def test_a_server_is_set_up_once_and_no_file_is_written(server: TmuxServer) -> None:
    """TPM-1 to TPM-3: keys, hooks and counts; a bound key is left alone; twice changes nothing."""
    server.start()
    server("bind-key", "h", "select-pane", "-L")
    server("set-option", "-g", "status-right", "#{tma_status} %H:%M")
    before = sorted(server.home.rglob("*.conf"))

    load(server)
    first = (
        bound(server),
        server("show-hooks", "-g", "after-select-pane"),
        server("show-options", "-gv", "status-right"),
    )
    load(server)

    assert (bound(server), server("show-hooks", "-g", "after-select-pane")) == first[:2]
    assert "tma jump --attention" in first[0]["j"]
    assert first[0]["h"] == "select-pane -L"
    assert first[1].count("@agent_attention") == 2
    assert first[2] == "#(tma status) %H:%M"
    assert sorted(server.home.rglob("*.conf")) == before
    assert not (server.home / "config" / "tma").exists()
    assert server.tma("install-keys", "--check").stdout == "tma: keybindings OK\n"


def test_without_tma_one_message_is_shown(server: TmuxServer) -> None:
    """TPM-1: exit 0, and nothing else happens."""
    server.start()
    server("set-environment", "-g", "PATH", f"{Path(server.binary).parent}:/usr/bin:/bin")
    server("set-environment", "-g", "HOME", str(server.home))

    with server.client():
        name = server("list-clients", "-F", "#{client_name}")
        server("run-shell", ENTRY)
        until(lambda: "tma is not installed" in server("show-messages", "-t", name), what="the message")

    assert "j" not in bound(server)
