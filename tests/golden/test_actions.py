"""The bundled actions' assertions over every captured screen: no key and no line where it could mean something else.

What the state's gate refuses anyway is judged here too: the stamp may be a moment behind the screen.
"""

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from tma.core import screen
from tma.core.act import assertion, schema
from tma.core.act.schema import Action
from tma.services.actions import BUNDLED

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[1] / "src" / "tma" / "data" / "actions"

QUOTING = re.compile(r"quoted|transcript_view|composer_with|composer_on_top")
"""Screens that show a dialog's words without the dialog; their state is no permission, so the gate refuses."""

OVERLAID = re.compile(r"/help_shortcuts_")
"""A list of keys beside an empty composer that still takes a line."""

SHORT_OF_WORDS = re.compile(r"_w(24|36)$|-made/|pi-.*/blocked_(perm_long|question_asklong)_|/startup_")
"""Dialogs whose footers are cut, that were never seen, or that stand before any turn: Escape there is what no means."""

PLAIN_ANSWERS = re.compile(r"-\d.*/blocked_perm_(bash|edit|exec)_w(60|100)$")
EMPTY_COMPOSERS = re.compile(r"-\d.*/idle_(fresh|after_turn)_w(60|100)$")


class Fixture(NamedTuple):
    """One captured screen: where it is, whose it is, what it shows, and its visible lines."""

    name: str
    agent: str
    expected: str
    lines: tuple[str, ...]


def read(path: Path) -> Fixture:
    """A fixture as tmux searches it: the visible screen, line by line, without trailing blanks (ACT-SCR-1)."""
    head, capture = path.read_text(encoding="utf-8").split("\n---\n", 1)
    keys = dict(re.findall(r"^# (\w+): ?(.*)$", head, re.MULTILINE))
    lines = screen.lines_of(capture)[-int(keys["height"]) :]
    visible = tuple(screen.strip(line).rstrip(" \t") for line in lines)
    return Fixture(f"{path.parent.name}/{path.stem}", keys["agent"], keys["state"], visible)


FIXTURES = [read(path) for path in sorted((HERE / "screens").glob("*/*.txt"))]
ACTIONS = {name: schema.parse(name, tomllib.loads((DATA / f"{name}.toml").read_text()), name) for name in BUNDLED}


def holds(action: Action, fixture: Fixture) -> bool:
    """Whether an action's assertion holds on a screen."""
    wanted = action.screen[fixture.agent]

    def shown(text: str) -> bool:
        return any(re.search(assertion.pattern(text), line) for line in fixture.lines)

    return all(map(shown, wanted.present)) and not any(map(shown, wanted.absent))


def those(action: Action, *, held: bool) -> list[Fixture]:
    """The screens of an action's agents on which its assertion holds, or does not."""
    return [fixture for fixture in FIXTURES if fixture.agent in action.screen and holds(action, fixture) is held]


def test_there_are_screens_of_every_agent_that_is_asserted() -> None:
    """ACT-BUN-4, MAN-FACT-3."""
    agents = {fixture.agent for fixture in FIXTURES}
    assert {agent for action in ACTIONS.values() for agent in action.screen} <= agents


@pytest.mark.parametrize("name", ["approve", "deny"])
def test_an_answer_is_given_on_permission_dialogs_and_nowhere_else(name: str) -> None:
    """ACT-BUN-3, ACT-BUN-4, FC-05, FC-43: trust, plan, question, menus, working and idle included."""
    found = [each for each in those(ACTIONS[name], held=True) if not QUOTING.search(each.name)]
    assert found
    assert [(each.name, each.expected) for each in found if each.expected != "blocked/permission"] == []


@pytest.mark.parametrize("name", ["approve", "deny"])
def test_a_plain_dialog_can_be_answered(name: str) -> None:
    """ACT-BUN-4, FC-21: at the widths that people use."""
    missed = [each.name for each in those(ACTIONS[name], held=False) if PLAIN_ANSWERS.search(each.name)]
    assert missed == []


@pytest.mark.parametrize("name", ["steer", "steer_now", "compact"])
def test_a_line_goes_to_no_dialog_and_no_menu(name: str) -> None:
    """ACT-BUN-4, ACT-BUN-5, MAN-KEY-2: every blocked screen and every menu, at every width."""
    found = [each for each in those(ACTIONS[name], held=True) if not OVERLAID.search(each.name)]
    assert found
    assert [(each.name, each.expected) for each in found if re.match("blocked|freeze", each.expected)] == []


@pytest.mark.parametrize("name", ["steer", "compact"])
def test_an_empty_composer_takes_a_line(name: str) -> None:
    """ACT-BUN-4."""
    missed = [each.name for each in those(ACTIONS[name], held=False) if EMPTY_COMPOSERS.search(each.name)]
    assert missed == []


@pytest.mark.parametrize("agent", ["claude", "copilot", "gemini", "qwen"])
def test_a_persons_draft_is_not_sent_along(agent: str) -> None:
    """ACT-BUN-4, FC-47."""
    drafts = [
        each for each in FIXTURES if each.agent == agent and re.search(r"-\d.*/idle_(multiline_)?draft_", each.name)
    ]
    assert [each.name for each in drafts if holds(ACTIONS["steer"], each)] == []


def test_an_interrupt_goes_to_every_running_turn() -> None:
    """ACT-BUN-4: on every working screen that quotes no dialog."""
    missed = [each for each in those(ACTIONS["interrupt"], held=False) if each.expected.startswith("working")]
    assert [each.name for each in missed if not re.search(r"quoted|-made/", each.name)] == []


def test_an_interrupt_goes_to_no_dialog() -> None:
    """ACT-BUN-4: but for those whose words are cut, where Escape means no."""
    found = [each for each in those(ACTIONS["interrupt"], held=True) if each.expected.startswith("blocked")]
    assert [each.name for each in found if not SHORT_OF_WORDS.search(each.name)] == []


def test_the_examples_of_the_guide_load() -> None:
    """ACTM-1 to ACTM-6: what the how-to tells people to write is an action."""
    guide = (HERE.parents[1] / "docs" / "how-to" / "custom-actions.md").read_text(encoding="utf-8")
    blocks = [tomllib.loads(block) for block in re.findall(r"```toml\n(.*?)```", guide, re.DOTALL)]
    made = [schema.parse(block["name"], block, "guide") for block in blocks]
    assert [action.kind for action in made] == ["keys", "keys", "text", "exec"]
