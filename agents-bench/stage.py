"""What a scenario plays on, and what comes of it."""

import time
from dataclasses import dataclass, field
from typing import Any

from agents import Agent
from harness import TmuxServer
from judge import Verdict
from model.server import Model
from observe import Timeline
from pane import Account, AgentPane
from record import Recorder

HOOKS, SCREEN, BOTH = "hooks", "screen", "both"
MODES = (HOOKS, SCREEN, BOTH)
_KNOWN_S = 5
"""Within this a new agent is known; hooks alone say nothing of some before the first turn."""


@dataclass
class Stage:
    """Everything that a scenario plays on: one agent in one mode."""

    agent: Agent
    mode: str
    server: TmuxServer
    model: Model
    timeline: Timeline
    accounts: list[Account]
    recorder: Recorder | None
    panes: dict[int, AgentPane] = field(default_factory=dict)
    proofs: int = 0
    traces: bool = False

    def start(self, number: int, account: int, size: tuple[int, int]) -> AgentPane:
        """Start an agent as pane ``number`` of the scenario, in an account."""
        pane = self.panes[number] = AgentPane(self.server, self.accounts[account - 1], size)
        end = time.monotonic() + _KNOWN_S
        while time.monotonic() < end and self.timeline.last(pane.id).state not in {"idle", "done"}:
            time.sleep(0.05)
        return pane

    def clear(self) -> None:
        """End every agent of this stage."""
        for pane in self.panes.values():
            pane.close()
        self.panes = {}


@dataclass
class Result:
    """What came of one scenario."""

    verdicts: list[dict[str, Any]] = field(default_factory=list)
    trouble: str = ""
    stream: str = ""

    def add(self, step: str, verdict: Verdict) -> None:
        """Note the verdict on a step."""
        about = {"step": step, "word": verdict.word, "late_ms": verdict.late_ms}
        self.verdicts.append(about | ({"reason": verdict.reason} if verdict.reason else {}))
