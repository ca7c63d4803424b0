"""``tma doctor`` on prepared faults: each is named in one line with the command that mends it."""

import json
import os
import re
import signal
from collections.abc import Callable
from typing import Any

import pytest

from harness import TmuxServer, until
from standin import StandIn

KEYS = [
    "schema", "tmux", "foreign", "daemon", "ambient_driver", "clients", "status_option", "mouse", "watch", "wrapper",
    "notify", "process_walk", "tmux_hooks", "manifests", "process_name_issues", "nested_multiplexers", "remote_panes",
    "ignored_panes", "stamp_issues", "scope_issues", "agents", "actions", "key_conflicts",
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


def row_of(server: TmuxServer, **env: str) -> dict[str, Any]:
    """The row of the only agent."""
    (row,) = json.loads(server.tma("doctor", "--json", env=env).stdout)["agents"]
    return dict(row)


def stamped(server: TmuxServer, pane: str, state: str, **more: str) -> None:
    """A whole stamp on a pane."""
    words = {"name": "claude", "state": state, "source": "capture", "since": "5", "stamped_at": "6", **more}
    for key, value in words.items():
        server("set-option", "-p", "-t", pane, f"@agent_{key}", value)


def test_events_that_never_came_are_named(server: TmuxServer) -> None:
    """WTR-1, WTR-7: when each wired event was last seen; a dialog's is missed where the screen alone told of one."""
    server.start()
    wire(server)
    agent = StandIn(server, "claude")
    event = ["event", "--agent", "claude", "--kind", "SessionStart", "--payload", "-"]
    server.tma(*event, stdin='{"session_id": "S1"}', pane=agent.pane, env={"TMA_TRUST_PANE": "1"})

    row = row_of(server)
    assert row["events"]["SessionStart"] > 0
    assert row["events"]["Stop"] is None
    assert {"PreToolUse", "SubagentStop"} < set(row["events"])
    lines = server.tma("doctor").stdout.splitlines()
    assert any(line.strip().startswith("events: SessionStart ") for line in lines)
    assert "      silent: never since this server started: UserPromptSubmit, Stop" in lines
    stamped(server, agent.pane, "blocked")
    assert "UserPromptSubmit, Stop, PermissionRequest\n" in server.tma("doctor").stdout

    assert server.tma("uninstall", "--yes").returncode == 0
    assert "@tma_" not in server("show-options", "-s")


def test_an_agent_of_another_account_is_named(server: TmuxServer) -> None:
    """WTR-2, FC-19: it reads its settings where nothing is wired, and the command wires them."""
    server.start()
    wire(server)
    work = server.home / "work"
    server("set-environment", "-g", "CLAUDE_CONFIG_DIR", str(work))
    StandIn(server, "claude")

    row = row_of(server)
    assert (row["config_mismatch"], row["config_path"]) == (True, f"{server.home}/.claude/settings.json")
    setting = f"CLAUDE_CONFIG_DIR={work}"
    line = f"account: runs with {setting}, no tma hooks there: {setting} tma install-hooks claude"
    assert line in server.tma("doctor").stdout

    assert server.tma("install-hooks", "claude", "--yes", env={"CLAUDE_CONFIG_DIR": str(work)}).returncode == 0
    assert row_of(server)["config_mismatch"] is False
    assert row_of(server, CLAUDE_CONFIG_DIR=str(work))["config_mismatch"] is False


def test_a_request_needs_an_address_for_its_answer(server: TmuxServer) -> None:
    """JSON ``endpoint_ok``: stamped or configured, while a request waits; a warning where there is none (CDO-3)."""
    server.start()
    agent = StandIn(server, "opencode")
    stamped(server, agent.pane, "blocked", name="opencode")
    assert row_of(server)["endpoint_ok"] is None
    server("set-option", "-p", "-t", agent.pane, "@agent_permission_request", "per_1")
    assert row_of(server)["endpoint_ok"] is False
    assert "no address is known for its answer: set api_base under [api.opencode]" in server.tma("doctor").stdout
    config = server.home / "config" / "tma" / "config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text('[api.opencode]\napi_base = "http://127.0.0.1:4096"\n')
    assert row_of(server)["endpoint_ok"] is True
    config.unlink()
    server("set-option", "-p", "-t", agent.pane, "@agent_api_endpoint", "http://10.0.0.1:4096")
    assert row_of(server)["endpoint_ok"] is False
    server("set-option", "-p", "-t", agent.pane, "@agent_api_endpoint", "http://127.0.0.1:4096")
    assert row_of(server)["endpoint_ok"] is True


def test_a_model_is_known_by_its_entry(server: TmuxServer) -> None:
    """JSON ``window_covered``: null without a model."""
    server.start()
    agent = StandIn(server, "claude")
    assert row_of(server)["window_covered"] is None
    for model, covered in (("gemini-2.5-pro", True), ("other-model", False)):
        server("set-option", "-p", "-t", agent.pane, "@agent_model", model)
        assert (row_of(server)["model"], row_of(server)["window_covered"]) == (model, covered)
    assert "model: other-model (unrecognized)" in server.tma("doctor").stdout
    config = server.home / "config" / "tma" / "config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text("[telemetry.windows]\nother-model = 1000\n")
    assert row_of(server)["window_covered"] is True


def test_a_release_newer_than_the_rules_is_named(server: TmuxServer) -> None:
    """DOC-3: told from where the program lies; it is never run."""
    server.start()
    StandIn(server, "claude")
    package = server.home / "lib" / "claude"
    package.mkdir(parents=True)
    (package / "cli.js").write_text("#!/bin/sh\ntouch ~/was-run\n")
    (package / "cli.js").chmod(0o755)
    (server.home / "first").mkdir()
    (server.home / "first" / "claude").symlink_to(package / "cli.js")
    env = {"PATH": f"{server.home}/first:{server.environment['PATH']}"}
    for release, named in (("2.1.332", False), ("2.2.0", True)):
        (package / "package.json").write_text(json.dumps({"version": release}))
        assert (f"release: {release} is newer" in server.tma("doctor", env=env).stdout) is named
    assert not (server.home / "was-run").exists()


def test_hooks_that_vanished_are_named(server: TmuxServer) -> None:
    """CHK-5: doctor and ``--check`` use that word."""
    server.start()
    StandIn(server, "claude")
    wire(server)
    (server.home / ".claude" / "settings.json").write_text("{}")

    check, done = server.tma("install-hooks", "--check"), server.tma("doctor", "--exit-code")

    assert (check.returncode, "vanished" in check.stderr, done.returncode) == (1, True, 1)
    (line,) = [line for line in done.stdout.splitlines() if "vanished" in line]
    assert line.endswith(": tma install-hooks claude")


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
        (drifted_hooks, "after-select-pane: of another", "tma init"),
        (mouse_keys_without_mouse, "the mouse is off", "tmux set-option -g mouse on"),
        (a_missing_hook, "session-window-changed: missing", "tma init"),
        (nobody_attached, "none attached", "tma daemon --ensure"),
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
    assert (done.returncode, "warning" in done.stderr) == (1, True)
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


def test_an_agent_that_started_before_its_hooks_is_named(server: TmuxServer) -> None:
    """WTR-3: it has not read them; one that starts now has."""
    server.start()
    first = StandIn(server, "claude")
    wire(server)
    records = server.home / "state" / "tma" / "backups" / "backups.json"
    records.write_text(re.sub(r'"at": (\d+)', lambda found: f'"at": {int(found[1]) + 5000}', records.read_text()))
    line = "older: started before its hooks were installed: restart the agent to load them"
    assert line in server.tma("doctor").stdout

    records.write_text(re.sub(r'"at": (\d+)', '"at": 5', records.read_text()))
    server("kill-pane", "-t", first.pane)
    StandIn(server, "claude")
    assert line not in server.tma("doctor").stdout


def test_an_agent_without_the_wrapper_on_its_path_is_named(server: TmuxServer) -> None:
    """WTR-4: whatever doctor's own PATH has; a warning (CDO-3)."""
    server.start()
    programs = server.home / "programs"
    programs.mkdir()
    (programs / "tma-hook").write_text("#!/bin/sh\n# tma-hook\n")
    (programs / "tma-hook").chmod(0o755)
    env = {"PATH": f"{programs}:{server.environment['PATH']}", "TMA_WRAPPER_PATH": str(programs / "tma-hook")}
    agent = StandIn(server, "claude")
    assert server.tma("install-hooks", "claude", "--yes", env=env).returncode == 0

    with server.client():
        done = server.tma("doctor", "--exit-code", env=env)

    line = "      path: ✗ its PATH has no tma-hook: tma install-hooks --all --wrapper-ref absolute"
    assert (line in done.stdout.splitlines(), done.returncode) == (True, 1)
    server("kill-pane", "-t", agent.pane)
    program, script = server.home / "bin" / "claude", server.home / "standin.sh"
    pane = server.pane("/usr/bin/env", f"PATH={env['PATH']}", str(program), str(script), str(agent.file))
    until(lambda: "READY" in server.screen(pane), what="its screen")
    with server.client():
        assert server.tma("doctor", "--exit-code", env=env).returncode == 0


def test_a_server_whose_socket_file_is_gone_is_named_with_the_cure(server: TmuxServer) -> None:
    """DOC-7, DST-4: a cleaner of old files took it; the process is told to make it again."""
    pane = server.start()
    server.socket.unlink()

    done = server.tma("doctor", pane=pane)

    assert (done.returncode, done.stdout) == (1, "")
    assert f"process {server.pid}, runs, but its socket file is gone" in done.stderr
    assert f"kill -USR1 {server.pid}" in done.stderr
    os.kill(server.pid, signal.SIGUSR1)
    until(lambda: server.tma("doctor", pane=pane).returncode == 0, what="the socket")
