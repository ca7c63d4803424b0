"""The short road against the general one: every recorded payload, and random ones, leave the same on a pane."""

import json
import random
import re
import sys
from pathlib import Path
from typing import Any

from harness import ROOT, TmuxServer, until

PAYLOADS = ROOT / "tests" / "golden" / "payloads"
FIELDS = ("session_id", "tool_name", "tool_input", "hook_event_name", "agent_id", "transcript_path", "model", "message")
KINDS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PermissionRequest", "Notification", "Stop", "SessionEnd")
RANDOM = 25

DRIVER = """
import json, re, subprocess, sys
tmux, pane, log, *command = sys.argv[1:]
with open(log + ".part", "w") as out:
    for agent, kind, payload in json.load(open(log + ".events")):
        words = [*command, "event", "--agent", agent, "--kind", kind, "--payload", "-"]
        done = subprocess.run(words, input=payload.encode(), capture_output=True)
        print(agent, kind, done.returncode, done.stdout, done.stderr, file=out)
        shown = subprocess.run([*tmux.split(), "show-options", "-p", "-t", pane], capture_output=True, text=True)
        print(shown.stdout, file=out)
import os
os.rename(log + ".part", log)
"""


def recorded() -> list[tuple[str, str, str]]:
    """One event of each agent, kind and set of fields."""
    found: dict[tuple[str, str, str], tuple[str, str, str]] = {}
    for path in sorted(PAYLOADS.glob("*/*.jsonl")):
        head, *events = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
        for line in events:
            key = (head["agent"], line["event"], " ".join(sorted(line["payload"])))
            found.setdefault(key, (head["agent"], line["event"], json.dumps(line["payload"])))
    return list(found.values())


def invented() -> list[tuple[str, str, str]]:
    """Payloads with right and wrong types, long texts and signs of every kind, and some that are no JSON."""
    chance = random.Random(20)

    def value() -> Any:
        text = "".join(chance.choices("aZ9-_.:#{}'\";\\\n\t é日\x00", k=chance.choice((0, 1, 12, 3000))))
        return chance.choice((text, "bench", "Bash", {"command": text}, [text, 1], 7, None, True))

    payloads = [json.dumps({name: value() for name in chance.sample(FIELDS, 4)}) for _ in range(RANDOM)]
    return [("claude", chance.choice(KINDS), text) for text in (*payloads, "", "[]", '{"session_id":', "\ud7ff")]


def played(server: TmuxServer, name: str, events: list[tuple[str, str, str]], command: list[str]) -> Path:
    """Play events in a pane of its own; the log of what each left there comes when all are through."""
    log = server.home / name
    Path(f"{log}.events").write_text(json.dumps(events))
    driver = server.home / "driver.py"
    driver.write_text(DRIVER)
    environment = [f"-e{key}={text}" for key, text in server.environment.items()]
    tmux = f"{server.binary} -S {server.socket}"
    shell = f'exec {sys.executable} {driver} "{tmux}" "$TMUX_PANE" {log} {" ".join(command)}'
    server("new-window", "-d", *environment, "sh", "-c", f"{shell}; sleep 1000")
    return log


def test_both_roads_leave_the_same(server: TmuxServer) -> None:
    """HEV-1, DEV-7: nor does either say a word; instants differ, and nothing else."""
    server.start("cat")
    events = recorded() + invented()
    short = played(server, "short", events, [sys.executable, "-I", "-S", str(ROOT / "bin" / "tma")])
    general = played(server, "general", events, [sys.executable, "-m", "tma"])

    until(lambda: short.exists() and general.exists(), seconds=240, what="the end of both")

    texts = [re.sub(r"\b\d{13}\b", "T", log.read_text()) for log in (short, general)]
    assert texts[0] == texts[1]
    assert texts[0].count(" 0 b'' b''\n") == len(events)
    assert texts[0].count("@agent_state") > len(recorded()) // 2
