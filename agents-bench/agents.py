"""The agents and scenarios as their files have them: merged, filled in, and complete."""

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
KEY = "sk-ant-fake-key-of-the-bench-0000000000000000000000"
_PLACE = re.compile(r"@([A-Z]+)@")
_MERGED = (
    "env",
    "files",
    "keys",
    "texts",
    "scripts",
    "skip",
    "silent",
    "known",
    "defines",
    "instead",
    "around",
    "refused",
)


@dataclass(frozen=True)
class Agent:
    """One agent in one version."""

    name: str
    label: str
    version: str
    package: str
    program: str
    command: list[str]
    ready: str
    node: int = 0
    settle_s: float = 0.5
    slack_s: float = 0
    """How much longer than others it may take, for a reason in the definitions."""

    opening: str = ""
    """Why its hooks say nothing before its first prompt, if they do not."""

    hooked: list[str] = field(default_factory=list)
    """The actions that need its hooks; without them a person's keys are pressed."""

    refused: dict[str, str] = field(default_factory=dict)
    """The actions that `tma act` must refuse, with its reason; then a person's keys are pressed."""

    asks: bool = True
    first: list[list[str]] = field(default_factory=list)
    extra: str = ""
    """A package of the same version that the agent would fetch by itself at its first start,"""

    extra_place: str = ""
    """and the directory of the home where it then lies."""

    env: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    keys: dict[str, list[str]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    scripts: dict[str, str] = field(default_factory=dict)
    skip: dict[str, str] = field(default_factory=dict)
    silent: dict[str, str] = field(default_factory=dict)
    known: dict[str, str] = field(default_factory=dict)
    """By scenario: why it goes wrong and cannot be mended here."""

    defines: dict[str, str] = field(default_factory=dict)
    around: dict[str, list[str]] = field(default_factory=dict)
    """By scenario: the keys of a mode that it needs, pressed before it and again behind it."""

    instead: dict[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Agent and version for a table."""
        return f"{self.name} {self.label}"

    def adapted(self, step: dict[str, Any]) -> dict[str, Any]:
        """A step as this agent needs it: other words, and its own keys where no action fits its dialogs."""
        step = {key: self.instead.get(value, value) if isinstance(value, str) else value for key, value in step.items()}
        if step.get("act") in ("approve", "deny") and not self.asks:
            own = "answer" if step.pop("act") == "approve" else "dismiss"
            return {**step, "do": own}
        return step


@dataclass(frozen=True)
class Scenario:
    """What is done to an agent, step by step."""

    name: str
    steps: list[dict[str, Any]]
    fresh: bool = False
    smallest: bool = False
    size: tuple[int, int] = (100, 40)
    rounds: tuple[tuple[int, int], ...] = ()
    """Columns, and how often it is played at that width; empty for once at ``size``."""

    modes: tuple[str, ...] = ()
    """The modes in which it tells something; empty for all."""


def agents() -> list[Agent]:
    """Every agent in every version, in the order of the file."""
    data = tomllib.loads((HERE / "agents.toml").read_text(encoding="utf-8"))
    found = []
    for name, entry in data.items():
        versions = entry.pop("versions")
        for label, changes in versions.items():
            merged = {**entry, **changes}
            merged |= {key: entry.get(key, {}) | changes.get(key, {}) for key in _MERGED}
            found.append(Agent(**{"name": name, "label": label, "version": label, **merged}))
    return found


def scenarios() -> list[Scenario]:
    """Every scenario, in the order of the file."""
    data = tomllib.loads((HERE / "scenarios.toml").read_text(encoding="utf-8"))
    return [Scenario(name, **{**entry, "size": tuple(entry.get("size", (100, 40)))}) for name, entry in data.items()]


def filled(text: str, values: dict[str, str]) -> str:
    """A text with its places filled in; an unknown place is an error of the file."""
    return _PLACE.sub(lambda found: values[found[1]], text)
