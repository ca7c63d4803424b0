"""Requests and answers on one loop."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from harness import private_home
from tma.core import wire
from tma.daemon import connections as module
from tma.daemon.claim import Endpoint
from tma.daemon.connections import Connections, Handler, Waiting

Story = Callable[[Connections, "Callable[[], socket.socket]", list[Waiting]], Awaitable[None]]


def play(story: Story) -> None:
    """A story on a listening loop."""

    async def run(home: Path) -> None:
        waiting: list[Waiting] = []
        made = Connections(asyncio.get_running_loop(), Handler(waiting.append, lambda: "history", lambda: "{}"))
        endpoint = Endpoint(str(home / "s"))
        made.listen(endpoint.listener)

        def client() -> socket.socket:
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(str(home / "s"))
            connection.setblocking(False)  # noqa: FBT003
            return connection

        await asyncio.wait_for(story(made, client, waiting), 20)
        made.close()
        endpoint.close()

    with private_home() as home:
        asyncio.run(run(home))


async def said(connection: socket.socket, size: int = 1) -> bytes:
    """What came."""
    return await asyncio.get_running_loop().sock_recv(connection, size)


def test_documents_and_pings_are_answered_and_the_connection_ends() -> None:
    """DWP-1."""

    async def story(_made: Connections, client: "Callable[[], socket.socket]", _waiting: list[Waiting]) -> None:
        wanted = {
            wire.PING: wire.PONG,
            wire.HISTORY: wire.document(wire.DOCUMENT, "history"),
            wire.INFO: wire.document(wire.INFORMED, "{}"),
        }
        for request, answer in wanted.items():
            with client() as connection:
                connection.send(request)
                assert await said(connection, 100) == answer
                assert await said(connection) == b""

    play(story)


@pytest.mark.parametrize("accepted", [True, False])
def test_an_event_waits_for_its_verdict(*, accepted: bool) -> None:
    """DWP-3."""

    async def story(made: Connections, client: "Callable[[], socket.socket]", waiting: list[Waiting]) -> None:
        with client() as connection:
            frame = wire.event("%1", "a", "k", "payload", {})
            assert frame is not None
            for at in range(0, len(frame), 5):
                connection.send(frame[at : at + 5])
                await asyncio.sleep(0)
            while not waiting:  # noqa: ASYNC110  # nothing tells
                await asyncio.sleep(0)
            assert (made.queued, made.frames) == (7, 1)
            waiting[0].answer(accepted=accepted)
            assert await said(connection) == (wire.ACK if accepted else wire.NAK)
            assert (made.queued, made.naks) == (0, 0 if accepted else 1)

    play(story)


def test_what_waits_too_long_or_is_one_too_many_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """DWP-2: 2 s for a whole request, 32 half-read ones."""
    monkeypatch.setattr(module, "WHOLE_S", 0.05)

    async def story(_made: Connections, client: "Callable[[], socket.socket]", _waiting: list[Waiting]) -> None:
        half = [client() for _ in range(40)]
        assert [await said(each) for each in half] == [wire.NAK] * 40
        for each in half:
            each.close()

    play(story)


def test_payloads_that_wait_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Section 12: every queue has a cap."""
    monkeypatch.setattr(module, "MAX_QUEUED_BYTES", 10)

    async def story(_made: Connections, client: "Callable[[], socket.socket]", waiting: list[Waiting]) -> None:
        frame = wire.event("%1", "a", "k", "1234567", {})
        assert frame is not None
        with client() as one, client() as two:
            one.send(frame)
            while not waiting:  # noqa: ASYNC110  # nothing tells
                await asyncio.sleep(0)
            two.send(frame)
            assert await said(two) == wire.NAK
            waiting[0].answer(accepted=True)

    play(story)


def test_a_subscriber_is_woken_until_it_speaks_or_leaves() -> None:
    """DSU-1."""

    async def story(made: Connections, client: "Callable[[], socket.socket]", _waiting: list[Waiting]) -> None:
        with client() as one, client() as two:
            for each in (one, two):
                each.send(wire.SUBSCRIBE)
                assert await said(each) == wire.SUBSCRIBED
            made.wake()
            assert [await said(one), await said(two)] == [wire.WAKE] * 2
            one.send(b"x")
            two.close()
            while made.subscribers:  # noqa: ASYNC110  # nothing tells
                await asyncio.sleep(0)
            made.wake()

    play(story)


def test_out_of_descriptors_the_oldest_goes_and_accepting_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Section 14."""
    monkeypatch.setattr(module, "_PAUSE_S", 0.01)

    async def story(made: Connections, client: "Callable[[], socket.socket]", _waiting: list[Waiting]) -> None:
        half = client()
        while not made._half:  # noqa: ASYNC110  # nothing tells
            await asyncio.sleep(0)
        assert made._listener is not None
        made._rest(made._listener)
        assert await said(half) == wire.NAK
        half.close()
        with client() as later:
            later.send(wire.PING)
            assert await said(later) == wire.PONG

    play(story)
