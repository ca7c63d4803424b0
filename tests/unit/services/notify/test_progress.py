"""The progress mark of terminals: edges only."""

from collections.abc import Callable

import pytest

from acting import fake_runtime
from tma.adapters.tmux.audience import Audience, Viewer
from tma.core.pane import PaneRecord, ServerFacts
from tma.core.stamp import Stamp
from tma.core.triage import ROW, Plan
from tma.services.cycle import Snapshot
from tma.services.notify import progress, screens
from tma.view import banner


class AtOnce:
    """Sinks that do an errand at once."""

    def later(self, errand: object) -> None:
        """Do it."""
        errand()  # type: ignore[operator]


def snapshot(*states: tuple[str, str]) -> Snapshot:
    """Panes by session and state."""
    found = Snapshot(1, ServerFacts("/s", "3.4", "h", 1, 0))
    for number, (session_id, state) in enumerate(states):
        pane = PaneRecord(f"%{number}", 1)
        pane.sessions = [(session_id, "x")]
        plan = Plan(pane, 1)
        plan.outcome, plan.stamp_after = ROW, Stamp(state)
        found.plans.append(plan)
    return found


def viewer(tty: str, session_id: str) -> Viewer:
    """A client."""
    return Viewer(tty, tty, control=False, suspended=False, termname="x", termtype="", session_id=session_id)


def test_each_edge_is_sent_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """PRG-1 to PRG-4: a start clears, a switch follows the session, who leaves is cleared."""
    runtime, _ = fake_runtime(lambda _: "")
    runtime.settings.notify["osc_progress"] = True
    sent: list[tuple[str, bytes]] = []
    seen = [viewer("a", "$1"), viewer("b", "$2")]
    monkeypatch.setattr(screens, "look", lambda *_: Audience("3.4", "/s", list(seen), ""))
    monkeypatch.setattr(screens, "write", lambda who, data: sent.append((who.tty, data)) or "ok")
    shown = progress.Progress(runtime, AtOnce())  # type: ignore[arg-type]

    def told(*states: tuple[str, str]) -> list[tuple[str, bytes]]:
        sent.clear()
        shown.update(snapshot(*states))
        return list(sent)

    off, on, held = banner.PROGRESS_OFF, banner.PROGRESS_ON, banner.PROGRESS_HELD
    assert told(("$1", "idle")) == [("a", off), ("b", off)]
    assert told(("$1", "working")) == [("a", on)]
    assert told(("$1", "working"), ("$1", "working")) == []
    assert told(("$1", "working"), ("$1", "blocked")) == [("a", held)]
    seen[1] = viewer("b", "$1")
    assert told(("$1", "working")) == [("a", on), ("b", on)]
    del seen[0]
    assert told(("$1", "working")) == [("a", off)]
    runtime.settings.notify["osc_progress"] = False
    assert told(("$1", "working")) == [("b", off)]
    assert told(("$1", "working")) == []


class Later:
    """Sinks whose thread has fallen behind."""

    def __init__(self) -> None:
        self.errands: list[Callable[[], None]] = []

    def later(self, errand: Callable[[], None]) -> None:
        """Keep it."""
        self.errands.append(errand)

    def catch_up(self) -> None:
        """Do what was kept."""
        while self.errands:
            self.errands.pop(0)()


@pytest.fixture
def behind(monkeypatch: pytest.MonkeyPatch) -> tuple[progress.Progress, Later, list[bytes]]:
    """A mark of one terminal that is brought late, and what the terminal was sent."""
    runtime, _ = fake_runtime(lambda _: "")
    runtime.settings.notify["osc_progress"] = True
    sent: list[bytes] = []
    monkeypatch.setattr(screens, "look", lambda *_: Audience("3.4", "/s", [viewer("a", "$1")], ""))
    monkeypatch.setattr(screens, "write", lambda _who, data: sent.append(data) or "ok")
    sinks = Later()
    return progress.Progress(runtime, sinks), sinks, sent  # type: ignore[arg-type]


def test_of_passes_that_pile_up_the_last_one_counts(behind: tuple[progress.Progress, Later, list[bytes]]) -> None:
    """NOT-4: notices wait behind them, and a terminal that takes nothing costs half a second each time."""
    shown, sinks, sent = behind
    for state in ("working", "idle", "working", "blocked"):
        shown.update(snapshot(("$1", state)))
    sinks.catch_up()
    assert sent == [banner.PROGRESS_HELD]


def test_nothing_lights_up_again_behind_the_end(behind: tuple[progress.Progress, Later, list[bytes]]) -> None:
    """PRG-3."""
    shown, sinks, sent = behind
    shown.update(snapshot(("$1", "working")))
    sinks.catch_up()
    shown.update(snapshot(("$1", "blocked")))
    shown.clear()
    sinks.catch_up()
    assert sent == [banner.PROGRESS_ON, banner.PROGRESS_OFF]
