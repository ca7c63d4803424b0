"""Ops and what they leave."""

from tma.core import guard, ops


def test_ops_apply_in_order_and_an_empty_value_is_absent() -> None:
    """RD-1: a field that expands empty is an absent option."""
    options = {"@a": "1"}
    ops.apply(options, [ops.put("@b", "2"), ops.set_("@c", guard.opt("@b")), ops.put("@a", ""), ops.unset("@none")])
    assert options == {"@b": "2", "@c": "2"}


def test_a_guarded_write_keeps_the_value_while_its_guard_holds() -> None:
    """Section 7 of the store: suppress, or write the new value."""
    options = {"@a": "old"}
    ops.apply(options, [ops.guarded("@a", "1", "new")])
    assert options == {"@a": "old"}
    ops.apply(options, [ops.guarded("@a", "0", "new")])
    assert options == {"@a": "new"}


def test_staged_text_arrives_whole_and_leaves_no_scratch() -> None:
    """WR-5: free text goes through an option of its own."""
    options: dict[str, str] = {}
    ops.apply(options, ops.staged("@agent_session", "", "a,b}c; #(touch x)"))
    assert options == {"@agent_session": "a,b}c; #(touch x)"}


def test_conditions_run_one_branch() -> None:
    """CH-RESET, CH-REMOVE: the whole list or nothing of it."""
    options: dict[str, str] = {}
    ops.apply(options, [ops.unless("1", [ops.put("@a", "1")]), ops.when("1", [ops.put("@b", "1")])])
    assert options == {"@b": "1"}


def test_other_scopes_and_prints_leave_the_pane_alone() -> None:
    """RU-2: rollups and read-backs are no pane options."""
    options: dict[str, str] = {}
    ops.apply(options, [ops.scoped("-w", "", "@s", guard.raw("x")), ops.scoped_put("-s", "", "@t", "1"), ops.say("x")])
    assert options == {}
