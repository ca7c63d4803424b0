"""The progress mark of terminals: edges only."""

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
