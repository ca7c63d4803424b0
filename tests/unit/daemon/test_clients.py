"""Control clients, with a program in tmux's place."""

import asyncio
from typing import TYPE_CHECKING

from daemons import is_gone
from harness import until as eventually
from tma.adapters.lasting import Piped
from tma.daemon.clients import Clients, Listener

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tma.core.control import Notice

SCRIPT = "printf '%%session-changed {0} x\\n%%output %%1 a\\n'; read line; printf '%%exit\\n'"


class Heard:
    """What the owner was told."""

    def __init__(self) -> None:
        self.notices: list[Notice] = []
        self.attached: list[str] = []
        self.ended = 0

    def left(self) -> None:
        """A client ended."""
        self.ended += 1


def play(story: "Callable[[Clients, Heard], Awaitable[None]]", script: str = SCRIPT) -> None:
    """A story on one loop."""

    async def run() -> None:
        heard = Heard()
        connect = lambda name: Piped(["/bin/sh", "-c", script.format(name)])  # noqa: E731
        listener = Listener(heard.notices.append, heard.attached.append, heard.left)
        clients = Clients(asyncio.get_running_loop(), connect, listener)
        try:
            await asyncio.wait_for(story(clients, heard), 20)
        finally:
            await clients.close()

    asyncio.run(run())


async def until(condition: "Callable[[], object]") -> None:
    """Wait on the loop."""
    while not condition():  # noqa: ASYNC110  # nothing tells
        await asyncio.sleep(0.005)


def test_they_attach_one_after_the_other_and_leave_by_a_blank_line() -> None:
    """DCC-1, DCC-2."""

    async def story(clients: Clients, heard: Heard) -> None:
        clients.want(["$2", "$0", "$1"], "$1")
        await until(lambda: len(clients.sessions) == 3)
        assert heard.attached == ["$2", "$0", "$1"]
        assert [notice.pane for notice in heard.notices if notice.name == "output"] == ["%1"] * 3
        clients.want(["$0"], "$0")
        await until(lambda: clients.sessions == ["$0"])
        assert clients.is_whole
        clients.want([], "")
        await until(lambda: not clients.sessions)

    play(story)


def test_one_that_ends_comes_again_and_later_each_time() -> None:
    """DCC-4: at once, then after 1, 2, 4 … s."""

    async def story(clients: Clients, heard: Heard) -> None:
        clients.want(["$0"], "$0")
        await until(lambda: heard.ended >= 2)
        assert len(heard.attached) == 2
        assert clients._failures["$0"] == 1
        assert not clients.is_whole

    play(story, "printf '%%session-changed {0} x\\n'")


def test_a_program_that_cannot_be_started_is_tried_again_later() -> None:
    """DCC-4: a lasting refusal."""

    async def story(clients: Clients, _heard: Heard) -> None:
        clients._connect = lambda _session: Piped(["/nonexistent"])
        clients.want(["$0"], "$0")
        await until(lambda: clients._timer is not None)
        assert not clients.is_whole

    play(story)


def test_one_that_will_not_go_is_killed() -> None:
    """DLC-14: after half a second."""
    pids: list[int] = []

    async def story(clients: Clients, heard: Heard) -> None:
        clients.want(["$0"], "$0")
        await until(lambda: any(notice.name == "output" for notice in heard.notices))
        pids.extend(int(notice.pane[1:]) for notice in heard.notices if notice.name == "output")

    play(story, "printf '%%session-changed {0} x\\n%%output %%%s a\\n' $$; exec sleep 1000")
    eventually(lambda: is_gone(pids[0]), what="its end")


def test_a_full_pipe_restarts_the_client() -> None:
    """DCC-15: writing never blocks."""

    async def story(clients: Clients, heard: Heard) -> None:
        clients.want(["$0"], "$0")
        await until(lambda: clients.sessions)
        for _ in range(3000):
            clients.send("x" * 100)
        await until(lambda: heard.ended)

    play(story, "printf '%%session-changed {0} x\\n'; exec sleep 1000")


def test_where_none_may_attach_none_does() -> None:
    """DCC-3: what is wanted is not covered then, and left to the sweep."""

    async def story(clients: Clients, _heard: Heard) -> None:
        clients._connect = None
        clients.want(["$0"], "$0")
        assert clients.touched == frozenset()
        assert clients._timer is None
        assert not clients.is_whole

    play(story)
