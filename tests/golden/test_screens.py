"""Captured and made-up screens read as the states that they show (MAN-FACT-3).

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

import pytest

from tma.core import screen
from tma.core.detect import rules
from tma.core.detect.agent import Manifest
from tma.core.detect.manifest import parse

HERE = Path(__file__).resolve().parent
SCREENS = HERE / "screens"
AGENTS = HERE.parents[1] / "src" / "tma" / "data" / "agents"
ORDER = ("claude", "opencode", "codex", "gemini", "cursor", "pi", "qwen", "copilot")
SCROLLBACK = 50
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


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.name)
def test_a_screen_at_its_height_and_title_reads_as_its_header_says(fixture: Fixture) -> None:
    """Every stored screen is classified right, with escapes and without (MAN-FACT-2, CAP-4, CAP-6)."""
    for lines in (list(fixture.lines), plain(fixture.lines)):
        claim = shown(fixture.agent, lines, fixture.height, fixture.title)
        assert fits(claim, fixture.expected), claim


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.name)
def test_a_screen_below_scrollback_reads_as_without_it(fixture: Fixture) -> None:
    """The lines above the screen that a capture brings along change nothing (CAP-1), not even dialogs."""
    for above in [*of(fixture.agent, "blocked")[:2], *of(fixture.agent, "idle")[:1]]:
        lines = [*above.lines[-SCROLLBACK:], *fixture.lines]
        claim = shown(fixture.agent, lines, fixture.height, fixture.title)
        assert fits(claim, fixture.expected), above.name


@pytest.mark.parametrize("agent", ORDER)
def test_a_dialog_quoted_above_a_composer_is_not_open(agent: str) -> None:
    """What a transcript quotes never blocks, whatever stands below it at least (MAN-FACT-2)."""
    by_tail = {live_tail(fixture): fixture for fixture in of(agent, "idle", "working")}
    assert misread(one_of_each(of(agent, "blocked")), list(by_tail.values()), list(by_tail)) == []


@pytest.mark.parametrize("agent", [name for name in ORDER if name != "opencode"])
def test_a_menu_quoted_above_a_composer_is_not_open(agent: str) -> None:
    """A quoted menu freezes nothing; opencode draws its menus anywhere over the rest (MAN-SCR-7)."""
    by_tail = {live_tail(fixture): fixture for fixture in of(agent, "idle", "working")}
    assert misread(one_of_each(of(agent, "freeze")), list(by_tail.values()), list(by_tail)) == []


@pytest.mark.parametrize("agent", ORDER)
def test_an_open_dialog_or_menu_is_told_from_the_one_quoted_above_it(agent: str) -> None:
    """A plan is no permission for what is quoted above it, nor a dialog a menu (MAN-FACT-2, STO-8)."""
    views = one_of_each(of(agent, "blocked", "freeze"))
    assert misread(a_few_of_each_claim(views), [fixture for fixture in views if below_a_transcript(fixture)]) == []


@pytest.mark.parametrize("agent", ORDER)
def test_a_composer_quoted_above_a_dialog_or_menu_does_not_hide_it(agent: str) -> None:
    """An open dialog or menu is found below a quoted composer (MAN-FACT-2)."""
    views = [fixture for fixture in one_of_each(of(agent, "blocked", "freeze")) if below_a_transcript(fixture)]
    assert misread(one_of_each(of(agent, "idle", "working"))[:12], views) == []


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.name)
def test_a_title_and_command_name_one_agent(fixture: Fixture) -> None:
    """Exactly one bundled manifest takes a capture for its own (MAN-ID-4, ID-9)."""
    if fixture.command == "bash" or not rules.title_matches(manifest(fixture.agent), fixture.title):
        pytest.skip("the agent has left, or has not set its title yet (MAN-ID-6)")
    names = [
        name
        for name in ORDER
        if fixture.command in manifest(name).process_names and rules.title_matches(manifest(name), fixture.title)
    ]
    if fixture.agent == "codex":
        assert not names or fixture.command == "codex", names  # its process is a child of the launcher (MAN-ID-5)
    else:
        assert names == [fixture.agent]


@pytest.mark.parametrize("agent", [name for name in ORDER if name != "cursor"])
def test_every_kind_of_screen_is_stored_at_two_widths(agent: str) -> None:
    """Captures of dialogs, turns and composers stand at two widths at least (MAN-FACT-3)."""
    real = [fixture for fixture in FIXTURES if fixture.agent == agent and not fixture.made]
    for state in ("blocked", "working", "idle"):
        widths = {fixture.name.rpartition("_w")[2] for fixture in real if fixture.expected.startswith(state)}
        assert len(widths) > 1, state
