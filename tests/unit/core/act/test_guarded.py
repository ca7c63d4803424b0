"""The condition of a guarded send, as text."""

import pytest

from acting import NONCE, facts, keys_action
from tma.core import stamp
from tma.core.act import guarded
from tma.core.act.gate import Binders
from tma.core.act.guarded import Look, conditions

SCREEN = {"claude": {"present": ["1. Yes$"], "absent": ["Enter to select"]}}


def look(**changes: object) -> Look:
    """A look at a blocked claude by an action with an assertion."""
    return Look(keys_action(screen=SCREEN), facts(), Binders(), NONCE)._replace(**changes)


def formats(given: Look, word: str) -> list[str]:
    """The conditions whose failure has this name."""
    return [each.format for each in conditions(given, first=True) if each.token == word]


def test_the_conditions_stand_in_order() -> None:
    """ACT-SEND-2: formats and words, top to bottom."""
    assert [tuple(each) for each in conditions(look(), first=True)] == [
        ("#{==:#{pane_id},%5}", "gone"),
        ("#{==:#{pane_dead},0}", "dead"),
        ("#{==:#{pane_input_off},0}", "input-off"),
        ("#{==:#{pane_in_mode},0}", "in-mode"),
        ("#{==:#{pane_synchronized},0}", "sync"),
        (f"#{{m:*:{NONCE}:*,#{{@agent_action}}}}", "lock"),
        ("#{==:#{@agent_name},claude}", "agent"),
        ("#{==:#{pane_current_command},claude}", "agent"),
        ("#{==:#{@agent_state},blocked}", "changed"),
        ("#{==:#{@agent_detail},permission}", "changed"),
        ("#{==:#{@agent_evidence_at},1699999999000}", "changed"),
        ("#{==:#{@agent_since},1699999999000}", "changed"),
        ("#{==:#{@agent_turn_at},}", "changed"),
        ("#{C/r:1[.] Yes$}", "screen"),
        ("#{?#{C/r:Enter to select},0,1}", "screen"),
    ]


def test_force_drops_the_gate_and_nothing_else() -> None:
    """ACT-FORCE-1, SEC-A-3."""
    strict = {each.token for each in conditions(look(), first=True)}
    forced = {each.token for each in conditions(look(force=True), first=True)}
    assert strict - forced == {"changed"}


def test_a_bound_episode_is_kept_under_force() -> None:
    """ACT-BIND-2."""
    bound = look(force=True, binders=Binders(1699999999000))
    assert formats(bound, "changed") == [
        "#{==:#{@agent_since},1699999999000}",
        "#{==:#{@agent_turn_at},}",
    ]


def test_quoted_ids_are_compared() -> None:
    """ACT-BIND-1."""
    seen = facts({stamp.PERMISSION_REQUEST: "per_1", stamp.PENDING_CALL: "toolu_1"})
    bound = look(facts=seen, binders=Binders(None, "per_1", "toolu_1"))
    assert formats(bound, "request") == [
        "#{==:#{@agent_permission_request},per_1}",
        "#{==:#{@agent_pending_call},toolu_1}",
    ]


def test_a_later_step_goes_without_evidence_and_presence() -> None:
    """ACT-TEXT-4: what was typed may have moved both; absent strings stay forbidden."""
    first = {each.format for each in conditions(look(), first=True)}
    later = {each.format for each in conditions(look(), first=False)}
    assert first - later == {"#{==:#{@agent_evidence_at},1699999999000}", "#{C/r:1[.] Yes$}"}
    assert later < first


def test_leaving_a_mode_needs_no_absence_of_one() -> None:
    """ACT-KEY-3."""
    tokens = [each.token for each in conditions(look(action=keys_action(leave_mode=True)), first=True)]
    assert "in-mode" not in tokens


def test_a_context_bound_watches_the_gauge() -> None:
    """ACT-SEND-2."""
    bound = look(action=keys_action(when={"context_pct_min": 75}), facts=facts({stamp.CONTEXT_PCT: "82"}))
    assert guarded.Condition("#{==:#{@agent_context_pct},82}", "changed") in conditions(bound, first=True)


@pytest.mark.parametrize(("pane", "command"), [("%5}", "claude"), ("5", "claude"), ("%5", "a,b"), ("%5", "")])
def test_unchecked_text_never_enters_the_guard(pane: str, command: str) -> None:
    """ACT-Q-2: a value outside its set is an error here, whatever let it through."""
    with pytest.raises(ValueError, match="safe set"):
        conditions(look(facts=facts()._replace(pane=pane, command=command)), first=True)


def test_both_readings_name_every_condition() -> None:
    """ACT-SEND-3: the branches of two are nested, and the first failure names itself."""
    checks = conditions(look(), first=True)
    whole, failure = guarded.all_hold(checks), guarded.first_failure(checks)
    assert whole.count("#{&&:") == len(checks) - 1
    assert all(each.format in whole and each.format in failure for each in checks)
    assert failure.startswith("#{?#{==:#{pane_id},%5},")
    assert failure.endswith(",gone}")
