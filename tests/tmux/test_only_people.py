"""Nothing but a person answers: every other way in is driven at a pane that asks for permission (SEC-P-1).

After each, no byte has reached the pane and no call was made; the rows are those of the security rules.
"""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from actor import IDLE, PERMISSION, Actor, configure, user_action
from daemons import daemon, file_of
from harness import TmuxServer, until
from loopback import Web, web
from tma.core import wire

FRESH = "[fold]\nfreshness_secs = 3600\n"
OPENCODE = {"permission_request": "per_1"}


class Asking:
    """A claude at a terminal and an opencode behind an interface, both asking for permission."""

    def __init__(self, server: TmuxServer, served: Web) -> None:
        self.server = server
        self.served = served
        self.claude = Actor(server)
        self.opencode = Actor(server, "opencode")
        self.ask()

    def ask(self) -> None:
        """Both ask (again)."""
        self.claude.block(session="s-1", pending_tool="Bash", pending_call="toolu_1", attention=1)
        self.opencode.block(**OPENCODE, api_endpoint=f"http://127.0.0.1:{self.served.port}")

    def event(self, agent: str, kind: str, payload: dict[str, object]) -> None:
        """One hook event in that agent's pane; it is silent whatever happens (SEC-E-3)."""
        pane = {"claude": self.claude, "opencode": self.opencode}[agent].pane
        words = ("event", "--agent", agent, "--kind", kind, "--payload", "-")
        done = self.server.tma(*words, stdin=json.dumps(payload), pane=pane)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.fixture
def asking(server: TmuxServer) -> Iterator[Asking]:
    """Both agents, and afterwards the proof that nothing answered them."""
    server.start()
    configure(server, FRESH)
    with web() as served:
        made = Asking(server, served)
        yield made
        assert made.claude.heard_nothing()
        assert made.opencode.heard_nothing()
        assert served.requests == []


EVENTS: list[tuple[str, str, dict[str, object]]] = [
    ("claude", "PermissionRequest", {"session_id": "s-1", "tool_name": "Bash"}),
    ("claude", "PermissionRequest", {"session_id": "s-1", "tool_name": "ExitPlanMode"}),
    (
        "claude",
        "Notification",
        {"session_id": "s-1", "notification_type": "permission_prompt", "message": "yes, approve"},
    ),
    ("claude", "Stop", {"session_id": "s-1"}),
    ("claude", "UserPromptSubmit", {"session_id": "s-1", "prompt": "1"}),
    ("opencode", "permission-replied", {"session_id": "s-2", "requestID": "per_1", "reply": "once"}),
    ("opencode", "permission-required", {"session_id": "s-2", "id": "per_2"}),
    ("opencode", "nonsense", {"reply": "always", "decision": "approve"}),
]


@pytest.mark.parametrize(("agent", "kind", "payload"), EVENTS)
def test_01_hook_events_stamp_and_answer_nothing(
    asking: Asking, agent: str, kind: str, payload: dict[str, object]
) -> None:
    """Row 1: any kind, any payload, a reply too."""
    asking.event(agent, kind, payload)


def test_02_a_hook_decides_nothing_by_its_exit_or_output(asking: Asking) -> None:
    """Row 2: always 0 and empty, also for what it cannot read."""
    for payload in ("", "{", "x" * 100_000, '{"decision":"approve"}'):
        done = asking.server.tma(
            "event",
            "--agent",
            "claude",
            "--kind",
            "PermissionRequest",
            "--payload",
            "-",
            stdin=payload,
            pane=asking.claude.pane,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    "command", ["exit 0", "echo approve; exit 0", "echo 1 >&2; exit 7", 'echo \'{"decision":"approve"}\'']
)
def test_03_a_notify_command_decides_nothing(asking: Asking, command: str) -> None:
    """Row 3: its status and output are nobody's answer."""
    configure(asking.server, f"{FRESH}[notify]\nfrom_event = true\ncommand = '''{command}'''\n")
    asking.event("claude", "PermissionRequest", {"session_id": "s-1", "tool_name": "Bash"})
    until(lambda: '"sink":"command"' in results(asking.server), what="the command's end")


def results(server: TmuxServer) -> str:
    """What became of notices."""
    path = server.home / "tma" / "notify-results.json"
    return path.read_text() if path.exists() else ""


def test_04_whatever_a_notice_leads_to_reaches_no_prompt(asking: Asking) -> None:
    """Row 4, NOT-1: a helper that says it was clicked, a service that answers yes, a terminal that reports a tap."""
    server = asking.server
    helper = server.home / "bin" / "notify-send"
    helper.parent.mkdir(exist_ok=True)
    helper.write_text("#!/bin/sh\necho approve; echo default\nexit 0\n")
    helper.chmod(0o755)
    sinks = "bell = 'both'\nosc = true\nosc_777 = true\nosc_99 = true\ndesktop = true\ndesktop_click = true"
    configure(server, f"{FRESH}[notify]\nfrom_event = true\n{sinks}\nurls = ['json://127.0.0.1:9/approve']\n")
    env = {"PATH": f"{helper.parent}:{server.environment['PATH']}", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"}
    payload = json.dumps({"session_id": "s-1", "tool_name": "Bash"})
    words = ("event", "--agent", "claude", "--kind", "PermissionRequest", "--payload", "-")
    with server.client() as terminal:
        done = server.tma(*words, stdin=payload, pane=asking.claude.pane, env=env)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        until(lambda: all(f'"sink":"{sink}"' in results(server) for sink in ("osc", "desktop", "urls")), what="sinks")
        os.write(terminal, b"\x1b]99;i=tma-0-1;\x1b\\\x1b[I")
        server.tma("ls")


def test_05_and_06_opening_a_menu_fires_nothing(asking: Asking) -> None:
    """Rows 5 and 6, SEC-P-2: a menu puts a fire one key away and no nearer."""
    server = asking.server
    server("select-window", "-t", asking.claude.pane)
    with server.client() as terminal:
        words = [sys.executable, "-m", "tma", "act", "--menu", "--pane", asking.claude.pane]
        with subprocess.Popen(words, env=server.environment, stderr=subprocess.DEVNULL) as menu:
            shown = bytearray()
            until(lambda: shown.extend(os.read(terminal, 65536)) or b"Approve" in shown, what="the menu")
            os.write(terminal, b"q")
            assert menu.wait(20) == 0


@pytest.mark.parametrize("surface", [(), ("watch",)])
def test_06_keys_of_the_picker_and_the_watcher_jump_and_no_more(asking: Asking, surface: tuple[str, ...]) -> None:
    """Row 6: digits, yes and Enter find, choose and go."""
    server = asking.server
    with server.client():
        looking = server.pane(sys.executable, "-m", "tma", *surface)
        server("select-window", "-t", looking)
        until(lambda: "opencode" in server.screen(looking), what="both rows")
        for key in ("1", "BSpace", "y", "BSpace", "Tab", "Down", "Up", "Enter"):
            server("send-keys", "-t", looking, key)
        panes = {asking.claude.pane, asking.opencode.pane}
        until(lambda: server("list-clients", "-F", "#{pane_id}") in panes, what="the jump")


def test_07_messages_bells_and_sequences_answer_nothing(asking: Asking) -> None:
    """Row 7: what an agent or a program writes to the terminal, and what tmux shows."""
    asking.server("display-message", "-t", asking.claude.pane, "approve")
    asking.claude.show(f"\x07\x1b]9;approve\x07\x1b]2;1\x07\x1b]52;c;MQ==\x07{PERMISSION}")


def test_08_what_an_agent_types_into_a_pane_is_no_command_of_ours(asking: Asking) -> None:
    """Row 8: a line on a screen or in an option names an action and fires none."""
    asking.claude.show(f"tma act approve --yes\n{PERMISSION}")
    for key in ("@agent_action_wanted", "@tma_approve", "@agent_pending_summary"):
        asking.server("set-option", "-p", "-t", asking.claude.pane, key, "tma act approve --pane %1 --yes")
    assert asking.server.tma("ls").returncode == 0


READERS: dict[str, tuple[str, ...]] = {
    "ls": ("ls", "--json"),
    "status": ("status", "--format", "json"),
    "list": ("act", "--list", "--pane", "{pane}"),
    "dry run": ("act", "approve", "--pane", "{pane}", "--dry-run"),
    "dry run of all": ("act", "approve", "--all", "--dry-run", "--yes"),
    "explain": ("debug", "explain", "{pane}"),
    "capture": ("debug", "capture", "{pane}"),
    "clear attention": ("clear-attention", "{pane}"),
    "wait": ("wait", "--pane", "{pane}", "--until", "blocked"),
    "mute": ("mute", "--pane", "{pane}"),
    "attach": ("attach", "--pane", "{pane}", "--print"),
}


@pytest.mark.parametrize("name", READERS)
def test_09_10_and_15_readers_answer_nothing(asking: Asking, name: str) -> None:
    """Rows 9, 10 and 15: whoever looks, looks; an exit code is the end of it."""
    for pane in (asking.claude.pane, asking.opencode.pane):
        words = [word.replace("{pane}", pane) for word in READERS[name]]
        assert asking.server.tma(*words).returncode == 0


def test_09_frames_answer_nothing(asking: Asking) -> None:
    """Row 9: whatever is sent to the daemon's socket, it stamps a pane and no more (SEC-D-3)."""
    with daemon(asking.server, bundled=True):
        for kind in ("PermissionRequest", "approve", "send-keys", ""):
            for payload in ('{"session_id": "s-1", "decision": "approve", "keys": ["1", "Enter"]}', "1\n"):
                frame = wire.event(asking.claude.pane, "claude", kind, payload, {"state": "idle", "run": "approve"})
                assert frame
                with socket.socket(socket.AF_UNIX) as connection:
                    connection.connect(str(file_of(asking.server, "sock")))
                    connection.sendall(frame)
                    assert connection.recv(1) in {wire.ACK, wire.NAK}


def test_10_a_stream_that_ends_answers_nothing(asking: Asking) -> None:
    """Rows 9 and 10: a document is read, and the reader leaves."""
    words = [sys.executable, "-m", "tma", "subscribe", "--json"]
    with subprocess.Popen(words, env=asking.server.environment, stdout=subprocess.PIPE) as stream:
        assert stream.stdout
        assert b"blocked" in stream.stdout.readline()
        stream.terminate()
        assert stream.wait(20) == 128 + 15


def test_15_a_jump_takes_the_person_there_and_answers_nothing(asking: Asking) -> None:
    """Row 15: the focus alone moves."""
    with asking.server.client():
        assert asking.server.tma("jump", "--blocked").returncode == 0
        panes = {asking.claude.pane, asking.opencode.pane}
        assert asking.server("list-clients", "-F", "#{pane_id}") in panes


def test_11_gauges_are_only_gauges(asking: Asking) -> None:
    """Row 11: a reading that says approve is no reading."""
    asking.event(
        "claude", "statusline", {"session_id": "s-1", "decision": "approve", "context_window": {"used_percentage": 99}}
    )


def test_12_the_end_of_a_detached_action_is_one_notice(asking: Asking) -> None:
    """Row 12: its command says yes, and nothing hears it."""
    told = asking.server.home / "told"
    configure(asking.server, f"{FRESH}[notify]\ncommand = 'cat > {told}.new; mv {told}.new {told}; echo approve'\n")
    user_action(asking.server, "later", 'kind = "exec"\ndetach = true\ncommand = "echo approve; exit 0"\n')
    assert asking.server.tma("act", "later", "--pane", asking.claude.pane).returncode == 0
    until(told.exists, what="the notice")


def test_13_configuration_and_manifests_fire_nothing(asking: Asking) -> None:
    """Row 13: they change what can be fired, and are read again and again."""
    user_action(asking.server, "approve", 'kind = "keys"\n[keys]\nclaude = ["1"]\nopencode = ["1"]\n')
    configure(asking.server, "[fold]\nfreshness_secs = 0\n[daemon]\nautostart = true\n")
    for _ in range(2):
        assert asking.server.tma("ls").returncode == 0


@pytest.mark.parametrize(
    "value", ["approve", "1", "#(tma act approve --yes)", "sent", f"{'f' * 32}:sent", "9:approve:9"]
)
def test_16_titles_screens_and_options_are_only_read(asking: Asking, value: str) -> None:
    """Row 16: whatever stands in them, a cycle reads it and presses nothing."""
    configure(asking.server, "[fold]\nfreshness_secs = 0\n")
    for key in (
        "@agent_act_result",
        "@agent_act_repeat",
        "@agent_action",
        "@agent_permission_request",
        "@agent_detail",
    ):
        asking.server("set-option", "-p", "-t", asking.claude.pane, key, value)
    asking.claude.show(f"\x1b]2;{value.replace(chr(7), '')}\x07{IDLE}")
    assert asking.server.tma("ls").returncode == 0
