"""The guards, judged by the interpreter in Python; a real server judges them in tests/tmux."""

import pytest

from tma.core import guard, stamp
from tma.core.guard import evaluate, render, truthy

HOOK_AT_100 = {stamp.SOURCE: "hook", stamp.EVIDENCE_AT: "100", stamp.STATE: "working"}
CAPTURE_AT_100 = {**HOOK_AT_100, stamp.SOURCE: "capture"}


def holds(expr: guard.Expr, options: dict[str, str]) -> bool:
    """Whether a guard suppresses the write."""
    return truthy(evaluate(expr, options))


def test_protect_holds_a_hooks_claim_and_nothing_else() -> None:
    """GRD-PROTECT: a capture never replaces a hook's claim."""
    assert holds(guard.protect(), HOOK_AT_100)
    assert not holds(guard.protect(), CAPTURE_AT_100)
    assert not holds(guard.protect(), {})


@pytest.mark.parametrize(("at", "held"), [(99, True), (100, True), (101, False)])
def test_blocked_chrome_as_old_as_the_claim_is_held(at: int, *, held: bool) -> None:
    """GRD-CARVE, GRD-1: only newer chrome replaces a hook's claim."""
    assert holds(guard.carve(at), HOOK_AT_100) is held
    assert not holds(guard.carve(at), CAPTURE_AT_100)


@pytest.mark.parametrize(("at", "held"), [(99, True), (100, False), (101, False)])
def test_an_event_as_old_as_the_claim_writes(at: int, *, held: bool) -> None:
    """GRD-EVENT, GRD-1: equality writes."""
    assert holds(guard.event(at), HOOK_AT_100) is held


def test_an_override_holds_only_against_evidence_it_had_not_seen() -> None:
    """GRD-DECIDED, GRD-3: a hook that spoke since holds it."""
    assert not holds(guard.decided(100), HOOK_AT_100)
    assert holds(guard.decided(99), HOOK_AT_100)
    assert not holds(guard.decided(0), CAPTURE_AT_100)


def test_a_refresh_touches_only_the_same_hook_claim() -> None:
    """GRD-REFRESH: another state, another source or newer evidence holds it."""
    assert not holds(guard.refresh("working", 100), HOOK_AT_100)
    assert holds(guard.refresh("blocked", 100), HOOK_AT_100)
    assert holds(guard.refresh("working", 99), HOOK_AT_100)
    assert holds(guard.refresh("working", 100), CAPTURE_AT_100)


def test_first_writes_land_because_absent_compares_as_zero() -> None:
    """GRD-2: no guard holds on an empty pane, but a refresh, which has nothing to refresh."""
    for expr in (guard.protect(), guard.carve(5), guard.decided(0), guard.event(5), guard.context(5)):
        assert not holds(expr, {})
    assert holds(guard.refresh("idle", 5), {})


@pytest.mark.parametrize("text", ["#(x)", "a,b", "a}b", "a b", "ü", "#{x}", "'", "\n"])
def test_free_text_never_enters_a_format(text: str) -> None:
    """WR-5, SEC-T-2: the constructor refuses it."""
    with pytest.raises(ValueError, match="format"):
        guard.lit(text)
    with pytest.raises(ValueError, match="format"):
        guard.has_word("@x", text)


def test_the_rendered_guards_are_the_normative_formats() -> None:
    """Section 7 of the store: the exact strings."""
    assert render(guard.protect()) == "#{==:#{@agent_source},hook}"
    assert render(guard.carve(7)) == "#{&&:#{==:#{@agent_source},hook},#{e|<=:7,#{@agent_evidence_at}}}"
    assert render(guard.event(7)) == "#{&&:#{==:#{@agent_source},hook},#{e|<:7,#{@agent_evidence_at}}}"
    assert render(guard.decided(7)) == "#{&&:#{==:#{@agent_source},hook},#{e|>:#{@agent_evidence_at},7}}"
    assert render(guard.context(7)) == "#{e|>:#{@agent_context_at},7}"
    assert render(guard.refresh("idle", 7)) == (
        "#{?#{&&:#{&&:#{==:#{@agent_state},idle},#{==:#{@agent_source},hook}},#{e|<=:#{@agent_evidence_at},7}},0,1}"
    )


def test_a_raw_format_has_no_meaning_outside_the_server() -> None:
    """RU-3: counting formats are judged by tmux alone."""
    with pytest.raises(ValueError, match="outside tmux"):
        evaluate(guard.raw("#{n:x}"), {})
