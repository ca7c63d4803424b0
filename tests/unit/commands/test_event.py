"""``tma event``: its arguments, and who takes the event."""

from argparse import ArgumentParser, Namespace

import pytest

from tma.commands import event
from tma.services import intake
from tma.services.cache import Options
from tma.services.intake import Call

Taken = list[tuple[str, Call]]


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Taken:
    """What was handed on, and to whom."""
    calls: Taken = []
    monkeypatch.setattr(intake, "report", lambda call: calls.append(("event", call)))
    monkeypatch.setattr(intake, "report_gauge", lambda call: calls.append(("context", call)))
    return calls


def run(*words: str) -> int:
    """Run a command line."""
    parser = ArgumentParser()
    event.declare(parser)
    return event.run(parser.parse_args(words), Options())


def test_an_event_carries_its_arguments(taken: Taken) -> None:
    """HEV-1: agent, kind, payload."""
    assert run("--agent", "claude", "--kind", "Stop", "--payload", "-") == 0
    lane, call = taken[0]
    assert (lane, call.agent, call.kind, call.payload) == ("event", "claude", "Stop", "-")
    assert call.at > 0
    assert call.left_s > 0


def test_a_named_pane_counts_for_a_reading_alone(taken: Taken) -> None:
    """HEV-1, CTX-1: an event's pane is decided from its process."""
    run("--agent", "claude", "--kind", "Stop", "--pane", "%9")
    run("--agent", "claude", "--kind", "context", "--pane", "%9")
    assert taken[0][1].pane != "%9"
    assert (taken[1][0], taken[1][1].pane) == ("context", "%9")


def test_missing_values_are_empty(taken: Taken) -> None:
    """HEV-1: the short road leaves out what was not given."""
    event.run(Namespace(agent=None, kind=None, pane=None, payload=None), Options())
    call = taken[0][1]
    assert (call.agent, call.kind, call.payload) == ("", "", "")
