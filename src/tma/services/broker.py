"""Fires one action at one pane: answers what the machine of ``core.act.steps`` asks for, and always lets go."""

import posix
import time

from tma.adapters import system, typeahead
from tma.adapters.tmux import send
from tma.core import stamp
from tma.core.act import effects, gate, lease
from tma.core.act.lease import Lock
from tma.core.act.order import Order, World
from tma.core.act.result import SENT, Result, failed, refused, vanished
from tma.core.act.steps import TYPED, Fire
from tma.core.errors import TmaError, TmuxError, TmuxGoneError
from tma.core.pane import ServerFacts
from tma.services import recheck, running, supervise
from tma.services.glance import PaneGoneError, ask, is_alive, look, standing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tma.core.act.facts import Facts
    from tma.core.act.sight import Sight
    from tma.services.runtime import Runtime
    from tma.services.stop import Stop

NONCE_DIGITS = 32

OVERLAP_MS = 20
"""How long a send may be on its way to the server: a fire that is asked for meanwhile was asked for before it."""

TICK_MS = 12
"""How coarse a process's start is known. A fire ends no sooner, so that the next one does not count as overtaken."""

DRAIN_S = 2.0
"""How long an agent may take to read what was typed."""

_AGAIN_S = 0.2
_POLL_S = 0.02


class Broker:
    """One fire. After ``fire`` its ``machine`` tells what was seen and counted."""

    def __init__(self, runtime: "Runtime", order: Order, stop: "Stop") -> None:
        """Prepare the fire; nothing is read yet."""
        self.runtime = runtime
        self.order = order
        self.stop = stop
        self.machine = Fire(order, world_of(runtime))
        self._fire = system.nonce(NONCE_DIGITS)
        self._locked = False
        self._foreign: bool | None = None
        self._answers: dict[type, Callable[[Any], object]] = {
            effects.Read: self._read,
            effects.Refresh: self._refresh,
            effects.See: self._see,
            effects.Stand: self._stand,
            effects.Acquire: self._acquire,
            effects.Press: self._press,
            effects.Pause: self._pause,
            effects.Drain: self._drain,
            effects.Count: self._count,
            effects.Post: self._post,
            effects.Forget: self._forget,
            effects.Run: self._run,
            effects.Supervise: self._supervise,
        }

    def fire(self) -> Result:
        """Run the machine to its end.

        Raises:
            StoppedError: a signal came; the lock is free again.
            TmuxGoneError: there was no server to begin with.
        """
        steps = self.machine.run()
        answer: object = None
        try:
            while True:
                self.stop.check()
                effect = steps.send(answer)
                answer = self._answers[type(effect)](effect)
        except StopIteration as end:
            return end.value if isinstance(end.value, Result) else failed("nothing came of it")
        except PaneGoneError:
            return vanished()
        except TmuxGoneError:
            if self.machine.facts is None:
                raise
            return failed("no tmux server running")
        except TmaError as error:
            return failed(str(error))
        finally:
            steps.close()
            self._release()

    def _read(self, _effect: effects.Read) -> "Facts | None":
        return look(self.runtime, self.order.pane)

    def _refresh(self, _effect: effects.Refresh) -> None:
        if not self._is_foreign():
            recheck.recheck(self.runtime, self.order.pane)

    def _see(self, effect: effects.See) -> "Sight | None":
        return recheck.see(self.runtime, effect.facts)

    def _stand(self, effect: effects.Stand) -> str:
        return standing(self.runtime, effect.facts, foreign=self._is_foreign())

    def _acquire(self, effect: effects.Acquire) -> bool:
        seen = self.machine.facts
        now = self.runtime.now_ms()
        before = lease.parse(seen.stored[stamp.ACTION] if seen else "")
        if lease.outlives(before, now, alive=is_alive(before)):
            return False
        expiry = now + effect.bound_ms + lease.GRACE_MS
        lock = Lock(expiry, self.order.nonce, posix.getpid(), self.order.action.name)
        self._locked = True
        held = lease.parse(ask(self.runtime, send.acquire(self.order.pane, lock, now)).strip("\n"))
        self._locked = held is not None and held.nonce == lock.nonce
        return self._locked

    def _press(self, effect: effects.Press) -> str:
        pressed_at = self.runtime.now_ms() + OVERLAP_MS
        said = self._pressed(effect, pressed_at)
        if said == f"{self._fire}:sent":
            self._locked = False
            time.sleep(max(0, min(pressed_at + TICK_MS - self.runtime.now_ms(), OVERLAP_MS + TICK_MS)) / 1000)
            return SENT
        return TYPED if said == f"{self._fire}:typed" else said.removeprefix(f"{self._fire}:no:")

    def _pause(self, effect: effects.Pause) -> None:
        end = time.monotonic() + effect.ms / 1000
        while (left := end - time.monotonic()) > 0:
            self.stop.check()
            time.sleep(min(left, _POLL_S))

    def _drain(self, effect: effects.Drain) -> bool:
        """An Enter behind a line that nobody read would run that line in the shell below a dead agent."""
        end = time.monotonic() + DRAIN_S
        while not self._is_foreign() and typeahead.unread(effect.terminal):
            self.stop.check()
            if time.monotonic() >= end:
                return False
            time.sleep(_POLL_S)
        return True

    def _count(self, effect: effects.Count) -> None:
        ask(self.runtime, ["set-option", "-p", "-t", self.order.pane, stamp.ACT_REPEAT, effect.text])

    def _post(self, effect: effects.Post) -> int:
        from tma.adapters import endpoint

        try:
            return endpoint.post(
                effect.address,
                effect.path,
                effect.body,
                timeout_s=effect.timeout_ms / 1000,
                check=self.stop.check,
            )
        except endpoint.AddressRefusedError:
            return 0

    def _forget(self, effect: effects.Forget) -> None:
        try:
            ask(self.runtime, send.forget(self.order.pane, effect.key, effect.value))
        except TmaError:
            return

    def _run(self, effect: effects.Run) -> int | None:
        end_ms = _monotonic_ms() + effect.timeout_ms
        return running.run(effect.command, effect.variables, lambda: _monotonic_ms() >= end_ms, self.stop)

    def _supervise(self, effect: effects.Supervise) -> bool:
        seen = self.machine.facts
        lock = lease.parse(seen.stored[stamp.ACTION] if seen else "")
        order = supervise.Duty(
            pane=self.order.pane,
            agent=seen.agent if seen else "",
            action=self.order.action.name,
            nonce=self.order.nonce,
            expiry=lock.expiry if lock else 0,
            command=effect.command,
            variables=effect.variables,
            timeout_ms=effect.timeout_ms,
        )
        started = supervise.start(self.runtime, order)
        self._locked = not started
        return started

    def _is_foreign(self) -> bool:
        seen = self.machine.facts
        if self._foreign is None and seen is not None:
            host, pid = seen.server
            self._foreign = self.runtime.foreign(ServerFacts("", "", host, pid, 0))
        return bool(self._foreign)

    def _pressed(self, effect: effects.Press, pressed_at: int) -> str:
        """What the guarded send printed; asked for once more if its client died (ACT-SEND-6, ACT-SEND-7)."""
        note = ""
        try:
            said = ask(self.runtime, send.press(effect, self._fire, pressed_at)).strip("\n")
            if said.startswith(f"{self._fire}:"):
                return said
        except PaneGoneError:
            raise
        except TmaError as error:
            note = str(error)
        time.sleep(_AGAIN_S)
        said = ask(self.runtime, send.result(effect.pane)).strip("\n")
        if said.startswith(f"{self._fire}:"):
            return said
        message = f"{note or 'tmux printed no result'}; whether anything was typed is not known"
        raise TmuxError(message)

    def _release(self) -> None:
        """Let go of the lock, whoever holds it by now; a failure changes no result (ACT-SEQ-5)."""
        if not self._locked:
            return
        self._locked = False
        try:
            ask(self.runtime, send.release(self.order.pane, self.order.nonce))
        except PaneGoneError:
            return
        except TmaError as error:
            self.runtime.note(f"the lock of {self.order.pane} was not released: {error}")


def world_of(runtime: "Runtime") -> World:
    """What every fire is judged by besides its pane."""
    gauges = frozenset(str(plain["name"]) for plain in runtime.document.agents if plain["context"])
    return World(runtime.settings.freshness_ms, gauges, runtime.settings.api, runtime.settings.remote)


def verdict(runtime: "Runtime", order: Order, seen: "Facts | None") -> Result | None:
    """What would refuse an action on a stored stamp, None for nothing; it takes no lock and writes nothing."""
    if seen is None:
        return vanished()
    stands = ""
    if order.action.types(seen.agent):
        host, pid = seen.server
        stands = standing(runtime, seen, foreign=runtime.foreign(ServerFacts("", "", host, pid, 0)))
    reason = Fire(order, world_of(runtime)).judge(seen, stands)
    if reason:
        return refused(reason)
    held = lease.parse(seen.stored[stamp.ACTION])
    return refused(gate.LOCKED) if lease.is_held(held, seen.at, alive=is_alive(held)) else None


def _monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000
