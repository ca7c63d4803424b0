"""Trails, edges and goals for whatever comes."""

import shlex
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from rows import row
from tma.core.events import goals, mute, trail
from tma.core.events.changes import edges
from tma.core.events.goals import Seen, Wanted
from tma.core.events.trail import Place
from tma.core.row import AgentRow
from tma.view import shellword

PANES = st.integers(0, 5).map(lambda number: f"%{number}")
LINES = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), min_size=1)
PLACES = st.builds(Place, PANES, LINES)
STATES = st.sampled_from(["idle", "working", "blocked", "unknown"])


def built(found: dict[str, tuple[str, bool]]) -> list[AgentRow]:
    """Rows by pane."""
    return [row(pane, state=state, attention=marked) for pane, (state, marked) in found.items()]


LOOKS = st.dictionaries(PANES, st.tuples(STATES, st.booleans())).map(built)


@given(st.lists(PLACES))
def test_a_stored_trail_is_read_back_as_it_was(places: list[Place]) -> None:
    """TRL-2: whatever stands in a locator."""
    assert trail.parse(trail.render(places)) == places


@given(st.lists(PLACES))
def test_a_trail_never_grows_beyond_eight_nor_repeats_its_end(origins: list[Place]) -> None:
    """TRL-3: and the newest origin is always the last entry."""
    places: list[Place] = []
    for origin in origins:
        places = trail.pushed(places, origin)
        assert len(places) <= trail.MOST
        assert places[-1].pane == origin.pane
        assert all(one.pane != two.pane for one, two in pairwise(places))


@given(st.lists(PLACES), st.sets(PANES))
def test_going_back_ends_and_visits_only_panes_that_are_there(places: list[Place], there: set[str]) -> None:
    """TRL-4: newest first, and home is the last that back would reach."""

    def find(place: Place) -> str:
        return place.pane if place.pane in there else ""

    visited, left = [], places
    while True:
        pane, left = trail.back(left, find)
        if not pane:
            break
        visited.append(pane)

    assert visited == [place.pane for place in reversed(places) if place.pane in there]
    assert trail.home(places, find) == (visited[-1] if visited else "")


@given(st.lists(LOOKS))
def test_edges_add_up_to_what_is_seen(looks: list[list[AgentRow]]) -> None:
    """EDG-1, EDG-2: whoever follows them knows every class, and no edge changes nothing."""
    known: dict[str, str] = {}
    before: list[AgentRow] = []
    for now in looks:
        for edge in edges(before, now):
            assert known.get(edge.row.pane, "") == edge.before != edge.after
            known[edge.row.pane] = edge.after
        assert {pane: name for pane, name in known.items() if name} == {each.pane: each.shown_class for each in now}
        before = now


@given(st.lists(LOOKS, min_size=1), st.integers(1, 4))
def test_a_goal_is_met_only_by_rows_that_satisfy_in_that_look(looks: list[list[AgentRow]], count: int) -> None:
    """WAI-2, WAI-6, WAI-7: any is met before a count of more, and neither by a row of another look."""
    wanted = Wanted(frozenset(("blocked", "done")))
    first, several = goals.AnyRow(wanted), goals.Count(wanted, count)
    for now in looks:
        seen = Seen(now, now, frozenset(each.pane for each in now))
        met = first.step(seen)
        assert bool(met) is any(each.shown_class in {"blocked", "done"} for each in now)
        enough = several.step(seen)
        assert enough is None or len(enough.rows) >= count
        assert all(each in now for end in (met, enough) if end for each in end.rows)


@given(st.integers(1, 10**8), st.sampled_from(["", "s", "m", "h", "d"]))
def test_the_words_of_a_duration_mean_the_same_duration(amount: int, unit: str) -> None:
    """MUT-2, MUT-4."""
    seconds = mute.parse(f" {amount}{unit} ")
    words = mute.wording(0, seconds)

    assert words == "indefinitely" or mute.parse(words) == seconds


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))))
def test_a_printed_line_splits_into_its_words(words: list[str]) -> None:
    """ATC-4: by the rules of any POSIX shell."""
    assert shlex.split(shellword.line(words)) == words
