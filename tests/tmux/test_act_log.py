"""The audit log: who asked, what was fired, on which episode; and nothing that anybody wrote."""

import json
import os
import sys
from pathlib import Path

import pytest

from actor import IDLE, PERMISSION, Actor, act, configure, user_action
from harness import TmuxServer, until

KEYS = [
    "schema",
    "at",
    "pane",
    "agent",
    "action",
    "kind",
    "outcome",
    "reason",
    "source",
    "episode_ms",
    "repeat",
    "pending_tool",
    "pending_call",
    "all",
    "batch",
    "via_agent",
]
SECRETS = [
    "s3cret-title",
    "s3cret-text",
    "s3cret-arg",
    "s3cret-key",
    "s3cret-session",
    "s3cret-request",
    "s3cret-command",
    "s3cret-summary",
    "s3cret.example",
]


@pytest.fixture
def log(server: TmuxServer) -> Path:
    """A log that is switched on."""
    return switched_on(server)


@pytest.fixture
def any_log(any_server: TmuxServer) -> Path:
    """A log that is switched on, on each tmux in turn."""
    return switched_on(any_server)


def switched_on(server: TmuxServer) -> Path:
    """Start the server and configure a log."""
    server.start()
    path = server.home / "deep" / "er" / "act.log"
    configure(server, f'[fold]\nfreshness_secs = 3600\n[act]\nlog = "{path}"\n')
    return path


def lines(log: Path) -> list[dict[str, object]]:
    """What was logged."""
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def test_a_fire_is_one_line_of_fixed_keys(any_server: TmuxServer, any_log: Path) -> None:
    """ACT-LOG-1, ACT-LOG-2, AUD-1, PTH-10: refusals too; the file is the user's alone."""
    actor = Actor(any_server)
    episode = actor.block(pending_tool="Bash", pending_call="toolu_1")
    act(any_server, "approve", "--pane", actor.pane)
    act(any_server, "interrupt", "--pane", actor.pane)
    act(any_server, "approve", "--pane", "%99")
    sent, refused, gone = lines(any_log)
    assert list(sent) == KEYS
    expected = {
        "schema": 1,
        "pane": actor.pane,
        "agent": "claude",
        "action": "approve",
        "kind": "keys",
        "outcome": "sent",
        "reason": None,
        "source": "cli-yes",
        "episode_ms": episode,
        "repeat": 1,
        "pending_tool": "Bash",
        "pending_call": "toolu_1",
        "all": False,
        "batch": None,
        "via_agent": None,
    }
    assert {key: value for key, value in sent.items() if key != "at"} == expected
    assert (refused["outcome"], refused["reason"], refused["repeat"]) == ("refused", "gated", 0)
    assert (gone["outcome"], gone["agent"], gone["episode_ms"], gone["pending_tool"]) == ("vanished", None, None, None)
    assert any_log.stat().st_mode & 0o777 == 0o600


def test_what_fires_nothing_leaves_no_line(server: TmuxServer, log: Path) -> None:
    """ACT-LOG-1: usage errors, dry runs, lists and questions that were not answered."""
    user_action(server, "risky", 'kind = "keys"\nconfirm = true\n[keys]\nclaude = ["1"]\n')
    actor = Actor(server)
    actor.block()
    for words in (["nonsense"], ["approve", "--dry-run"], ["--list"], ["risky"]):
        server.tma("act", *words, "--pane", actor.pane)
    assert lines(log) == []


def test_a_batch_has_one_name(any_server: TmuxServer, any_log: Path) -> None:
    """ACT-ALL-2, SEC-A-4."""
    for _ in range(2):
        Actor(any_server).block()
    any_server.tma("act", "approve", "--all")
    first, second = lines(any_log)
    assert first["batch"] == second["batch"]
    assert len(str(first["batch"])) == 16
    assert (first["all"], second["all"]) == (True, True)


def test_a_person_at_a_terminal_is_told_from_a_script(server: TmuxServer, log: Path) -> None:
    """ACT-LOG-3, SEC-A-5: a terminal without ``--yes`` is ``cli``; the menu's flag says ``menu``."""
    actor = Actor(server)
    actor.block()
    shell = server.pane("sh")
    exports = " ".join(f"{name}='{value}'" for name, value in server.environment.items() if name != "TERM")

    def typed(*words: str) -> None:
        before = len(lines(log))
        server(
            "send-keys",
            "-t",
            shell,
            "-l",
            f"env {exports} {sys.executable} -m tma act approve --pane {actor.pane} {' '.join(words)}",
        )
        server("send-keys", "-t", shell, "Enter")
        until(lambda: len(lines(log)) > before, what="a line")

    typed()
    typed("--yes")
    typed("--from-menu")
    act(server, "approve", "--pane", actor.pane)
    assert [line["source"] for line in lines(log)] == ["cli", "cli-yes", "menu", "cli-yes"]


def test_a_call_from_inside_an_agent_names_its_pane(server: TmuxServer, log: Path) -> None:
    """ACT-FROM-1, SEC-A-11: by its process tree first, then by its environment; a menu's says nothing."""
    target = Actor(server)
    target.block()
    agent = server.pane("sh")
    pid = server.show(agent, "#{pane_pid}")
    for key, value in {"name": "claude", "pid": pid, "state": "working"}.items():
        server("set-option", "-p", "-t", agent, f"@agent_{key}", value)
    exports = " ".join(f"{name}='{value}'" for name, value in server.environment.items() if name != "TERM")
    server(
        "send-keys",
        "-t",
        agent,
        "-l",
        f"env {exports} {sys.executable} -m tma act approve --pane {target.pane} </dev/null",
    )
    server("send-keys", "-t", agent, "Enter")
    until(lambda: lines(log), what="a line")
    server.tma("act", "approve", "--pane", target.pane, pane=agent)
    server.tma("act", "approve", "--pane", target.pane, "--from-menu", pane=agent)
    server.tma("act", "approve", "--pane", target.pane)
    assert [line["via_agent"] for line in lines(log)] == [agent, agent, None, None]


def test_nothing_that_anybody_wrote_is_logged(any_server: TmuxServer, any_log: Path) -> None:
    """ACT-LOG-4, SEC-L-2: a corpus of secrets, and none of them in any line."""
    user_action(any_server, "keyed", 'kind = "keys"\n[keys]\nclaude = ["s3cret-key"]\n')
    user_action(any_server, "run", 'kind = "exec"\ncommand = "echo s3cret-command"\n')
    actor = Actor(any_server, screen=f"\x1b]2;s3cret-title\x07{PERMISSION}")
    secret = {
        "session": "s3cret-session",
        "permission_request": "s3cret-request",
        "pending_tool": "Bash s3cret-summary",
        "pending_call": "s3cret summary",
        "pending_summary": "s3cret-summary",
        "api_endpoint": "http://s3cret.example",
    }
    actor.block(**secret)
    act(any_server, "keyed", "--pane", actor.pane, "--expect-permission-request", "s3cret-request")
    act(any_server, "run", "--pane", actor.pane, "--arg", "s3cret-arg")
    actor.show(f"\x1b]2;s3cret-title\x07{IDLE}")
    actor.stamp("idle", **secret)
    act(any_server, "steer", "--pane", actor.pane, "--text", "s3cret-text")
    text = any_log.read_text()
    assert len(text.splitlines()) == 3
    assert not [each for each in SECRETS if each in text]
    assert str(any_server.home) not in text
    assert {line["pending_call"] for line in lines(any_log)} == {None}


@pytest.mark.parametrize("kind", ["symlink", "directory", "fifo", "unwritable"])
def test_a_log_that_is_not_ours_is_skipped(server: TmuxServer, log: Path, kind: str) -> None:
    """SEC-F-5, PTH-10: in silence, and without waiting; the fire goes on."""
    log.parent.mkdir(parents=True)
    elsewhere = server.home / "elsewhere"
    elsewhere.touch()
    if kind == "symlink":
        log.symlink_to(elsewhere)
    elif kind == "directory":
        log.mkdir()
    elif kind == "fifo":
        os.mkfifo(log)
    else:
        configure(server, '[fold]\nfreshness_secs = 3600\n[act]\nlog = "/dev/full"\n')
    actor = Actor(server)
    actor.block()
    fired = act(server, "approve", "--pane", actor.pane)
    assert (fired.outcome, fired.err) == ("sent", f"tma: sent approve to {actor.pane}\n")
    assert elsewhere.read_text() == ""
