"""The bundled actions' assertions over every captured screen: no key and no line where it could mean something else.

What the state's gate refuses anyway is judged here too: the stamp may be a moment behind the screen.
"""

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

import captures
from tma.core import screen
from tma.core.act import assertion, schema
from tma.core.act.schema import Action
from tma.core.act.sight import Sight, contradicts, of
from tma.core.detect import rules
from tma.services.actions import BUNDLED

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[1] / "src" / "tma" / "data" / "actions"

QUOTING = re.compile(r"quoted|transcript_view|trust_cut|unknown_question")
"""Screens that show a dialog's words without that dialog: only the rules tell."""

UNANSWERABLE = re.compile(r"_amend_|_opt2_h9_|claude-2\.1\.197/blocked_perm_long_w100|all_answers_cut")
"""Permission dialogs that get no key: an answer's own field is open, so that a digit would be text,
or the first answer is cut off or painted over."""

OVERLAID = re.compile(r"/help_shortcuts_")
"""A list of keys beside an empty composer, in a capture that reads as a menu."""

QUOTED_AT_WORK = re.compile(r"quoted|usage_limit_waits")
"""Working screens with the words of a dialog on them, which an interrupt keeps away from."""

EMPTY_COMPOSERS = re.compile(r"-\d.*/idle_(fresh|after_turn)_w(60|100)$")


class Fixture(NamedTuple):
    """One captured screen: where it is, whose it is, what it shows, and its visible lines."""

    name: str
    agent: str
    expected: str
    lines: tuple[str, ...]
    sight: Sight


def read(stored: captures.Fixture) -> Fixture:
    """A fixture as tmux searches it, line by line without trailing blanks, and as the rules read it (ACT-SCR-1)."""
    agent = captures.manifest(stored.agent)
    shown = rules.Screen(list(stored.lines), stored.height, stored.title)
    sight = of(agent, rules.judge(agent, shown, 1), shown.visible(), stored.height)
    visible = tuple(screen.strip(line).rstrip(" \t") for line in stored.lines[-stored.height :])
    return Fixture(stored.name, stored.agent, stored.expected, visible, sight)


FIXTURES = [read(stored) for stored in captures.FIXTURES]
ACTIONS = {name: schema.parse(name, tomllib.loads((DATA / f"{name}.toml").read_text()), name) for name in BUNDLED}


def holds(action: Action, fixture: Fixture) -> bool:
    """Whether an action's assertion holds on a screen."""
    wanted = action.screen[fixture.agent]

    def shown(text: str) -> bool:
        return any(re.search(assertion.pattern(text), line) for line in fixture.lines)

    return all(map(shown, wanted.present)) and not any(map(shown, wanted.absent))


def goes(action: Action, fixture: Fixture) -> bool:
    """Whether a fire would press its keys on a screen: by the assertion, and by the rules."""
    return holds(action, fixture) and not contradicts(action, fixture.agent, fixture.sight)


def those(action: Action, *, gone: bool) -> list[Fixture]:
    """The screens of an action's agents on which it would go, or would not."""
    return [fixture for fixture in FIXTURES if fixture.agent in action.screen and goes(action, fixture) is gone]


def test_there_are_screens_of_every_agent_that_is_asserted() -> None:
    """ACT-BUN-4, MAN-FACT-3."""
    agents = {fixture.agent for fixture in FIXTURES}
    assert {agent for action in ACTIONS.values() for agent in action.screen} <= agents


@pytest.mark.parametrize("name", ["approve", "deny"])
def test_an_answer_is_given_on_permission_dialogs_and_nowhere_else(name: str) -> None:
    """ACT-BUN-3, ACT-BUN-4, FC-05, FC-43: trust, plan, question, login, limits, menus, working and idle included."""
    found = those(ACTIONS[name], gone=True)
    assert len(found) > 200
    assert [(each.name, each.expected) for each in found if each.expected != "blocked/permission"] == []


@pytest.mark.parametrize("name", ["approve", "deny"])
def test_every_permission_dialog_can_be_answered(name: str) -> None:
    """ACT-BUN-4, FC-21: at every width, with any answer highlighted."""
    missed = [each for each in those(ACTIONS[name], gone=False) if each.expected == "blocked/permission"]
    assert [each.name for each in missed if not UNANSWERABLE.search(each.name)] == []


@pytest.mark.parametrize("name", ["approve", "deny"])
def test_the_words_alone_mislead_only_where_a_dialog_is_quoted_or_cut(name: str) -> None:
    """SEC-A-2: the server itself looks for these words in the step that types, and for nothing else."""
    action = ACTIONS[name]
    found = [each for each in FIXTURES if each.agent in action.screen and holds(action, each)]
    wrong = [each.name for each in found if each.expected != "blocked/permission"]
    assert [name for name in wrong if not QUOTING.search(name)] == []


@pytest.mark.parametrize("name", ["steer", "steer_now", "compact"])
def test_a_line_goes_to_no_dialog_and_no_menu(name: str) -> None:
    """ACT-BUN-4, ACT-BUN-5, MAN-KEY-2: every blocked screen, every menu and every unknown dialog, at every width."""
    found = those(ACTIONS[name], gone=True)
    assert found
    assert [(each.name, each.expected) for each in found if re.match("blocked|freeze|none", each.expected)] == []


@pytest.mark.parametrize("name", ["steer", "steer_now", "compact"])
def test_the_words_alone_keep_a_line_from_every_known_dialog(name: str) -> None:
    """ACT-BUN-5: also in the moment between the rules' reading and the line."""
    action = ACTIONS[name]
    found = [each for each in FIXTURES if each.agent in action.screen and holds(action, each)]
    wrong = [each for each in found if re.match("blocked|freeze", each.expected)]
    assert [each.name for each in wrong if not OVERLAID.search(each.name)] == []


@pytest.mark.parametrize("name", ["steer", "compact"])
def test_an_empty_composer_takes_a_line(name: str) -> None:
    """ACT-BUN-4."""
    missed = [each.name for each in those(ACTIONS[name], gone=False) if EMPTY_COMPOSERS.search(each.name)]
    assert missed == []


@pytest.mark.parametrize("agent", ["claude", "copilot", "gemini", "qwen"])
def test_a_persons_draft_is_not_sent_along(agent: str) -> None:
    """ACT-BUN-4, FC-47."""
    drafts = [
        each for each in FIXTURES if each.agent == agent and re.search(r"-\d.*/idle_(multiline_)?draft_", each.name)
    ]
    assert [each.name for each in drafts if goes(ACTIONS["steer"], each)] == []


def test_an_interrupt_goes_to_every_running_turn() -> None:
    """ACT-BUN-4: on every working screen that quotes no dialog, unless it gives the keys another meaning now."""
    missed = [
        each
        for each in those(ACTIONS["interrupt"], gone=False)
        if each.expected.startswith("working")
        and not any("esc edit prompt" in line for line in captures.plain(each.lines))
    ]
    assert [each.name for each in missed if not QUOTED_AT_WORK.search(each.name)] == []


def test_an_interrupt_goes_to_no_dialog_and_no_menu() -> None:
    """ACT-BUN-4: Escape is an answer there, so neither to a known one nor to one of a later release."""
    found = those(ACTIONS["interrupt"], gone=True)
    assert [(each.name, each.expected) for each in found if re.match("blocked|freeze|none", each.expected)] == []


def test_the_examples_of_the_guide_load() -> None:
    """ACTM-1 to ACTM-6: what the how-to tells people to write is an action."""
    guide = (HERE.parents[1] / "docs" / "how-to" / "custom-actions.md").read_text(encoding="utf-8")
    blocks = [tomllib.loads(block) for block in re.findall(r"```toml\n(.*?)```", guide, re.DOTALL)]
    made = [schema.parse(block["name"], block, "guide") for block in blocks]
    assert [action.kind for action in made] == ["keys", "keys", "text", "exec"]
