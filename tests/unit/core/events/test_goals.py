"""What ends a wait, look by look."""

import pytest

from rows import NOW, row
from tma.core.events import goals
from tma.core.events.goals import Seen, Verdict, Wanted
from tma.core.row import AgentRow

BLOCKED = Wanted(frozenset(("blocked",)))


def seen(*rows: AgentRow, panes: str = "", scope: list[AgentRow] | None = None) -> Seen:
    """A look; rows are panes too."""
    ids = frozenset(panes.split()) | {each.pane for each in rows}
    return Seen(rows, rows if scope is None else scope, ids)


def test_a_row_satisfies_by_state_and_by_an_episode_after_the_instant() -> None:
    """WAI-2, SEL-3: strictly after; `done` is idle with the mark."""
    since = Wanted(frozenset(("done", "blocked")), NOW)
    late, same = row("%1", state="blocked", episode_ms=NOW + 1), row("%2", state="blocked", episode_ms=NOW)
    marked, idle = row("%3", attention=True, episode_ms=NOW + 1), row("%4", episode_ms=NOW + 1)

    assert since.satisfied([late, same, marked, idle]) == (late, marked)
    assert Wanted(frozenset(("idle",)), 0).satisfied([row("%1", episode_ms=0)]) == ()
    assert Wanted(frozenset(("idle",))).satisfied([row("%1", episode_ms=0)]) != ()


def test_one_pane_is_met_by_its_row_in_or_out_of_scope() -> None:
    """WAI-1: selectors do not concern it."""
    goal = goals.OnePane(BLOCKED, "%1")
    asking = row("%1", state="blocked")

    assert goal.step(seen(row("%1"), row("%2", state="blocked"))) is None
    assert goal.step(seen(asking, scope=[])) == Verdict(goals.MET, (asking,))


def test_one_pane_that_goes_has_vanished_and_one_that_stays_has_lost_its_agent() -> None:
    """WAI-8: seen alive is enough to vanish, a row is needed to die."""
    alive, had = goals.OnePane(BLOCKED, "%1"), goals.OnePane(BLOCKED, "%1")

    assert alive.step(seen(panes="%1")) is None
    assert alive.step(seen()) == Verdict(goals.VANISHED, panes=("%1",))
    assert had.step(seen(row("%1"))) is None
    assert had.step(seen(panes="%1")) == Verdict(goals.DIED, panes=("%1",))


def test_a_pane_without_an_agent_is_waited_for() -> None:
    """WAI-9: a hint is due only if the pane is there."""
    goal = goals.OnePane(BLOCKED, "%1")

    assert goal.step(seen()) is None
    assert not goal.without_agent
    assert goal.step(seen(panes="%1")) is None
    assert goal.without_agent
    assert goal.step(seen(row("%1"))) is None
    assert not goal.without_agent


def test_one_agent_is_pinned_by_the_first_look_that_has_it() -> None:
    """WAI-5: later rows in scope do not matter, and leaving the scope does not either."""
    goal = goals.OneAgent(BLOCKED)
    asking = row("%1", state="blocked")

    assert goal.step(seen(row("%9"), scope=[])) is None
    assert goal.step(seen(row("%1"))) is None
    assert goal.step(seen(row("%1"), row("%2", state="blocked"))) is None
    assert goal.step(seen(asking, row("%2"), scope=[])) == Verdict(goals.MET, (asking,))
    assert goal.step(seen(panes="%1")) == Verdict(goals.DIED, panes=("%1",))


def test_two_agents_at_first_are_ambiguous() -> None:
    """WAI-5: both are named, even if one satisfies."""
    found = goals.OneAgent(BLOCKED).step(seen(row("%1", state="blocked"), row("%2")))

    assert found == Verdict(goals.AMBIGUOUS, panes=("%1", "%2"))


def test_any_takes_the_first_in_scope() -> None:
    """WAI-6."""
    goal = goals.AnyRow(BLOCKED)
    first, second = row("%1", state="blocked"), row("%2", state="blocked")

    assert goal.step(seen(row("%3"))) is None
    assert goal.step(seen()) is None
    assert goal.step(seen(first, second, scope=[second])) == Verdict(goals.MET, (second,))
    assert goal.step(seen(first, second)) == Verdict(goals.MET, (first,))


def test_count_wants_so_many_in_one_look() -> None:
    """WAI-7: all that satisfy are told."""
    goal = goals.Count(BLOCKED, 2)
    asking = [row(f"%{number}", state="blocked") for number in range(3)]

    assert goal.step(seen(asking[0], row("%7"))) is None
    assert goal.step(seen(asking[1])) is None
    assert goal.step(seen(*asking)) == Verdict(goals.MET, tuple(asking))


def test_all_wants_its_first_members_in_one_look() -> None:
    """WAI-7: later panes are no members; a member is one by its pane, whatever the selector says later."""
    goal = goals.All(BLOCKED)
    one, two = row("%1", state="blocked"), row("%2", state="blocked")

    assert goal.step(seen(one, row("%2"))) is None
    assert goal.step(seen(row("%1"), two)) is None
    assert goal.step(seen(two, one, row("%3"), scope=[])) == Verdict(goals.MET, (two, one))


def test_all_of_nobody_is_empty() -> None:
    """WAI-7: said at once."""
    assert goals.All(BLOCKED).step(seen(row("%1"), scope=[])) == Verdict(goals.EMPTY)


@pytest.mark.parametrize(("panes", "kind"), [("", goals.VANISHED), ("%1", goals.DIED)])
def test_the_end_of_a_member_beats_the_others(panes: str, kind: str) -> None:
    """WAI-8: though they still wait, or are met."""
    for state in ("idle", "blocked"):
        goal = goals.All(BLOCKED)
        goal.step(seen(row("%1"), row("%2")))
        assert goal.step(seen(row("%2", state=state), panes=panes)) == Verdict(kind, panes=("%1",))
