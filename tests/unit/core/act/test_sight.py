"""Which screens contradict an action, as literals."""

import pytest

from acting import exec_action, facts, keys_action, text_action
from detection import manifest
from tma.core import stamp
from tma.core.act import sight
from tma.core.act.schema import Action
from tma.core.act.sight import Sight
from tma.core.detect import rules

SCREENS = {
    "permission": ["─" * 20, " run A", " ❯ 1. Yes", "[permission]"],
    "working": ["[working]"],
    "idle": ["[idle]"],
    "history": ["[history]", "[idle]"],
    "unknown": ["1. Some dialog of a later release"],
}


def seen(name: str) -> Sight:
    """The sight of one of the screens."""
    agent = manifest()
    lines = SCREENS[name]
    return sight.of(agent, rules.judge(agent, rules.Screen(lines, 24, ""), 1), lines, 24)


def asserted(action: Action) -> Action:
    """The action with an assertion, whatever it says."""
    return action._replace(screen={"claude": next(iter(keys_action(screen=SCREEN).screen.values()))})


SCREEN = {"claude": {"present": ["x"], "absent": []}}
INTERRUPT = {"when": {"state": ["working"]}}
COMPACT = {"when": {"state": ["idle"]}}


@pytest.mark.parametrize(
    ("action", "screens"),
    [
        (keys_action(), {"permission"}),
        (keys_action(**INTERRUPT), {"working", "idle", "unknown"}),
        (asserted(keys_action(**INTERRUPT)), {"working", "idle"}),
        (asserted(keys_action(**COMPACT)), {"working", "idle"}),
        (text_action(), {"working", "idle", "unknown"}),
        (asserted(text_action()), {"working", "idle"}),
        (keys_action(when={"state": ["blocked"]}), {"permission", "unknown"}),
        (keys_action(when={"state": ["blocked", "idle"]}), {"permission", "working", "idle", "unknown"}),
        (keys_action(when={"detail": ["permission"]}), {"permission"}),
        (keys_action(when={"detail": ["error"]}), {"working", "idle", "unknown"}),
        (text_action(when={"detail": ["error"]}), {"working", "idle", "unknown"}),
        (asserted(text_action(when={"detail": ["error"]})), {"working", "idle"}),
        (keys_action(when=None), set(SCREENS)),
        (exec_action(), set(SCREENS)),
    ],
)
def test_each_action_has_its_screens(action: Action, screens: set[str]) -> None:
    """ACT-BUN-4, FC-05, FC-25: a dialog for its answer, none for anything else, and a known composer for a line."""
    assert {name for name in SCREENS if not sight.contradicts(action, "claude", seen(name))} == screens


def test_what_was_typed_may_hide_the_composer() -> None:
    """ACT-TEXT-4: the second step wants no dialog, and no more."""
    action = asserted(text_action())
    assert not sight.contradicts(action, "claude", seen("unknown"), first=False)
    assert sight.contradicts(action, "claude", seen("permission"), first=False)


def test_a_screen_that_the_rules_gave_up_on_takes_nothing() -> None:
    """SEC-A-2: no text of an agent may be so costly to read that the reading is left out."""
    agent = manifest()
    given_up = rules.Reading()
    unread = sight.of(agent, rules._exhausted(given_up), SCREENS["permission"], 24)
    for action in (keys_action(), asserted(keys_action(**INTERRUPT)), asserted(text_action())):
        assert sight.contradicts(action, "claude", unread)


@pytest.mark.parametrize(
    ("before", "now", "another"),
    [
        ("a.24", "a.24", False),
        ("a.24", "b.24", True),
        ("a.24", "a.20", True),
        ("a.24", "b.20", True),
        ("", "b.24", True),
        ("", "", False),
    ],
)
def test_the_dialog_of_the_first_look_is_the_one_that_is_answered(before: str, now: str, another: bool) -> None:  # noqa: FBT001
    """SEC-A-2: also while the pane is resized, and not one that opened in between."""
    first, last = (seen("permission")._replace(dialog=mark) for mark in (before, now))
    assert sight.is_another(keys_action(), first, last) is another
    assert not sight.is_another(text_action(), first, last)
    assert not sight.is_another(keys_action(), None, last)


def test_an_agent_without_rules_contradicts_nothing() -> None:
    """The assertion is left (ACT-SCR-1)."""
    assert not sight.contradicts(keys_action(), "claude", None)
    assert not sight.is_stale(facts(), None)


def test_rules_that_cannot_name_a_dialog_say_nothing_of_it() -> None:
    """An agent of the user's whose rules know no detail."""
    agent = manifest(rules=[])
    bare = sight.of(agent, rules.judge(agent, rules.Screen(["x"], 24, ""), 1), ["x"], 24)
    assert not sight.contradicts(keys_action(), "claude", bare)
    assert not sight.contradicts(asserted(text_action()), "claude", bare)


@pytest.mark.parametrize(
    ("values", "stale"),
    [
        ({stamp.SOURCE: "capture", stamp.DIALOG: "b" * 16 + ".24"}, True),
        ({stamp.SOURCE: "capture", stamp.DIALOG: "b" * 16 + ".12"}, False),
        ({stamp.SOURCE: "capture", stamp.DIALOG: ""}, False),
        ({stamp.SOURCE: "hook", stamp.DIALOG: "b" * 16 + ".24"}, False),
        ({stamp.SOURCE: "capture", stamp.DIALOG: "b" * 16 + ".24", stamp.STATE: "idle"}, False),
    ],
)
def test_a_claim_of_the_screen_is_stale_on_another_prompt(values: dict[str, str], stale: bool) -> None:  # noqa: FBT001
    """GRD-6: a hook's claim is left to its events."""
    assert sight.is_stale(facts(values), seen("permission")) is stale
