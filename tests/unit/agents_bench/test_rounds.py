"""Scenarios that are played many times over."""

from types import SimpleNamespace

import pytest

import rounds
from agents import Scenario
from stage import Result

SCENARIO = Scenario("deny-often", [], rounds=((100, 2), (60, 1)))


class Pane:
    """A pane that is always usable, and its widths."""

    def __init__(self) -> None:
        """Not resized yet."""
        self.widths: list[int] = []

    def is_usable(self) -> bool:
        """An empty composer stands."""
        return True

    def resize(self, columns: int, _rows: int) -> None:
        """Note the width."""
        self.widths.append(columns)


class Stage(SimpleNamespace):
    """A stage with one pane, cleared after a fault."""

    def __init__(self) -> None:
        """The pane is there."""
        super().__init__(panes={1: Pane()}, cleared=0)

    def clear(self) -> None:
        """Count it."""
        self.cleared += 1


def played(monkeypatch: pytest.MonkeyPatch, results: list[Result]) -> tuple[dict[str, object], Stage]:
    """The entry of a scenario whose rounds end so."""
    ends = iter(results)
    monkeypatch.setattr(rounds.drive, "Play", lambda *_: SimpleNamespace(run=lambda: next(ends)))
    stage = Stage()
    return rounds.play(stage, SCENARIO), stage  # type: ignore[arg-type]


def test_every_width_is_played_as_often_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """And every round is counted."""
    entry, stage = played(monkeypatch, [Result(), Result(), Result()])

    assert entry["rounds"] == [[100, 2, 2], [60, 1, 1]]
    assert stage.panes[1].widths == [100, 100, 60]
    assert stage.cleared == 0


def test_a_round_that_was_wrong_is_told_and_its_agent_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next round has a fresh agent."""
    entry, stage = played(monkeypatch, [Result(), Result(trouble="it hung"), Result()])

    assert entry["rounds"] == [[100, 1, 2], [60, 1, 1]]
    assert entry["verdicts"][0]["reason"] == "1 of 2 wrong, first: it hung"  # type: ignore[index]
    assert stage.cleared == 1


def test_a_subscriber_may_miss_the_short_states_of_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """It looks once a second."""
    entry, _ = played(monkeypatch, [Result(stream="the stream never said done"), Result(), Result()])

    assert entry["rounds"] == [[100, 2, 2], [60, 1, 1]]
