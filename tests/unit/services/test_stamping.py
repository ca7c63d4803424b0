"""The scripts of a cycle."""

from detection import NOW, context, pane, stored
from tma.core import ops
from tma.core.triage import triage
from tma.services import stamping


def test_the_poll_claim_rides_behind_a_panes_chain_and_never_alone() -> None:
    """RC-3: a summary alone claims no poll."""
    (text,) = stamping.scripts(NOW, [("%1", [ops.unset("@a")])], [("-w", "@1", "@agent_summary", "idle:1")], [])
    assert text.index("@a") < text.index("@agent_summary") < text.index("@tma_last_poll")
    (alone,) = stamping.scripts(NOW, [], [("-w", "@1", "@agent_summary", "")], [])
    assert "set-option -w -qu" in alone
    assert "@tma_last_poll" not in alone


def test_an_answered_mark_goes_in_server_and_row() -> None:
    """ATN-6, CH-ATTN: conditional on the episode that was read."""
    options = stored("blocked", since=5000, turn_at=7, attention=1, stamped_at=NOW - 1)
    plan = triage(pane(options), context())
    chain = stamping.lower(plan)
    assert plan.stamp_after is not None
    assert not plan.stamp_after.attention
    left = dict(options)
    ops.apply(left, chain)
    assert "@agent_attention" not in left
    moved = {**options, "@agent_since": "6000"}
    ops.apply(moved, chain)
    assert moved["@agent_attention"] == "1"
