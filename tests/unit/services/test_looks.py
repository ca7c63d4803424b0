"""Which panes a daemon looks at, and when again."""

import pytest

from detection import NOW, pane, stored
from gone import world
from tma.core.detect.fold import Verdict
from tma.core.quiet import Facts
from tma.core.state import HOOK
from tma.core.triage import Plan
from tma.services import looks

ROBOT = "claude"


def plan(state: str = "", source: str = HOOK, **more: str) -> Plan:
    """A pane with a stored claim of a bundled agent."""
    options = stored(state, source=source) if state else {}
    if state:
        options["@agent_name"] = ROBOT
    made = Plan(pane(options | {f"@agent_{name}": value for name, value in more.items()}), NOW)
    made.stamp_after = made.prior
    return made


@pytest.mark.parametrize(
    ("state", "source", "wanted"),
    [
        ("", HOOK, True),
        ("working", HOOK, True),
        ("idle", HOOK, False),
        ("blocked", HOOK, True),
        ("idle", "capture", True),
        ("blocked", "capture", True),
    ],
)
def test_panes_that_hooks_report_for_are_left_to_them(state: str, source: str, *, wanted: bool) -> None:
    """CYC-11: except work, blocked claims of an exclusive manifest, and demoted panes."""
    made = plan(state, source)
    assert looks._is_wanted(made, world(), frozenset()) is wanted
    assert looks._is_wanted(made, world(), frozenset({made.pane.pane_id}))


def test_a_blocked_claim_of_an_agent_that_draws_both_is_left_alone() -> None:
    """CYC-11: not ``exclusive``."""
    runtime = world()
    runtime.document.agents = [agent | {"exclusive": False} for agent in runtime.document.agents]
    assert not looks._is_wanted(plan("blocked"), runtime, frozenset())


@pytest.mark.parametrize(
    ("made", "hookless"),
    [
        (plan(), False),
        (plan("idle"), False),
        (plan("idle", "capture"), True),
        (plan("idle", "capture", session="S"), False),
    ],
)
def test_a_pane_without_a_registration_and_without_a_hooks_claim_is_hookless(made: Plan, *, hookless: bool) -> None:
    """DCC-1."""
    assert looks.hookless(made, [ROBOT]) is hookless


def test_a_hold_inside_a_hooks_window_is_looked_at_when_it_ends() -> None:
    """CYC-11, FOLD-17."""
    runtime = world()
    made = plan("idle")
    assert looks.again_ms(made, runtime, runtime.settings) == 0
    made.verdict = Verdict("idle", detail="", source=HOOK, at=1, label="")
    assert made.prior is not None
    assert looks.again_ms(made, runtime, runtime.settings) == made.prior.evidence + 60_000
    made.verdict.publish = True
    assert looks.again_ms(made, runtime, runtime.settings) == 0


def test_unknown_while_something_else_has_the_terminal_is_capped() -> None:
    """DED-6."""
    made = plan("idle", "capture")
    assert not looks.is_capped(made)
    made.verdict = Verdict("unknown", detail="", source="process", at=1, label="")
    made.facts = Facts(agent_pid=1, foreground=True)
    assert not looks.is_capped(made)
    made.facts = Facts(agent_pid=1, foreground=False)
    assert looks.is_capped(made)
