"""Panes, processes, agents and stored tuples as tests write them down."""

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from tma.core import stamp as options
from tma.core.config import parse
from tma.core.detect.agent import Manifest
from tma.core.detect.pipeline import look_at
from tma.core.pane import PaneRecord, ProcInfo
from tma.core.settings import Settings
from tma.core.stamp import Stamp
from tma.core.triage import LOOK, Context, Plan, triage

NOW = 1_700_000_000_000


def settings(**fold: int) -> Settings:
    """The default settings, with changes to ``[fold]``."""
    return Settings(parse({"fold": fold} if fold else {}))


def rule(
    state: str, text: str, *, detail: str = "", region: tuple[str, int] = ("visible", 0), skip: bool = False
) -> dict[str, Any]:
    """A screen rule that looks for a text."""
    return {
        "state": state,
        "detail": detail,
        "priority": 0,
        "region": list(region),
        "match": {"contains": text},
        "skip": skip,
    }


RULES = [
    rule("blocked", "[permission]", detail="permission"),
    rule("working", "[working]"),
    rule("idle", "[idle]"),
    rule("idle", "[history]", skip=True),
]


def manifest(name: str = "claude", **changes: object) -> Manifest:
    """An agent whose screen says ``[permission]``, ``[working]``, ``[idle]`` or ``[history]``."""
    plain: dict[str, Any] = {
        "name": name,
        "file": f"<bundled>/{name}.toml",
        "process_names": [name],
        "title_patterns": [],
        "hooks": True,
        "covers": ["working", "idle", "blocked"],
        "map": [],
        "visible": ["working", "idle", "blocked"],
        "exclusive": False,
        "steady": False,
        "rules": RULES,
        "published": "",
        "context": [],
    }
    return Manifest({**plain, **changes})


def stamp(state: str, **parts: object) -> Stamp:
    """A stored tuple."""
    made = Stamp(state)
    for name, value in parts.items():
        setattr(made, name, value)
    return made


def stored(state: str, **parts: object) -> dict[str, str]:
    """A pane's options that hold a settled tuple; further options by their part of the name."""
    named = {"name": "claude", "pid": 20, "source": "capture", "since": 1, "evidence_at": 1, "stamped_at": NOW - 10_000}
    return {f"@agent_{key}": str(value) for key, value in {**named, "state": state, **parts}.items() if value != ""}


def pane(values: Mapping[str, str] | None = None, *, command: str = "claude", **fields: object) -> PaneRecord:
    """A pane with root process 10."""
    made = PaneRecord("%1", 10)
    made.command = command
    made.height = 24
    made.options = dict(values or {})
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def process(pid: int, parent: int, *names: str, group: int = 0, front: int = 0) -> ProcInfo:
    """A process, leader of its own group unless said otherwise."""
    return ProcInfo(pid, parent, group or pid, front, names, started="777")


def shell_with(*names: str, front: int = 20) -> list[ProcInfo]:
    """A shell with a child in the foreground: pids 10 and 20."""
    return [process(10, 1, "bash", front=front), process(20, 10, *names, front=front)]


SHELL = [process(10, 1, "bash", front=10)]


def context(agents: Sequence[Manifest] = (), *, now: int = NOW, **changes: object) -> Context:
    """A pass at ``NOW`` over the given agents, by default one ``claude``."""
    agents = agents or [manifest()]
    made = Context(now=now, settings=settings(), names=[agent.name for agent in agents])
    made.manifests = agents
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def judge_pane(pane: PaneRecord, context: Context) -> Generator[Any, Any, Plan]:
    """Judge one pane from the start, as every caller does: what triage leaves open is looked at."""
    plan = triage(pane, context)
    if plan.outcome == LOOK:
        yield from look_at(plan, context)
    return plan


def drive(judging: Generator[Any, Any, Plan], answers: Mapping[str, object]) -> tuple[Plan, list[str]]:
    """Answer every need of a judgment; the plan, and the needs in order."""
    needs: list[str] = []
    answer = None
    while True:
        try:
            need = judging.send(answer)
        except StopIteration as end:
            return end.value, needs
        kind = need if isinstance(need, str) else need[0]
        needs.append(kind)
        answer = answers[kind]


def left(plan: Plan) -> dict[str, str]:
    """What stands on the pane once the plan's writes have run, without prefix."""
    return {key.removeprefix("@agent_"): value for key, value in plan.options_after().items()}


__all__ = [
    "NOW", "RULES", "SHELL", "context", "drive", "judge_pane", "left", "manifest", "options", "pane", "process", "rule",
    "settings", "shell_with", "stamp", "stored",
]  # fmt: skip
