"""The lane of events: one after the other, in the order in which they came (DEL-1, DEL-3).

No pane is looked at while an event is taken to it, nor the other way round.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from tma.core.wire import Frame
from tma.daemon.connections import Waiting
from tma.services.frames import Outcome

MAX_FRAMES = 256
"""Events that wait for their lane."""


class Inbox:
    """Events that wait, and the thread that takes them to their panes."""

    def __init__(self, apply: Callable[[Frame], Outcome], applied: Callable[[Outcome], None]) -> None:
        """``apply`` runs in the lane; ``applied`` is told on the loop, once the sender has its answer."""
        self._apply = apply
        self._applied = applied
        self._frames: deque[Waiting] = deque()
        self._framed = asyncio.Event()
        self._idle = asyncio.Event()
        self._lane = ThreadPoolExecutor(1, "events")
        self.applying = ""
        self.looking: frozenset[str] = frozenset()

    def put(self, waiting: Waiting) -> None:
        """Let an event wait for its turn; one too many is refused."""
        if len(self._frames) >= MAX_FRAMES:
            waiting.answer(accepted=False)
            return
        self._frames.append(waiting)
        self._framed.set()

    def release(self) -> None:
        """The look is over: events for its panes may go on."""
        self.looking = frozenset()
        self._idle.set()

    async def work(self) -> None:
        """Take events to their panes, for ever."""
        while True:
            while not self._frames:
                self._framed.clear()
                await self._framed.wait()
            await self._take(self._frames.popleft())

    async def _take(self, waiting: Waiting) -> None:
        frame = waiting.frame
        while frame.pane in self.looking:
            self._idle.clear()
            await self._idle.wait()
        self.applying = frame.pane
        try:
            outcome = await asyncio.get_running_loop().run_in_executor(self._lane, self._apply, frame)
        finally:
            self.applying = ""
        waiting.answer(accepted=outcome.accepted)
        self._applied(outcome)

    def refuse(self) -> None:
        """Refuse what waits: its hooks stamp by themselves."""
        for waiting in self._frames:
            waiting.answer(accepted=False)
        self._frames.clear()

    def close(self) -> None:
        """Refuse what waits; what the lane is at is left to end by itself (DLC-12)."""
        self.refuse()
        self._lane.shutdown(wait=False, cancel_futures=True)
