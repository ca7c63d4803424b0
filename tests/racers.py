"""Many who answer one prompt at once, while the agent takes its time: one of them may."""

import multiprocessing
import random
import time
from collections import Counter
from multiprocessing.synchronize import Barrier
from typing import NamedTuple

from actor import PERMISSION, Actor
from harness import TmuxServer, until
from race import keep_stamps_fresh, world_of
from tma.core.act.gate import Binders
from tma.services import actions
from tma.services.acting import Request
from tma.services.broker import Broker
from tma.services.stop import Stop

RACERS = 20
LATE_S = 0.1
"""How much later than the others a racer may come to its first look."""


class Report(NamedTuple):
    """What came of the rounds: the outcomes of each, how many keys the agent read, and how long it took."""

    rounds: list[Counter[str]]
    heard: int
    seconds: float

    @property
    def wrong(self) -> list[str]:
        """The rounds that had not exactly one winner, and keys that nobody admits."""
        found = [f"round {number}: {dict(each)}" for number, each in enumerate(self.rounds) if each["sent"] != 1]
        return found if self.heard == len(self.rounds) else [*found, f"{self.heard} keys in {len(self.rounds)} rounds"]


def answer_at_once(server: TmuxServer, rounds: int, *, racers: int = RACERS) -> Report:
    """Let so many approve one dialog, asked for at the same moment, again and again; the agent never reacts."""
    keep_stamps_fresh(server)
    actor = Actor(server, screen=PERMISSION)
    context = multiprocessing.get_context("fork")
    barrier = context.Barrier(racers + 1)
    began = time.monotonic()
    # Each worker takes one job of one round: it waits at the barrier until the others have theirs.
    with context.Pool(racers, _enter, (barrier, server.environment, actor.pane)) as pool:
        done = []
        for number in range(rounds):
            actor.block()
            jobs = [pool.apply_async(_answer, (number * racers + index,)) for index in range(racers)]
            barrier.wait()
            done.append(Counter(job.get(60) for job in jobs))
    until(lambda: len(actor.heard) >= rounds, what="the keys")
    return Report(done, len(actor.heard), time.monotonic() - began)


class _Worker(NamedTuple):
    barrier: Barrier
    environment: dict[str, str]
    pane: str


_workers: list[_Worker] = []


def _enter(barrier: Barrier, environment: dict[str, str], pane: str) -> None:
    _workers[:] = [_Worker(barrier, environment, pane)]


def _answer(seed: int) -> str:
    """Press, and come to it a little later."""
    barrier, environment, pane = _workers[0]
    with world_of(environment) as world:
        action = actions.load(environment).named("approve")
        assert action is not None
        request = Request(action, binders=Binders(), source="cli")
        barrier.wait()
        time.sleep(random.Random(seed).choice((0.0, 0.0, LATE_S)))
        with Stop() as stop:
            result = Broker(world, request.order(pane), stop).fire()
    return result.reason or result.outcome
