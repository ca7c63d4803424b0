"""A race for the act broker: agents that swap their prompts within milliseconds, and workers that fire at them.

The judge is the server itself: a hook behind every `send-keys` notes, in the same step, the options and
the screen that stood when the keys went out.
"""

import multiprocessing
import os
import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from actor import IDLE, PERMISSION, PLAN, named_python
from harness import TmuxServer, until
from tma.core.act.gate import Binders
from tma.services import actions, cache, glance, runtime
from tma.services.acting import Request
from tma.services.broker import Broker
from tma.services.stop import Stop

SCREENS = {
    "A": PERMISSION.replace("make test", "prompt A"),
    "B": PERMISSION.replace("make test", "prompt B"),
    "plan": PLAN,
    "idle": IDLE,
}
STATES = {
    "A": ("blocked", "permission"),
    "B": ("blocked", "permission"),
    "plan": ("blocked", "plan"),
    "idle": ("idle", ""),
}
WORKERS = 8

_SWAPPER = r"""
import os, random, select, subprocess, sys, termios, time, tty
socket, tmux, pane, log, stop, mode, seed = sys.argv[1:8]
SCREENS, STATES = SCREENS_HERE, STATES_HERE
chance = random.Random(int(seed))
tty.setraw(0)
attributes = termios.tcgetattr(0)
attributes[1] |= termios.OPOST | termios.ONLCR
termios.tcsetattr(0, termios.TCSANOW, attributes)
heard = open(log, "w", buffering=1)
pid = os.getpid()
last = 0

def stamp(name):
    global last
    state, detail = STATES[name]
    last = now = max(last + 1, time.time_ns() // 1000000)
    values = {"name": "claude", "pid": pid, "state": state, "detail": detail, "source": "hook"}
    values |= {"evidence_at": now, "since": now, "stamped_at": now}
    words = []
    for key, value in values.items():
        words += ["set-option", "-p", "-t", pane, f"@agent_{key}", str(value), ";"]
    subprocess.run([tmux, "-u", "-S", socket, *words[:-1]], check=False, stdin=subprocess.DEVNULL)

def draw(name):
    os.write(1, b"\x1b[2J\x1b[H" + SCREENS[name].encode())

shown = "A"
draw(shown)
stamp(shown)
open(log + ".ready", "w").close()
while not os.path.exists(stop):
    end = time.monotonic() + chance.choice((chance.uniform(0, 0.01), chance.uniform(0, 0.3)))
    while (left := end - time.monotonic()) > 0:
        if select.select([0], [], [], left)[0]:
            heard.write(f"{shown} {os.read(0, 4096).hex()}\n")
    following = chance.choice(list(SCREENS))
    if mode == "terminal":
        shown = following
        draw(shown)
    elif chance.random() < 0.5:
        shown = following
        draw(shown)
        stamp(following)
    else:
        stamp(following)
        shown = following
        draw(shown)
"""
_NOTED = (
    "#{@agent_action}",
    "#{@agent_plain}",
    "#{@agent_state}",
    "#{@agent_detail}",
    "#{@agent_since}",
    "#{C/r:1[.] Yes$}",
    "#{C/r:Esc to cancel}",
)


class Sent(NamedTuple):
    """What the server held when keys went out."""

    lock: str
    plain: str
    state: str
    detail: str
    episode: str
    on_screen: bool

    @property
    def is_permission(self) -> bool:
        """Whether a permission was asked for, in the options and on the screen."""
        return (self.state, self.detail, self.on_screen) == ("blocked", "permission", True)


class Report(NamedTuple):
    """One run: outcomes by name, what the server held at each send, and what each key found in the agent's own eyes."""

    outcomes: Counter[str]
    sent: list[Sent]
    wrong: list[str]
    found: Counter[str]
    seconds: float


@contextmanager
def swapping(server: TmuxServer, count: int, *, mode: str, seed: int) -> Iterator[list[str]]:
    """Agents that swap what they show until the block ends; their panes."""
    stop = server.home / f"stop-{seed}-{mode}"
    script = server.home / f"swapper-{mode}.py"
    script.write_text(_SWAPPER.replace("SCREENS_HERE", repr(SCREENS)).replace("STATES_HERE", repr(STATES)))
    panes, logs = [], []
    for index in range(count):
        pane = server.pane("cat")
        log = server.home / f"race-{mode}-{seed}-{index}.log"
        words = [str(named_python(server.home, "claude")), "-I", "-S", str(script)]
        words += [str(server.socket), server.binary, pane, str(log), str(stop), mode, str(seed + index)]
        server("respawn-pane", "-k", "-t", pane, *words)
        panes.append(pane)
        logs.append(log)
    for log in logs:
        until(Path(f"{log}.ready").exists, what="a swapping agent")
    try:
        yield panes
    finally:
        stop.touch()


def watch_sends(server: TmuxServer) -> None:
    """Have the server note what it holds behind every `send-keys`, in the same step."""
    line = "<>".join(_NOTED)
    server("set-hook", "-g", "after-send-keys", f"set-option -gaF @sends '{line}<n>'")


def taken_sends(server: TmuxServer) -> list[Sent]:
    """What was noted since the last question."""
    text = server("display-message", "-p", "#{@sends}", ";", "set-option", "-gqu", "@sends")
    rows = [row.split("<>") for row in text.split("<n>") if row]
    return [Sent(*row[:5], row[5] not in {"", "0"} and row[6] not in {"", "0"}) for row in rows]


def race(
    server: TmuxServer, fires: int, *, panes: int = 4, mode: str = "both", plain: bool = False, seed: int = 1
) -> Report:
    """Fire so often, from eight workers, and judge every key by what the server noted."""
    keep_stamps_fresh(server)
    watch_sends(server)
    taken_sends(server)
    began = time.monotonic()
    with swapping(server, panes, mode=mode, seed=seed) as targets:
        share = fires // WORKERS
        context = multiprocessing.get_context("fork")
        with context.Pool(WORKERS) as pool:
            work = _plain_worker if plain else _worker
            jobs = [
                pool.apply_async(work, (server.environment, targets, share, seed * 100 + index))
                for index in range(WORKERS)
            ]
            sent: list[Sent] = []
            while not all(job.ready() for job in jobs):
                sent += taken_sends(server)
                jobs[0].wait(0.2)
            done = [row for job in jobs for row in job.get()]
        sent += taken_sends(server)
    logs = server.home.glob(f"race-{mode}-{seed}-*.log")
    found = Counter(line.split(" ")[0] for log in logs for line in log.read_text().splitlines())
    return _judged(done, sent, found, time.monotonic() - began)


def keep_stamps_fresh(server: TmuxServer) -> None:
    """A stale stamp would be detected anew, and the race is about what is stored."""
    config = server.home / "config" / "tma" / "config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text("[fold]\nfreshness_secs = 3600\n")


def _judged(done: list[tuple[str, str, int]], sent: list[Sent], found: Counter[str], seconds: float) -> Report:
    gated = {key: episode for key, _, episode in done}
    wrong = []
    for each in sent:
        key = each.lock.split(":")[1] if ":" in each.lock else each.plain
        if not each.is_permission or str(gated.get(key)) != each.episode:
            wrong.append(f"gated {gated.get(key)}, found {each}")
    outcomes = Counter(outcome for _, outcome, _ in done)
    if outcomes["sent"] != len(sent):
        wrong.append(f"{outcomes['sent']} fires say sent, the server sent {len(sent)}")
    return Report(outcomes, sent, wrong, found, seconds)


@contextmanager
def world_of(environment: dict[str, str]) -> Iterator[runtime.Runtime]:
    """What commands work with, in an environment of a test."""
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(environment)
    try:
        document = cache.load(config_path="", manifest_dir="", env=environment)
        yield runtime.connect(cache.Options(), document)
    finally:
        os.environ.clear()
        os.environ.update(before)


def _worker(environment: dict[str, str], panes: list[str], count: int, seed: int) -> list[tuple[str, str, int]]:
    """Fire approve, half of the time bound to what was seen a moment before."""
    with world_of(environment) as world:
        return _guarded(world, environment, panes, count, seed)


def _guarded(
    world: runtime.Runtime, environment: dict[str, str], panes: list[str], count: int, seed: int
) -> list[tuple[str, str, int]]:
    action = actions.load(environment).named("approve")
    assert action is not None
    chance = random.Random(seed)
    done = []
    for _ in range(count):
        pane = chance.choice(panes)
        seen = glance.look(world, pane) if chance.random() < 0.5 else None
        request = Request(action, binders=Binders(seen.episode if seen else None), source="cli")
        with Stop() as stop:
            broker = Broker(world, request.order(pane), stop)
            result = broker.fire()
        facts = broker.machine.facts
        done.append((broker.order.nonce, result.reason or result.outcome, facts.episode if facts else 0))
    return done


def _plain_worker(environment: dict[str, str], panes: list[str], count: int, seed: int) -> list[tuple[str, str, int]]:
    """Read, and send if a permission was read: what a tool without a guard does."""
    with world_of(environment) as world:
        return _plain(world, panes, count, seed)


def _plain(world: runtime.Runtime, panes: list[str], count: int, seed: int) -> list[tuple[str, str, int]]:
    chance = random.Random(seed)
    done = []
    for index in range(count):
        pane = chance.choice(panes)
        seen = glance.look(world, pane)
        key = f"{seed}.{index}"
        if seen is None or (seen.state, seen.detail) != ("blocked", "permission"):
            done.append((key, "gated", 0))
            continue
        world.server.run(["set-option", "-p", "-t", pane, "@agent_plain", key, ";", "send-keys", "-t", pane, "--", "1"])
        done.append((key, "sent", seen.episode))
    return done
