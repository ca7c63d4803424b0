"""The loop where no server answers: it refuses, asks for steps, and says how it stands."""

import asyncio
import json
import os
from collections.abc import Callable

import pytest

from gone import world
from tma.core.control import Notice
from tma.core.errors import TmuxTimeoutError
from tma.core.pane import ServerFacts
from tma.core.wire import Ext, Frame
from tma.daemon.agenda import Step
from tma.daemon.log import Log
from tma.daemon.loop import Loop, Place
from tma.services.frames import Outcome

KEYS = "probe clients sessions active sweeps captures frames naks breaker notify_fires"


def play(story: Callable[[Loop], None]) -> None:
    """A story with a loop that was not started and owes nothing."""

    async def run() -> None:
        place = Place(ServerFacts("/s", "3.3a", "host", os.getpid(), 0), 45.0, fixed_cadence=False)
        loop = Loop(world(), place, Log(2, dated=False), lambda _keys: None)
        for step in Step:
            loop._agenda.begun(step)
        story(loop)
        loop.abandon()

    asyncio.run(run())


def due(loop: Loop) -> Step | None:
    """The step that it owes."""
    return loop._agenda.next(asyncio.get_running_loop().time())


class Sender:
    """Somebody who waits for one byte."""

    def __init__(self) -> None:
        """With an event."""
        self.frame = Frame("%1", "claude", "Stop", "", Ext())
        self.answers: list[bool] = []

    def answer(self, *, accepted: bool) -> None:
        """Keep it."""
        self.answers.append(accepted)


def test_it_tells_ten_keys() -> None:
    """DST-2, DWP-8."""

    def story(loop: Loop) -> None:
        assert list(loop.status()) == KEYS.split()
        assert loop.status()["probe"] == "assumed-available"
        assert json.loads(loop.info()) == loop.status()

    play(story)


def test_events_are_refused_while_tmux_does_not_answer() -> None:
    """DSW-5, section 14: at once, those that wait for their lane as well, so that none is left for the recovery."""

    def story(loop: Loop) -> None:
        early, late = Sender(), Sender()
        loop._event(early)  # type: ignore[arg-type]
        assert early.answers == []
        for _ in range(3):
            loop._applied(Outcome(accepted=False, trouble=TmuxTimeoutError("slow")))
        assert loop.status()["breaker"] == "open"
        loop._event(late)  # type: ignore[arg-type]
        assert (early.answers, late.answers) == ([False], [False])

    play(story)


@pytest.mark.parametrize(("changed", "step"), [(True, Step.PASS), (False, None)])
def test_an_event_that_changed_something_asks_for_a_pass(*, changed: bool, step: Step | None) -> None:
    """DST-3."""

    def story(loop: Loop) -> None:
        loop._applied(Outcome(accepted=True, pane="%1", changed=changed))
        assert due(loop) is step

    play(story)


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("sessions-changed", Step.MEMBERS),
        ("client-detached", Step.MEMBERS),
        ("window-add", Step.PASS),
        ("pane-mode-changed", Step.PASS),
        ("paste-buffer-changed", None),
    ],
)
def test_lines_about_sessions_and_windows_ask_for_steps(name: str, step: Step | None) -> None:
    """DCC-10: others for none."""

    def story(loop: Loop) -> None:
        loop._notice(Notice(name, []))
        assert due(loop) is step

    play(story)


def test_output_makes_a_pane_active_and_proves_that_it_is_told() -> None:
    """DED-1, DCC-16."""

    def story(loop: Loop) -> None:
        loop._notice(Notice("output", [], pane="%1", size=10))
        assert (loop.status()["active"], loop.status()["probe"]) == ("1", "available")

    play(story)


def test_clients_that_come_and_go_ask_who_is_where() -> None:
    """DED-3, DCC-4."""

    def story(loop: Loop) -> None:
        loop._attached("$1")
        assert due(loop) is Step.MEMBERS
        loop._agenda.joined.clear()
        assert due(loop) is None
        loop._left()
        assert due(loop) is Step.MEMBERS

    play(story)


def test_a_reload_is_asked_for_and_the_first_reason_to_end_counts() -> None:
    """DRL-1, DLC-13."""

    def story(loop: Loop) -> None:
        loop.reload()
        assert due(loop) is Step.RELOAD
        loop.finish("first")
        loop.finish("second")
        assert loop.finished.result() == "first"

    play(story)
