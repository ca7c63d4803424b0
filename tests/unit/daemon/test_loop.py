"""The loop where no server answers: it refuses, rests, and says how it stands."""

import asyncio
import os

import pytest

from gone import world
from tma.core.errors import TmuxGoneError, TmuxTimeoutError
from tma.daemon.log import Log
from tma.daemon.loop import Loop, Place

KEYS = "probe clients sessions active sweeps captures frames naks breaker notify_fires"


def made(pid: int = 0) -> Loop:
    """A loop that was not started."""
    return Loop(world(), Place(pid or os.getpid(), 45.0, fixed_cadence=False), Log(2, dated=False), lambda _keys: None)


def test_it_tells_ten_keys() -> None:
    """DST-2."""

    async def run() -> None:
        loop = made()
        assert list(loop.status()) == KEYS.split()
        assert loop.status()["probe"] == "assumed-available"
        loop.abandon()

    asyncio.run(run())


def test_three_time_outs_open_the_breaker_and_recovery_asks_for_a_pass() -> None:
    """DSW-5."""

    async def run() -> None:
        loop = made()
        for _ in range(3):
            loop._failed(TmuxTimeoutError("slow"))
        assert loop.status()["breaker"] == "open"
        loop._recovered()
        assert loop.status()["breaker"] == "closed"
        loop.abandon()

    asyncio.run(run())


@pytest.mark.parametrize("alive", [True, False])
def test_a_server_that_is_gone_ends_it_and_a_lost_socket_does_not(*, alive: bool) -> None:
    """Section 14: the cure is named once."""

    async def run() -> None:
        loop = made(os.getpid() if alive else 2**22 + 5)
        loop._failed(TmuxGoneError("gone"))
        assert loop.finished.done() is not alive
        assert (loop.status()["breaker"] == "open") is alive
        loop.abandon()

    asyncio.run(run())


def test_another_server_at_the_path_ends_it() -> None:
    """DLC-13, DCC-6."""

    async def run() -> None:
        loop = made()
        loop._meet(os.getpid())
        assert not loop.finished.done()
        loop._meet(1)
        assert loop.finished.done()
        loop.abandon()

    asyncio.run(run())
