"""``tma act`` on a pane, as a person runs it."""

import json

from harness import TmuxServer
from pane import AgentPane

GOOD = ("sent", "replied")


def fire(server: TmuxServer, pane: AgentPane, action: str, text: str) -> str:
    """Fire an action; its outcome, with the reason if it has one."""
    words = ["act", action, "--pane", pane.id, "--json", *(["--text", text] if text else [])]
    done = server.tma(*words, env=pane.account.for_tma)
    if not done.stdout:
        return done.stderr.strip() or f"exit {done.returncode}"
    document = json.loads(done.stdout)
    outcome = str(document["outcome"])
    return outcome if outcome in GOOD else f"{outcome}, {document.get('reason') or done.stderr.strip()}"
