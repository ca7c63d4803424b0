"""Recorded hook streams on a real server, beside the Python interpreter of the writes."""

import json
import posix
import time
from pathlib import Path
from typing import Any

import pytest

from harness import DEADLINE_S, ROOT, TmuxServer
from tma.core import ops, stamp
from tma.core.events import chains, hooks
from tma.services import intake
from tma.services.cache import Options

Line = dict[str, Any]

STREAMS = ROOT / "tests" / "golden" / "payloads"
SAMPLE = [
    STREAMS / name
    for name in (
        "claude-2.1.332/terminal.jsonl",
        "claude-cases/clear-and-compact.jsonl",
        "claude-cases/dialog-kinds.jsonl",
        "claude-cases/wrong-order.jsonl",
        "codex-cases/notify.jsonl",
        "opencode-cases/child-session.jsonl",
        "qwen-0.24.4/terminal.jsonl",
    )
]


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_server_leaves_what_the_interpreter_says(
    any_server: TmuxServer, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GRD-5, CH-EVENT: one expression, two interpreters, every option equal after every event."""
    monkeypatch.setitem(posix.environ, b"TMA_TRUST_PANE", b"1")
    monkeypatch.setitem(posix.environ, b"TMA_TMUX_BIN", any_server.binary.encode())
    monkeypatch.setitem(posix.environ, b"XDG_CACHE_HOME", str(any_server.home).encode())
    monkeypatch.setitem(posix.environ, b"XDG_CONFIG_HOME", str(any_server.home).encode())
    monkeypatch.delitem(posix.environ, b"CLAUDE_JOB_DIR", raising=False)
    pane = any_server.start("sleep", "600")
    head, *events = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    call = call_of(any_server, head["agent"], {"at": 0, "event": ""}, pane)
    plain = intake.manifest_of(call, intake.load(call))
    assert plain is not None
    wanted: dict[str, str] = {}
    for line in events:
        if line.get("typed"):
            any_server("set-option", "-pu", "-t", pane, stamp.ATTENTION)
            wanted.pop(stamp.ATTENTION, None)
        intake.report(call_of(any_server, head["agent"], line, pane))
        event = hooks.Event(line["event"], line["at"], json.dumps(line["payload"]))
        target = chains.Target(head["agent"], wanted, ["$0"])
        ops.apply(wanted, chains.plan(event, hooks.find(plain["map"], event), target))
        assert {key: value for key, value in options(any_server, pane).items() if value} == wanted, line


def call_of(server: TmuxServer, agent: str, line: Line, pane: str) -> intake.Call:
    """What a hook process would be started with, at the event's own instant and with time to spare."""
    chosen = Options()
    chosen.socket_path = str(server.socket)
    chosen.manifest_dir = str(ROOT / "src" / "tma" / "data" / "agents")
    call = intake.Call(chosen, at=line["at"], began=time.monotonic() + DEADLINE_S)
    call.agent, call.kind, call.pane = agent, line["event"], pane
    payload = server.home / "payload.json"
    payload.write_text(json.dumps(line.get("payload")), encoding="utf-8")
    call.payload = str(payload)
    return call


def options(server: TmuxServer, pane: str) -> dict[str, str]:
    """Every pane option, read in one client."""
    names = [line.split(" ", 1)[0] for line in server("show-options", "-p", "-t", pane).splitlines()]
    names = [name for name in names if name.startswith("@")]
    if not names:
        return {}
    values = server.show(pane, "|~|".join(f"#{{{name}}}" for name in names)).split("|~|")
    return dict(zip(names, values, strict=True))
