"""The promise of the broker: no key answers another prompt than the gated one, on every tmux there is."""

from harness import TmuxServer
from kills import kill_while_firing
from race import race
from racers import answer_at_once

FIRES = 504


def test_no_key_lands_on_another_prompt(any_server: TmuxServer) -> None:
    """SEC-A-2, ACT-SEND-1, LK-7: agents swap prompts within milliseconds, eight workers fire, and the server judges."""
    any_server.start()
    report = race(any_server, FIRES)
    assert report.wrong == []
    assert sum(report.outcomes.values()) == FIRES
    assert report.outcomes["sent"] > 0
    assert report.outcomes["gated"] > 0
    assert report.outcomes["error"] == 0


def test_the_same_race_without_a_guard_goes_wrong(server: TmuxServer) -> None:
    """The judge sees what it is there to see: reading and then sending answers other prompts."""
    server.start()
    assert race(server, FIRES, plain=True).wrong


def test_a_changed_terminal_alone_stops_the_key(any_server: TmuxServer) -> None:
    """ACT-SCR-1, ACT-SCR-3: the stamp stays, and the screen in the server decides."""
    any_server.start()
    report = race(any_server, FIRES, mode="terminal")
    assert report.wrong == []
    assert report.outcomes["screen-mismatch"] > 0
    assert set(report.outcomes) <= {"sent", "screen-mismatch", "locked"}


def test_of_twenty_answers_at_once_one_is_given(any_server: TmuxServer) -> None:
    """SEC threats, two clients: the lock is free again after each loser, and the agent never reacts."""
    any_server.start()
    report = answer_at_once(any_server, 20)
    assert report.wrong == []
    assert sum(each["locked"] for each in report.rounds) == 20 * 19


def test_nothing_is_sent_once_the_agent_is_dead(any_server: TmuxServer) -> None:
    """ACT-GATE-5, FC-45: killed at a random moment of each fire; what the shell gets was sent to a live agent."""
    any_server.start()
    report = kill_while_firing(any_server, 40)
    assert report.wrong == []
    assert sum(report.outcomes.values()) == 40
