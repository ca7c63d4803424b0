"""What follows from a cycle's decisions; what it does to real panes is tried in tests/tmux."""

from detection import NOW, context, pane, stored
from tma.core.pane import Client, ServerFacts
from tma.core.triage import triage
from tma.services.cycle import Snapshot, answered, drift


def snapshot(*panes_of: dict[str, str]) -> Snapshot:
    """A cycle over fresh stamps in one window."""
    made = Snapshot(NOW, None)
    for number, options in enumerate(panes_of):
        each = pane(options, window_id="@1", sessions=[("$1", "main")])
        each.pane_id = f"%{number}"
        made.plans.append(triage(each, context()))
    return made


def fresh(state: str, **parts: object) -> dict[str, str]:
    """Options of a stamp that is taken as it is."""
    return stored(state, stamped_at=NOW - 1, **parts)


def test_summaries_that_differ_from_what_was_read_are_written() -> None:
    """RU-1, RU-2: window and session, each pane once."""
    seen = snapshot(fresh("blocked"), fresh("idle"), fresh("idle"))
    assert drift(seen) == [
        ("-w", "@1", "@agent_summary", "blocked:1 idle:2"),
        ("", "$1", "@agent_session_summary", "blocked:1 idle:2"),
    ]


def test_summaries_that_hold_cost_nothing_and_an_empty_one_goes() -> None:
    """RU-2, RC-2: only drift is written; no agents means none."""
    seen = snapshot(fresh("idle"))
    seen.plans[0].pane.window_summary = "idle:1"
    seen.plans[0].pane.summaries = {"$1": "idle:1"}
    assert drift(seen) == []
    gone = snapshot({})
    gone.plans[0].pane.window_summary = "idle:1"
    assert drift(gone) == [("-w", "@1", "@agent_summary", "")]


def test_a_summary_that_no_pane_tells_goes() -> None:
    """RU-2: of panes without an agent the windows and sessions are told apart, and only where one stands."""
    seen = snapshot(fresh("idle"))
    seen.facts = ServerFacts("/tmp/s", "3.3a", "box", 9, 0)
    seen.facts.windows, seen.facts.sessions = {"@1": "idle:1", "@2": "idle:1"}, {"$1": "idle:1"}
    assert drift(seen) == [("-w", "@2", "@agent_summary", "")]


def test_input_after_the_episode_answers_a_mark() -> None:
    """ATN-4: strictly later, in a client that shows the pane."""
    seen = snapshot(fresh("blocked", since=5000, attention=1), fresh("blocked", since=5000, attention=1), fresh("idle"))
    seen.clients = [Client("%0", 5001), Client("%1", 5000), Client("%2", 9000)]
    assert [plan.pane.pane_id for plan in answered(seen)] == ["%0"]


def test_a_cycle_says_what_it_did() -> None:
    """CYC-9: the counters of --debug-timing."""
    seen = snapshot(fresh("idle"), {})
    seen.stampede = True
    text = seen.timing()
    for part in ("cycle 0ms", "1 agents", "0 produced", "1 consumed", "0 captures", "0 removed", "stampede-skipped"):
        assert part in text
