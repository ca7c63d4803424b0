"""``tma doctor`` on prepared faults: each is named in one line with the command that mends it."""

import json
from collections.abc import Callable

import pytest

from harness import TmuxServer
from standin import StandIn

KEYS = [
    "schema", "tmux", "foreign", "daemon", "ambient_driver", "clients", "status_option", "mouse", "watch", "wrapper",
    "notify", "process_walk", "tmux_hooks", "manifests", "process_name_issues", "nested_multiplexers", "remote_panes",
    "ignored_panes", "stamp_issues", "scope_issues", "agents", "actions",
]  # fmt: skip


def wire(server: TmuxServer, agent: str = "claude") -> None:
    """Wire an agent and the server."""
    assert server.tma("install-hooks", agent, "--yes").returncode == 0


def test_the_document_has_every_key_in_order(server: TmuxServer) -> None:
    """DJ-1, DJ-2, DOC-1, CDO-1: exit 0, and nothing was written."""
    pane = server.start()
    server("set-option", "-p", "-t", pane, "@agent_name", "claude")
    before = server.options(pane)

    done = server.tma("doctor", "--json")

    report = json.loads(done.stdout)
    assert (done.returncode, list(report), server.options(pane)) == (0, KEYS, before)
    assert report["daemon"]["alive"] is False
    assert report["agents"] == []
    assert [hook["hook_state"] for hook in report["tmux_hooks"]] == ["missing", "missing"]


def test_an_agents_pane_tells_its_tier_and_its_gate(server: TmuxServer) -> None:
    """DJ-1, DOC-3, DOC-4, TRU-2: one without hooks, two with them; Codex runs none before it is trusted."""
    server.start()
    pane = StandIn(server, "codex").pane
    (row,) = json.loads(server.tma("doctor", "--json").stdout)["agents"]
    assert (row["pane"], row["agent"], row["tier"], row["hook_status"]) == (pane, "codex", 1, "not_installed")
    assert "tma install-hooks codex" in row["tier_reason"]

    wire(server, "codex")
    (row,) = json.loads(server.tma("doctor", "--json").stdout)["agents"]
    assert (row["tier"], row["hooks_wired"], row["trust"]) == (2, True, "untrusted")
    text = server.tma("doctor").stdout
    assert f"{pane}  codex  main:1.0  tier 2  unstamped" in text
    assert "trust: ✗ hooks are not trusted" in text
    assert "note: Codex runs hooks in one process" in text

    (server.home / ".codex" / "config.toml").write_text("")
    (row,) = json.loads(server.tma("doctor", "--json").stdout)["agents"]
    assert (row["tier"], row["hook_status"]) == (2, "incomplete")


Prepare = Callable[[TmuxServer, str], None]


def a_broken_manifest(server: TmuxServer, _: str) -> None:
    """A user's manifest that does not parse."""
    directory = server.home / "config" / "tma" / "agents"
    directory.mkdir(parents=True)
    (directory / "mine.toml").write_text("= broken")


def a_broken_action(server: TmuxServer, _: str) -> None:
    """A user's action that does not parse."""
    directory = server.home / "config" / "tma" / "actions"
    directory.mkdir(parents=True)
    (directory / "mine.toml").write_text("= broken")


def a_long_name(server: TmuxServer, _: str) -> None:
    """A process name that the kernel cuts."""
    directory = server.home / "config" / "tma" / "agents"
    directory.mkdir(parents=True)
    names = '[identity]\nprocess_names = ["a-very-long-program"]\n'
    text = f'min_engine_version = "0.6.0"\n{names}[capture]\nvisible = ["idle"]\n'
    (directory / "long.toml").write_text(text)


def a_foreign_stamp(server: TmuxServer, pane: str) -> None:
    """A state outside the set."""
    server("set-option", "-p", "-t", pane, "@agent_state", "sleeping")


def a_stamp_without_instant(server: TmuxServer, pane: str) -> None:
    """A state that nobody dated."""
    server("set-option", "-p", "-t", pane, "@agent_state", "idle")


def a_global_option(server: TmuxServer, _: str) -> None:
    """A tuple option that shadows every pane."""
    server("set-option", "-g", "@agent_detail", "x")


def a_status_line_off(server: TmuxServer, _: str) -> None:
    """No status line."""
    server("set-option", "-g", "status", "off")


def wiped_hooks(server: TmuxServer, _: str) -> None:
    """A reload that cleared the server's hooks."""
    wire(server)
    server("set-hook", "-gu", "after-select-pane")


def drifted_hooks(server: TmuxServer, _: str) -> None:
    """An entry of an older release."""
    server("set-hook", "-g", "after-select-pane", "set-option -pu @agent_attention")


def mouse_keys_without_mouse(server: TmuxServer, _: str) -> None:
    """Bindings for clicks that never come."""
    binding = ["bind-key", "-n", "MouseDown1Status", "if-shell -F '#{m:tma:*,#{mouse_status_range}}' ''"]
    server(*binding)
    server("set-option", "-g", "mouse", "off")


def a_missing_hook(server: TmuxServer, _: str) -> None:
    """Nothing was ever installed."""


def a_plugin_twice(server: TmuxServer, _: str) -> None:
    """OpenCode reads both directories."""
    wire(server, "opencode")
    plugin = server.home / "config" / "opencode" / "plugin" / "tma.js"
    second = server.home / "config" / "opencode" / "plugins" / "tma.js"
    second.parent.mkdir()
    second.write_text(plugin.read_text())


def nobody_attached(server: TmuxServer, _: str) -> None:
    """Nobody looks and no daemon does."""


@pytest.mark.parametrize(
    ("prepare", "named", "mended"),
    [
        (a_broken_manifest, "mine.toml", "mend or remove it"),
        (a_broken_action, "mine.toml", "mend or remove it"),
        (a_long_name, "a-very-long-program", "add a-very-long-pro"),
        (a_foreign_stamp, "'sleeping'", "tmux set-option -pu -t %0 @agent_state"),
        (a_stamp_without_instant, "without @agent_stamped_at", "tmux set-option -pu -t %0 @agent_state"),
        (a_global_option, "@agent_detail at session scope", "tmux set-option -ug @agent_detail"),
        (a_status_line_off, "the status line is off", "tmux set-option -g status on"),
        (wiped_hooks, "after-select-pane: wiped", "tma install-hooks --all"),
        (drifted_hooks, "after-select-pane: of another", "tma install-hooks --all"),
        (mouse_keys_without_mouse, "the mouse is off", "tmux set-option -g mouse on"),
        (a_missing_hook, "session-window-changed: missing", "tma install-hooks --all"),
        (nobody_attached, "none attached", "tmux attach"),
        (a_plugin_twice, "opencode loads", "plugins/tma.js"),
    ],
)
def test_a_fault_is_named_in_one_line_with_what_mends_it(
    server: TmuxServer, prepare: Prepare, named: str, mended: str
) -> None:
    """DOC-2, DOC-8, CDO-2, CDO-3: thirteen faults, exit 1 by ``--exit-code``, and the JSON still parses."""
    pane = server.start()
    prepare(server, pane)

    done = server.tma("doctor", "--exit-code")

    lines = [line for line in done.stdout.splitlines() if named in line]
    assert len(lines) == 1
    assert "✗" in lines[0]
    assert lines[0].endswith(mended)
    assert (done.returncode, "warnings" in done.stderr) == (1, True)
    assert json.loads(server.tma("doctor", "--json").stdout)["schema"] == 1


def test_a_setup_without_fault_exits_0(server: TmuxServer) -> None:
    """CDO-2: a missing daemon alone is no warning."""
    server.start()
    wire(server)
    with server.client():
        done = server.tma("doctor", "--exit-code")

    assert (done.returncode, "tma: 0 warnings" in done.stderr) == (0, True)
    assert "panes:   no agent panes detected" in done.stdout


def test_panes_out_of_scope_are_counted(server: TmuxServer) -> None:
    """DOC-2: ignored panes, which are no warning."""
    pane = server.start()
    server("set-option", "-p", "-t", pane, "@agent_ignore", "mine")

    report = json.loads(server.tma("doctor", "--json").stdout)

    assert report["ignored_panes"] == [{"pane": pane, "locator": "main:0.0", "value": "mine"}]


def test_no_server_is_an_error(server: TmuxServer) -> None:
    """DOC-7, CLI-9."""
    done = server.tma("doctor")

    assert (done.returncode, "no tmux server running" in done.stderr) == (1, True)
