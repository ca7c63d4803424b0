"""Many producers stamp one pane at once: no tuple is torn, and older evidence never wins."""

import random
import threading
import time
from collections.abc import Callable

import pytest

from harness import TmuxServer, tmux_binaries
from tma.adapters.tmux import client, read, write
from tma.core import guard, ops, stamp, writes
from tma.core.events import chains, hooks
from tma.core.guard import opt
from tma.core.stamp import Stamp
from tma.core.writes import Claim, Looked

Allowed = Callable[[Stamp], bool]
WORKERS = 8
STATES = ("working", "blocked", "idle")
BEFORE_AND_AFTER = (stamp.STATE, stamp.DETAIL, stamp.SOURCE, stamp.EVIDENCE_AT, stamp.SINCE, stamp.STAMPED_AT)
ENTRIES = {
    "working": {"event": "E", "state": "working"},
    "blocked": {"event": "E", "state": "blocked", "detail": "permission"},
    "idle": {"event": "E", "state": "idle", "turn_end": True},
}


class Clock:
    """Instants that never repeat, so that an evidence instant names the write that made it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def now(self) -> int:
        """The next instant."""
        with self._lock:
            self._last = max(time.time_ns() // 1_000_000, self._last + 1)
            return self._last


class Producer:
    """One writer: it reads, waits a random moment, and stamps what it saw."""

    def __init__(self, server: TmuxServer, pane: str, clock: Clock, seed: int) -> None:
        self.talk = client.Server(("-S", str(server.socket)), server.binary)
        self.pane = pane
        self.clock = clock
        self.chance = random.Random(seed)
        self.faults: list[str] = []

    def run(self, rounds: int) -> None:
        """Stamp so many times."""
        for _ in range(rounds):
            self.chance.choice([self.hook, self.hook, self.poll])()

    def hook(self) -> None:
        """An event of a random state, delivered after a random delay."""
        state = self.chance.choice(STATES)
        at = self.clock.now() - self.chance.choice([0, 0, 5, 40])
        event = hooks.Event("E", at, "{}")
        target = chains.Target("claude", {}, [])
        claim = Claim(state, source="hook", at=at, detail="permission" if state == "blocked" else "")
        self.stamp(claim, chains.plan(event, ENTRIES[state], target), lambda prior: prior.evidence <= at)

    def poll(self) -> None:
        """A capture judged against the prior that it read, written later."""
        at = self.clock.now()
        command, mark = read.list_panes()
        (record,), _ = read.parse(self.talk.run(command), mark)
        prior, _ = stamp.decode(record.options)
        state = self.chance.choice(STATES)
        claim = Claim(state, source="capture", at=at, detail="permission" if state == "blocked" else "")
        known = prior.evidence if prior else 0
        hold, allowed = self.chance.choice(
            [
                (guard.carve(at), lambda stored: at > stored.evidence),
                (guard.protect(), lambda _stored: False),
                (guard.decided(known), lambda stored: stored.evidence <= known),
            ]
        )
        looked = Looked(now=self.clock.now(), pid=7, name="claude", options=record.options)
        self.stamp(claim, writes.publish(claim, hold, looked), allowed)

    def stamp(self, claim: Claim, chain: list[ops.Op], over_hook: Allowed) -> None:
        """Write with the values before and after in the same client, and judge them."""
        ask = [ops.say(guard.raw(f"<{guard.render(opt(key))}>")) for key in BEFORE_AND_AFTER]
        answer = self.talk.feed(write.script(self.pane, [*ask, *chain, *ask]))
        values = [line[1:-1] for line in answer.splitlines()]
        half = len(BEFORE_AND_AFTER)
        self.judge(values[:half], values[half:], claim, over_hook)

    def judge(self, before: list[str], after: list[str], claim: Claim, over_hook: Allowed) -> None:
        """Note what must not happen."""
        intended = [claim.state, claim.detail, claim.source, str(claim.at)]
        if after[:4] not in (before[:4], intended):
            self.faults.append(f"torn: {before} -> {after}, intended {intended}")
        prior, _ = stamp.decode(dict(zip(BEFORE_AND_AFTER, before, strict=True)))
        replaced = after[:4] != before[:4]
        if replaced and prior and prior.source == "hook" and not over_hook(prior):
            self.faults.append(f"older evidence won: {before} -> {after}")
        moved = bool(before[4]) and after[4] != before[4]
        if moved and before[0] == after[0] and not (prior and _stepped(prior, after)):
            self.faults.append(f"since moved without a change: {before} -> {after}")
        if before[5] and int(after[5]) < int(before[5]) and claim.source == "capture":
            self.faults.append(f"freshness went back: {before} -> {after}")


def _stepped(prior: Stamp, after: list[str]) -> bool:
    return prior.since > int(after[5]) + stamp.CLOCK_STEP_MS


def settled_tuples(server: TmuxServer, pane: str, stop: threading.Event) -> list[Stamp]:
    """What a reader sees while others write."""
    talk = client.Server(("-S", str(server.socket)), server.binary)
    found = []
    while not stop.is_set():
        command, mark = read.list_panes()
        records, _ = read.parse(talk.run(command), mark)
        decoded, problem = stamp.decode(records[0].options)
        assert problem == "", pane
        if decoded and not decoded.in_progress:
            found.append(decoded)
    return found


@pytest.mark.parametrize("binary", tmux_binaries())
def test_eight_producers_never_tear_a_tuple(binary: str, server: TmuxServer) -> None:
    """Section 13 of the store, 1 to 3, 6 and 10; GRD-1 to GRD-6: 10,000 writes here, 1,000 elsewhere."""
    server.binary = binary
    pane = server.start("cat")
    clock = Clock()
    writes_each = (10_000 if binary == tmux_binaries()[0] else 1_000) // WORKERS
    producers = [Producer(server, pane, clock, seed) for seed in range(WORKERS)]
    threads = [threading.Thread(target=producer.run, args=(writes_each,)) for producer in producers]
    stop = threading.Event()
    seen: list[Stamp] = []
    reader = threading.Thread(target=lambda: seen.extend(settled_tuples(server, pane, stop)))
    for thread in (*threads, reader):
        thread.start()
    for thread in threads:
        thread.join()
    stop.set()
    reader.join()
    assert [fault for producer in producers for fault in producer.faults] == []
    assert seen
    for decoded in seen:
        assert (decoded.detail == "permission") == (decoded.state == "blocked")
