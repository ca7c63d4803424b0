"""Stored screens of the bundled agents, what the rules say of them, and where their composers begin.

A fixture is a header of ``# key: value`` lines, a line ``---``, and the capture with its
escapes. ``state`` is the expectation: a state and detail, ``freeze`` for a view that holds the
pane's state, ``none`` where nothing is claimed, or ``not:`` and what must not be claimed.
``made: yes`` marks a screen that was written after a description, ``note`` says where a
file's name misleads.
"""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tma.core import screen
from tma.core.detect import rules
from tma.core.detect.agent import Manifest
from tma.core.detect.manifest import parse

HERE = Path(__file__).resolve().parent
SCREENS = HERE / "golden" / "screens"
AGENTS = HERE.parent / "src" / "tma" / "data" / "agents"
ORDER = ("claude", "opencode", "codex", "gemini", "cursor", "pi", "qwen", "copilot")
QUOTED = 30

LIVE = {
    "claude": r"^─{10}.*\n[❯!]",
    "codex": r"^›",
    "copilot": r"^─{10}.*\n❯",
    "cursor": r"^ +▄{10}",
    "gemini": r"^─{10}.*\n(?:.*\n){0,4}? > ",
    "opencode": r"^ +┃ .*\n +╹▀",
    "pi": r"^──.*\n(?:[^─\n].*\n|\n)*?──",
    "qwen": r"^─{10}.*\n[>!*]",
}
"""Where the composer begins: the least that stands below what a transcript quotes."""

STATUS = {"claude": 44, "codex": 8, "copilot": 0, "cursor": 0, "gemini": 4, "opencode": 0, "pi": 3, "qwen": 12}
"""How many lines above the composer a status line may stand at most."""


class Fixture(NamedTuple):
    """One screen and what it shows."""

    name: str
    agent: str
    expected: str
    title: str
    command: str
    height: int
    made: bool
    lines: tuple[str, ...]


def read(path: Path) -> Fixture:
    """A fixture from its file."""
    head, capture = path.read_text(encoding="utf-8").split("\n---\n", 1)
    keys = dict(line.removeprefix("# ").partition(": ")[::2] for line in head.replace(":\n", ": \n").split("\n"))
    return Fixture(
        f"{path.parent.name}/{path.stem}",
        keys["agent"],
        keys["state"],
        keys["title"],
        keys["command"],
        int(keys["height"]),
        "made" in keys,
        tuple(screen.lines_of(capture)),
    )


FIXTURES = [read(path) for path in sorted(SCREENS.glob("*/*.txt"))]


@cache
def manifest(name: str) -> Manifest:
    """A bundled manifest as the engine holds it."""
    file = AGENTS / f"{name}.toml"
    return Manifest(parse(name, tomllib.loads(file.read_text(encoding="utf-8")), str(file)))


def shown(agent: str, lines: "list[str] | tuple[str, ...]", height: int, title: str) -> str:
    """What a screen shows, in the order of the fold: history view, blocked, working, idle."""
    reading = rules.judge(manifest(agent), rules.Screen(list(lines), height, title), 1)
    if reading.history_view:
        return "freeze"
    claims = {evidence.state: evidence.claim for evidence in reading.evidence}
    return next((claims[state] for state in ("blocked", "working", "idle") if state in claims), "none")


def fits(claim: str, expected: str) -> bool:
    """Whether a claim is what a header expects."""
    unwanted = expected.removeprefix("not: ")
    return claim == expected if unwanted == expected else claim not in unwanted.split(", ")


def plain(lines: tuple[str, ...]) -> list[str]:
    """Lines without escapes."""
    return [screen.strip(line) for line in lines]


@cache
def used(fixture: Fixture) -> list[str]:
    """A screen's lines as text, without the blank ones at its end."""
    lines = plain(fixture.lines)
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


@cache
def live_tail(fixture: Fixture) -> tuple[str, ...]:
    """The least end of a screen, from its composer on, that reads like the whole; none without a composer."""
    lines = used(fixture)
    text = "\n".join(lines)
    starts = [found.start() for found in re.finditer(LIVE[fixture.agent], text, re.MULTILINE)]
    if not starts:
        return ()
    composer = text.count("\n", 0, starts[-1])
    for start in range(composer, max(-1, composer - STATUS[fixture.agent] - 1), -1):
        tail = lines[start:]
        if shown(fixture.agent, ["", *tail], len(tail) + 1, fixture.title) == fixture.expected:
            return tuple(tail)
    return ()


def one_of_each(fixtures: list[Fixture]) -> list[Fixture]:
    """Fixtures that differ in more than their pane's size."""
    kept: dict[str, Fixture] = {}
    for fixture in fixtures:
        kept.setdefault(re.sub(r"(_h\d+)?_w\d+$", "", fixture.name), fixture)
    return list(kept.values())


def a_few_of_each_claim(fixtures: list[Fixture]) -> list[Fixture]:
    """At most four fixtures of every claim."""
    return [fixture for index, fixture in enumerate(fixtures) if claims_before(fixtures, index) < 4]


def claims_before(fixtures: list[Fixture], index: int) -> int:
    """How many fixtures before one expect what it does."""
    return sum(fixture.expected == fixtures[index].expected for fixture in fixtures[:index])


def of(agent: str, *states: str) -> list[Fixture]:
    """An agent's fixtures of some states; for idle and working those whose composer is drawn."""
    own = [fixture for fixture in FIXTURES if fixture.agent == agent and fixture.expected.startswith(states)]
    return [fixture for fixture in own if not fixture.expected.startswith(("idle", "working")) or live_tail(fixture)]


def misread(
    above: list[Fixture], below: list[Fixture], ends: "list[tuple[str, ...]] | None" = None
) -> list[tuple[str, str, str]]:
    """What reads wrong with the screens of one list quoted above those of the other, plainly and indented."""
    wrong = []
    for fixture, end in zip(below, ends or [tuple(used(fixture)) for fixture in below], strict=True):
        for quoted in above:
            for indent in ("", "  "):
                lines = [*(indent + line for line in used(quoted)[-QUOTED:]), *end]
                claim = shown(fixture.agent, lines, len(lines), fixture.title)
                if claim != fixture.expected:
                    wrong.append((quoted.name, fixture.name, claim))
    return wrong


def below_a_transcript(fixture: Fixture) -> bool:
    """Whether text can stand above a dialog: not where a short pane cuts it, nor at a first start."""
    return not re.search(r"_h\d+_w\d+$|_cut|on_top|first_start", fixture.name)
