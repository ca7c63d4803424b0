"""Events in their lane."""

import asyncio
import threading
from collections.abc import Awaitable, Callable

from tma.core.wire import Ext, Frame
from tma.daemon.inbox import MAX_FRAMES, Inbox
from tma.services.frames import Outcome


class Sender:
    """Somebody who waits for one byte."""

    def __init__(self, pane: str = "%1") -> None:
        """With an event for a pane."""
        self.frame = Frame(pane, "claude", "Stop", "", Ext())
        self.answers: list[bool] = []

    def answer(self, *, accepted: bool) -> None:
        """Keep it."""
        self.answers.append(accepted)


async def until(holds: Callable[[], bool]) -> None:
    """Let the loop go on until something holds."""

    async def wait() -> None:
        while not holds():  # noqa: ASYNC110  # what threads did says nothing by itself
            await asyncio.sleep(0.001)

    await asyncio.wait_for(wait(), 20)


def play(story: Callable[[Inbox, list[str], threading.Event], Awaitable[None]]) -> None:
    """A story with a working lane whose panes are noted, and which waits for an event to be set."""

    async def run() -> None:
        applied: list[str] = []
        go = threading.Event()

        def apply(frame: Frame) -> Outcome:
            go.wait(20)
            applied.append(frame.pane)
            return Outcome(frame.pane != "%9", frame.pane)

        inbox = Inbox(apply, lambda outcome: applied.append(f"told {outcome.pane}"))
        task = asyncio.get_running_loop().create_task(inbox.work())
        await story(inbox, applied, go)
        task.cancel()
        go.set()
        inbox.close()

    asyncio.run(run())


def test_events_are_taken_in_the_order_in_which_they_came() -> None:
    """DEL-2, DWP-3: each is answered by what became of it."""

    async def story(inbox: Inbox, applied: list[str], go: threading.Event) -> None:
        senders = [Sender(pane) for pane in ("%1", "%9", "%2")]
        for sender in senders:
            inbox.put(sender)  # type: ignore[arg-type]
        go.set()
        await until(lambda: senders[-1].answers != [])
        assert applied == ["%1", "told %1", "%9", "told %9", "%2", "told %2"]
        assert [sender.answers for sender in senders] == [[True], [False], [True]]

    play(story)


def test_an_event_waits_while_its_pane_is_looked_at() -> None:
    """DEL-3."""

    async def story(inbox: Inbox, applied: list[str], go: threading.Event) -> None:
        go.set()
        inbox.looking = frozenset({"%1"})
        sender = Sender("%1")
        inbox.put(sender)  # type: ignore[arg-type]
        for _ in range(5):
            await asyncio.sleep(0)
        assert (inbox.applying, applied) == ("", [])
        inbox.release()
        await until(lambda: sender.answers == [True])
        assert inbox.looking == frozenset()

    play(story)


def test_the_pane_that_an_event_is_taken_to_is_named() -> None:
    """DEL-3: for the lane of looks."""

    async def story(inbox: Inbox, _applied: list[str], go: threading.Event) -> None:
        sender = Sender("%1")
        inbox.put(sender)  # type: ignore[arg-type]
        await until(lambda: inbox.applying == "%1")
        go.set()
        await until(lambda: sender.answers == [True])
        assert inbox.applying == ""

    play(story)


def test_one_too_many_and_those_that_wait_at_the_end_are_refused() -> None:
    """DLC-12, DWP-3."""

    async def story(inbox: Inbox, _applied: list[str], _go: threading.Event) -> None:
        senders = [Sender() for _ in range(MAX_FRAMES + 1)]
        for sender in senders:
            inbox.put(sender)  # type: ignore[arg-type]
        assert senders[-1].answers == [False]
        assert senders[-2].answers == []
        inbox.close()
        assert all(sender.answers == [False] for sender in senders)

    play(story)
