"""A person who types into a pane, and an agent in name on the far side of it."""

import json
import sys
from pathlib import Path

from harness import TmuxServer, until

PROGRAM = f"""#!{sys.executable}
import json, os, subprocess, sys

with open(os.environ["HOME"] + "/.claude/settings.json") as file:
    hooks = json.load(file)["hooks"]


def fire(event, **more):
    payload = {{"hook_event_name": event, "session_id": "far-session", "cwd": os.getcwd(), **more}}
    for handler in [each for group in hooks.get(event, []) for each in group["hooks"]]:
        subprocess.run(handler["command"], shell=True, input=json.dumps(payload).encode())


print("AGENT STARTED", flush=True)
for line in sys.stdin:
    if line.strip() == "begin":
        fire("SessionStart", source="startup")
    if line.strip() == "ask":
        fire("PermissionRequest", tool_name="Bash", tool_input={{"command": "make"}})
"""
"""It obeys the settings that the installer wrote, and does nothing else."""

START = {"session_id": "s1"}
ASK = {"session_id": "s1", "tool_name": "Bash", "tool_input": {"command": "make"}}


class Typist:
    """Somebody at a shell in a pane; ``prompt`` is what that shell says when it waits."""

    def __init__(self, server: TmuxServer, pane: str, prompt: str) -> None:
        """Wait for the shell."""
        self.server = server
        self.pane = pane
        self.prompt = prompt
        self.sees(prompt)

    def types(self, text: str) -> None:
        """Type lines."""
        for line in text.splitlines():
            self.server("send-keys", "-t", self.pane, "-l", line)
            self.server("send-keys", "-t", self.pane, "Enter")

    def sees(self, text: str) -> None:
        """Wait until the pane shows a text."""
        try:
            until(lambda: text in self.server.screen(self.pane))
        except AssertionError:
            message = f"no {text!r} in\n{self.server.screen(self.pane)}"
            raise AssertionError(message) from None

    def is_back(self) -> None:
        """Wait until the shell waits."""
        until(lambda: self.server.screen(self.pane).rstrip().endswith(self.prompt), what="the shell")

    def reports(self, kind: str, payload: dict[str, object]) -> None:
        """Type what a hook would run, and wait for it to end."""
        said = json.dumps(payload)
        self.types(f"clear\necho '{said}' | tma event --agent claude --kind {kind} --payload -; echo reported $?")
        self.sees("reported 0")


def install_agent(path: Path) -> None:
    """Put the agent there."""
    path.write_text(PROGRAM)
    path.chmod(0o755)
