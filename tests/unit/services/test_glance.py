"""One look at a pane, and what tmux's words mean."""

import pytest

from acting import facts, fake_runtime, look_text
from tma.core.act import gate
from tma.core.act.lease import Lock
from tma.core.errors import TmuxError, TmuxGoneError
from tma.services import glance


def test_a_look_is_read_at_its_own_instant() -> None:
    """ACT-FACT-1: one call; the clock is read behind it, so that nothing stored before lies in the future."""
    runtime, server = fake_runtime(look_text)
    seen = glance.look(runtime, "%5")
    assert seen is not None
    assert (seen.agent, len(server.calls)) == ("claude", 1)


@pytest.mark.parametrize("words", ["can't find pane: %5", "No Such Pane", "pane not found: %5"])
def test_a_missing_pane_is_nothing(words: str) -> None:
    """ACT-SEQ-3."""
    runtime, _ = fake_runtime(lambda _: TmuxError(f"tmux: {words}"))
    assert glance.look(runtime, "%5") is None


@pytest.mark.parametrize("error", [TmuxError("tmux: odd"), TmuxGoneError("no tmux server running")])
def test_any_other_failure_is_one(error: Exception) -> None:
    """ACT-SEQ-3: with tmux's own words."""
    runtime, _ = fake_runtime(lambda _: error)
    with pytest.raises(type(error), match=str(error)):
        glance.look(runtime, "%5")


def test_an_agent_without_a_manifest_stands_nowhere() -> None:
    """ACT-GATE-5: no process is looked at."""
    runtime, _ = fake_runtime(look_text)
    seen = facts({"@agent_name": "nobody"})
    assert glance.standing(runtime, seen, foreign=True) == gate.ABSENT
    assert glance.standing(runtime, facts(), foreign=True) == gate.CLAIMED


@pytest.mark.parametrize("pid", [0, 2**31, 2**40])
def test_an_impossible_holder_is_dead(pid: int) -> None:
    """LK-3."""
    assert not glance.is_alive(Lock(1, "a", pid, "x"))
    assert not glance.is_alive(None)
