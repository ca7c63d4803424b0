"""Real agents, wired by the command: their first session registers its pane.

Run with ``TMA_TEST_AGENTS="pi=/path/to/pi claude=/path/to/claude"``; no agent is called but these.
"""

import json
import os
from pathlib import Path

import pytest

from harness import TmuxServer, until

AGENTS = dict(entry.split("=", 1) for entry in os.environ.get("TMA_TEST_AGENTS", "").split())
KEY = "sk-ant-fake-1234567890abcdefghijklmnop"


def settle_in(home: Path, work: Path) -> dict[str, str]:
    """What keeps an agent's first start from asking anything, and from the network."""
    (home / ".pi" / "agent").mkdir(parents=True)
    model = {"baseUrl": "http://127.0.0.1:9/v1", "api": "openai-completions", "apiKey": "x", "models": [{"id": "m"}]}
    (home / ".pi" / "agent" / "models.json").write_text(json.dumps({"providers": {"mock": model}}))
    (home / ".pi" / "agent" / "settings.json").write_text('{"defaultProvider": "mock", "defaultModel": "m"}')
    claude = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
        "projects": {str(work): {"hasTrustDialogAccepted": True}},
    }
    (home / ".claude.json").write_text(json.dumps(claude))
    nowhere = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "ANTHROPIC_API_KEY": KEY}
    return nowhere | {"DISABLE_AUTOUPDATER": "1", "PI_OFFLINE": "1"}


@pytest.mark.parametrize("agent", ["pi", "claude"])
def test_its_first_session_registers_its_pane(server: TmuxServer, agent: str) -> None:
    """WRP-1, ADP-6, IHK-1: installed by ``tma install-hooks`` and nothing else."""
    program = AGENTS.get(agent)
    if not program:
        pytest.skip(f"TMA_TEST_AGENTS names no {agent}")
    work = server.home / "work"
    work.mkdir()
    variables = settle_in(server.home, work)
    server.start()
    assert server.tma("install-hooks", agent, "--yes").returncode == 0

    given = [f"{name}={value}" for name, value in variables.items()]
    pane = server("new-window", "-d", "-P", "-F", "#{pane_id}", "-c", str(work), "env", *given, program)

    until(lambda: server.options(pane).get("@agent_session"), seconds=60, what="a registered session")
    options = server.options(pane)
    assert (options["@agent_name"], options["@agent_source"], options["@agent_state"]) == (agent, "hook", "idle")
