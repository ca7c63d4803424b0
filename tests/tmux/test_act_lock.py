"""The pane lock: one winner, and what is left of a broker that was killed at any step."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actor import IDLE, Actor, act, configure, user_action
from harness import TmuxServer, until
from tma.adapters.tmux import client, send
from tma.core.act.lease import Lock, parse

FRESH = "[fold]\nfreshness_secs = 3600\n"
FAR = 99_999_999_999_999


def connect(server: TmuxServer) -> client.Server:
    """The adapter's view of a server."""
    return client.Server(("-S", str(server.socket)), server.binary)


def held(server: TmuxServer, pane: str, value: str) -> None:
    """Put a lock on a pane."""
    server("set-option", "-p", "-t", pane, "@agent_action", value)


def nonce(number: int) -> str:
    """A nonce of a number."""
    return f"{number:032x}"


def test_of_twenty_racers_one_wins_each_round(any_server: TmuxServer) -> None:
    """LK-2, ACT-LOCK-2: 200 rounds, and only the winner's own release frees the lock."""
    pane = any_server.start("cat")
    talk = connect(any_server)

    def ask(number: int) -> bool:
        lock = Lock(FAR, nonce(number), 1, "approve")
        answer = parse(talk.run(send.acquire(pane, lock, 1000)).strip("\n"))
        return answer is not None and answer.nonce == lock.nonce

    with ThreadPoolExecutor(20) as racers:
        for turn in range(200):
            numbers = range(turn * 20, turn * 20 + 20)
            winners = [number for number, won in zip(numbers, racers.map(ask, numbers), strict=True) if won]
            assert len(winners) == 1
            if turn % 20 == 0:
                talk.run(send.release(pane, nonce(winners[0] + 10**6)))
                assert any_server.show(pane, "#{@agent_action}")
            talk.run(send.release(pane, nonce(winners[0])))
            assert any_server.show(pane, "#{@agent_action}") == ""


@pytest.mark.parametrize("value", ["", f"5:{'a' * 32}:1:x", "garbage", "x:y:z:w", ":::", "#{pane_id}", "-5:a:1:x"])
def test_what_is_no_live_lock_is_free(any_server: TmuxServer, value: str) -> None:
    """LK-2: absent, expired, or without leading digits."""
    pane = any_server.start("cat")
    if value:
        held(any_server, pane, value)
    lock = Lock(FAR, nonce(1), 1, "approve")
    assert parse(connect(any_server).run(send.acquire(pane, lock, 1000)).strip("\n")) == lock


def test_a_live_lock_is_not_free(any_server: TmuxServer) -> None:
    """LK-2: and its value stays."""
    pane = any_server.start("cat")
    first = Lock(FAR, nonce(1), 1, "approve")
    held(any_server, pane, first.text)
    assert parse(connect(any_server).run(send.acquire(pane, first._replace(nonce=nonce(2)), 1000)).strip("\n")) == first


def test_only_the_holder_hands_over(any_server: TmuxServer) -> None:
    """LK-5: same nonce and expiry, another process."""
    pane = any_server.start("cat")
    talk = connect(any_server)
    lock = Lock(FAR, nonce(1), 1, "report")
    held(any_server, pane, lock.text)
    stranger = talk.run(send.hand_over(pane, lock._replace(nonce=nonce(2), pid=7))).strip("\n")
    assert parse(stranger) == lock
    assert parse(talk.run(send.hand_over(pane, lock._replace(pid=7))).strip("\n")) == lock._replace(pid=7)


@given(st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=80))
def test_any_stored_text_is_a_lock_or_none(text: str) -> None:
    """FZ-4: parsing never raises."""
    found = parse(text)
    assert (
        found is None
        or text.startswith(f"{found.expiry}:")
        or text.lstrip("0").startswith(f"{found.expiry}:")
        or found.expiry == 0
    )


class TestFires:
    """The broker against a lock of another."""

    @pytest.fixture
    def actor(self, server: TmuxServer) -> Actor:
        """A claude that asks for a permission."""
        server.start()
        configure(server, FRESH)
        made = Actor(server)
        made.block()
        return made

    def test_a_held_lock_refuses_at_once(self, actor: Actor) -> None:
        """ACT-LOCK-2: exit 5; nothing waits, nothing is sent, and the lock is not ours to touch."""
        lock = f"{FAR}:{nonce(1)}:1:deny"
        held(actor.server, actor.pane, lock)
        assert act(actor.server, "approve", "--pane", actor.pane)[:3] == (5, "refused", "locked")
        assert actor.server.options(actor.pane)["@agent_action"] == lock
        assert actor.heard_nothing()

    def test_an_expired_lock_of_a_living_holder_is_held(self, actor: Actor) -> None:
        """LK-3: clocks and timers part across a suspend; after an hour it is free."""
        now = time.time_ns() // 1_000_000
        held(actor.server, actor.pane, f"{now - 1000}:{nonce(1)}:{os.getpid()}:deny")
        assert act(actor.server, "approve", "--pane", actor.pane).reason == "locked"
        held(actor.server, actor.pane, f"{now - 3_700_000}:{nonce(1)}:{os.getpid()}:deny")
        assert act(actor.server, "approve", "--pane", actor.pane).outcome == "sent"

    def test_an_expired_lock_of_the_dead_is_free(self, actor: Actor) -> None:
        """LK-2, LK-3."""
        with subprocess.Popen(["/bin/true"]) as ended:
            ended.wait()
        now = time.time_ns() // 1_000_000
        held(actor.server, actor.pane, f"{now - 1}:{nonce(1)}:{ended.pid}:deny")
        assert act(actor.server, "approve", "--pane", actor.pane).outcome == "sent"

    @pytest.mark.parametrize("after", [False, True])
    @pytest.mark.parametrize("call", range(1, 5))
    def test_a_broker_killed_at_a_step_leaves_a_lock_that_heals(self, actor: Actor, call: int, *, after: bool) -> None:
        """LK-1, LK-2: kill -9 before and behind each call to tmux; the next fire after the expiry works."""
        killer = actor.server.home / "killing-tmux"
        count = actor.server.home / "calls"
        kill = "kill -9 $PPID"
        killer.write_text(
            f'#!/bin/sh\necho x >> "{count}"\nn=$(wc -l < "{count}")\n'
            f'[ "$n" -eq {call} ] && [ {int(not after)} -eq 1 ] && {{ {kill}; exit 1; }}\n'
            f'"{actor.server.binary}" "$@"\ncode=$?\n[ "$n" -eq {call} ] && {kill}\nexit $code\n'
        )
        killer.chmod(0o755)
        user_action(actor.server, "answer", 'kind = "keys"\ntimeout_ms = 1\n[keys]\nclaude = ["1"]\n')
        done = actor.server.tma("act", "answer", "--pane", actor.pane, env={"TMA_TMUX_BIN": str(killer)})
        calls = len(count.read_text().splitlines())
        assert done.returncode == -signal.SIGKILL if calls >= call else done.returncode == 0
        left = parse(actor.server.options(actor.pane).get("@agent_action", ""))
        now = time.time_ns() // 1_000_000
        if left is not None:
            assert 0 < left.expiry - now <= 6000
            assert act(actor.server, "answer", "--pane", actor.pane).reason == "locked"
            held(actor.server, actor.pane, left._replace(expiry=now - 1).text)
        sent_before = actor.heard
        assert act(actor.server, "answer", "--pane", actor.pane).outcome == "sent"
        actor.hears(sent_before + b"1")
        assert sent_before in {b"", b"1"}

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    def test_a_signal_ends_a_fire_in_order(self, actor: Actor, number: signal.Signals) -> None:
        """ACT-SEQ-4: the child's group is killed, the lock is free, the line is written, exit 128 and the number."""
        log = actor.server.home / "act.log"
        configure(actor.server, f'{FRESH}[act]\nlog = "{log}"\n')
        pids = actor.server.home / "pids"
        user_action(actor.server, "long", f'kind = "exec"\ncommand = "sleep 60 & echo $$ $! > {pids}; wait"\n')
        words = [sys.executable, "-m", "tma", "act", "long", "--pane", actor.pane]
        with subprocess.Popen(words, env=actor.server.environment) as fire:
            until(lambda: pids.exists() and pids.read_text().endswith("\n"), what="a running child")
            assert actor.server.options(actor.pane)["@agent_action"].endswith(f":{fire.pid}:long")
            fire.send_signal(number)
            assert fire.wait(20) == 128 + number
        for pid in map(int, pids.read_text().split()):
            until(lambda pid=pid: not pathlib.Path(f"/proc/{pid}").exists(), what="the end of the group")
        assert actor.server.options(actor.pane)["@agent_action"] == ""
        assert json.loads(log.read_text())["outcome"] == "error"


def test_a_double_press_types_a_command_once_at_a_time(server: TmuxServer) -> None:
    """SEC threats, two clients: the second surface finds the lock held while the first one is between its steps."""
    server.start()
    configure(server, FRESH)
    actor = Actor(server, screen=IDLE)
    actor.stamp("idle")
    user_action(server, "slow", 'kind = "text"\n[text]\nclaude = { suffix = ["Enter"], suffix_delay_ms = 2000 }\n')
    words = [sys.executable, "-m", "tma", "act", "slow", "--pane", actor.pane, "--text", "one"]
    with subprocess.Popen(words, env=server.environment, stderr=subprocess.DEVNULL) as first:
        until(lambda: actor.heard == b"one", what="the first line")
        assert act(server, "slow", "--pane", actor.pane, "--text", "two")[:3] == (5, "refused", "locked")
        assert first.wait(20) == 0
    actor.hears(b"one\r")
