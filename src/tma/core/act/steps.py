"""One fire as a machine: look, gate, lock, look again, act (ACT-SEQ-1).

1. Nothing is read before the payload of a text is judged.
2. A stale pane, or one whose screen shows another prompt than its claim stands for, is detected anew once, then
   gated; the lock is asked for last.
3. Under the lock identity, gate and binders are judged again on a new look. A fire that was asked for before
   another one pressed its keys has lost to it, however long the agent takes to react.
4. Before keystrokes the agent's rules read the screen; then the keys are judged once more inside the server,
   in the step that types.
5. Whoever runs the machine lets go of the lock on every path.
"""

from tma.core import stamp
from tma.core.act import effects, gate, guarded, sight, strokes
from tma.core.act.effects import Press
from tma.core.act.gate import Needs
from tma.core.act.order import address_of, reply_path, variables_of
from tma.core.act.result import REPLIED, SENT, SPAWNED, TIMEOUT, Result, ended, exited, failed, refused, vanished
from tma.core.act.schema import API, EXEC, TEXT
from tma.core.names import out_of_scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Any, TypeAlias

    from tma.core.act.effects import Effect, Stroke
    from tma.core.act.facts import Facts
    from tma.core.act.order import Order, World
    from tma.core.act.sight import Sight

    Steps: TypeAlias = Generator[Effect, Any, Result]
    Verdict: TypeAlias = Generator[Effect, Any, str]

MOST_SENDS = 3
"""How often keys are offered while the pane changes under them (ACT-SEND-5)."""

GONE = "gone"
TYPED = "typed"

_FOUND, _GONE_STATUS = range(200, 300), 404


class Fire:
    """One fire; ``facts`` is the last look, None before the first, ``repeat`` counts it once an effect was reached."""

    def __init__(self, order: "Order", world: "World") -> None:
        """Prepare it; nothing happens before ``run``."""
        self.order = order
        self.world = world
        self.facts: Facts | None = None
        self.repeat = 0
        self._standing = ""
        self._first_command = ""
        self._sight: Sight | None = None

    def run(self) -> "Steps":
        """Fire."""
        action = self.order.action
        reason = self._payload()
        if reason:
            return refused(reason)
        reason = (yield from self._look()) or gate.identity_refusal(action, self._seen, self._standing)
        reason = reason or (yield from self._see())
        if not reason and self._needs_refresh():
            yield effects.Refresh()
            reason = (yield from self._look()) or (yield from self._see())
        reason = reason or self._gate()
        if reason:
            return _ended_by(reason)
        if not (yield effects.Acquire(action.lock_ms)):
            return refused(gate.LOCKED)
        reason = yield from self._under_lock()
        return _ended_by(reason) if reason else (yield from self._act())

    def judge(self, facts: "Facts", standing: str) -> str:
        """Why a look that somebody else took would refuse the fire, empty when nothing would."""
        self.facts, self._standing = facts, standing
        return self._payload() or self._gate()

    @property
    def transport(self) -> str:
        """How the fire reaches the agent, as far as that was found out."""
        return self.order.action.transport(self.facts.agent if self.facts else "")

    def _payload(self) -> str:
        """Step 0: the caller's line."""
        text = self.order.text
        return "" if text is None else gate.text_refusal(text, self.order.action.sigils)

    def _look(self) -> "Verdict":
        """Read the pane, and who stands in front of it; ``gone`` when it is not there."""
        facts = yield effects.Read()
        if facts is None:
            return GONE
        self.facts = facts
        if self.order.action.types(facts.agent):
            self._standing = yield effects.Stand(facts)
        self._first_command = self._first_command or facts.command
        return ""

    def _see(self) -> "Verdict":
        """Read the screen that the fire begins with; nothing in that refuses."""
        if sight.wanted(self.order.action, self._seen.agent):
            self._sight = yield effects.See(self._seen)
        return ""

    def _needs_refresh(self) -> bool:
        return (
            self.order.action.kind != EXEC
            and (self._seen.is_stale(self.world.freshness_ms) or sight.is_stale(self._seen, self._sight))
            and not out_of_scope(self._seen.command, self.world.remote)
        )

    def _gate(self) -> str:
        return gate.refusal(self.order.action, self._seen, self._needs(), force=self.order.force)

    def _under_lock(self) -> "Verdict":
        """Step 5: everything again, and what the caller saw."""
        reason = (yield from self._look()) or self._gate() or gate.bound(self._seen, self.order.binders)
        claimed = self.order.action.types(self._seen.agent) and self._standing == gate.CLAIMED
        if not reason and claimed and self._seen.command != self._first_command:
            return gate.WRONG_AGENT
        overtaken = self.order.action.types(self._seen.agent) and self._seen.is_overtaken(
            self.order.at, self.order.settle_ms
        )
        return gate.LOCKED if not reason and self.order.at and overtaken else reason

    def _needs(self) -> Needs:
        agent = self._seen.agent
        return Needs(agent in self.world.gauges, address_of(self._seen, self.world.api) is not None, self._standing)

    @property
    def _seen(self) -> "Facts":
        if self.facts is None:
            message = "nothing was read yet"
            raise RuntimeError(message)
        return self.facts

    def _act(self) -> "Steps":
        action, agent = self.order.action, self._seen.agent
        kind = action.transport(agent)
        if kind == API:
            return (yield from self._reply())
        if kind == EXEC:
            return (yield from self._run())
        if kind == TEXT:
            typing = action.typing[agent]
            return (yield from self._type(strokes.line(typing, self.order.text or ""), typing.suffix_delay_ms))
        keys, delay = action.keys[agent], action.key_delay_ms.get(agent, 0)
        return (yield from self._type(strokes.presses(keys, apart=delay > 0), delay))

    def _type(self, bursts: "list[tuple[Stroke, ...]]", delay_ms: int) -> "Steps":
        """Send keystrokes, each burst under its guard, the first one again while the pane changes."""
        result = yield from self._open(bursts[0], last=len(bursts) == 1)
        if result is not None:
            return result
        for index, burst in enumerate(bursts[1:], start=1):
            yield effects.Pause(delay_ms)
            if not (yield effects.Drain(self._seen.terminal)):
                return failed(f"{strokes.told(index, is_line=self.order.text is not None)}; the agent does not read it")
            token = yield from self._press(burst, first=False, last=index == len(bursts) - 1)
            if token not in {SENT, TYPED}:
                return failed(f"{strokes.told(index, is_line=self.order.text is not None)}; the rest was not ({token})")
        return self._counted(ended(SENT))

    def _open(self, burst: "tuple[Stroke, ...]", *, last: bool) -> "Generator[Effect, Any, Result | None]":
        """The first burst; None when more have to follow."""
        token = ""
        for attempt in range(MOST_SENDS):
            if attempt:
                reason = yield from self._under_lock()
                if reason:
                    return _ended_by(reason)
            token = yield from self._press(burst, first=True, last=last)
            if token != guarded.CHANGED:
                break
        if token == TYPED:
            return None
        if token == SENT:
            return self._counted(ended(SENT))
        if token in guarded.REASONS:
            return refused(guarded.REASONS[token])
        return vanished() if token == guarded.GONE else failed(f"tmux does not say whether it typed ({token})")

    def _press(self, burst: "tuple[Stroke, ...]", *, first: bool, last: bool) -> "Verdict":
        """Type if the screen is what the action is for, and every condition holds in the server."""
        order = self.order
        if sight.wanted(order.action, self._seen.agent):
            seen = yield effects.See(self._seen)
            another = sight.is_another(order.action, self._sight, seen)
            if another or sight.contradicts(order.action, self._seen.agent, seen, first=first):
                return guarded.SCREEN
        look = guarded.Look(order.action, self._seen, order.binders, order.nonce, order.force)
        conditions = guarded.conditions(look, first=first)
        told = yield Press(
            order.pane,
            conditions,
            burst,
            self._count_text(),
            self._seen.episode,
            last,
            order.action.leave_mode,
        )
        return str(told)

    def _reply(self) -> "Steps":
        """Answer over the agent's interface; keys are never the fallback (ACT-API-1, ACT-API-5)."""
        facts, action = self._seen, self.order.action
        address = address_of(facts, self.world.api)
        if address is None:
            return refused(gate.REQUIRES_UNMET)
        yield effects.Count(self._count_text())
        body = f'{{"reply":"{action.api[facts.agent].reply}"}}'
        status = yield effects.Post(address, reply_path(facts), body, action.timeout_ms)
        if not status:
            return refused(gate.REQUIRES_UNMET)
        if status == _GONE_STATUS:
            return self._counted(vanished(gate.REQUEST_GONE))
        if status not in _FOUND:
            return self._counted(failed(f"the agent's interface answered {status}"))
        yield effects.Forget(stamp.PERMISSION_REQUEST, facts.stored[stamp.PERMISSION_REQUEST])
        return self._counted(ended(REPLIED))

    def _run(self) -> "Steps":
        action = self.order.action
        variables = variables_of(self.order, self._seen)
        yield effects.Count(self._count_text())
        if action.detach:
            started = yield effects.Supervise(action.command, variables, action.detach_timeout_ms)
            return self._counted(ended(SPAWNED)) if started else failed("the supervisor did not start")
        code = yield effects.Run(action.command, variables, action.timeout_ms)
        return self._counted(ended(TIMEOUT) if code is None else exited(code))

    def _count_text(self) -> str:
        return f"{self._seen.episode}:{self.order.action.name}:{self._seen.repeats(self.order.action.name)}"

    def _counted(self, result: Result) -> Result:
        self.repeat = self._seen.repeats(self.order.action.name)
        return result


def _ended_by(reason: str) -> Result:
    return vanished() if reason == GONE else refused(reason)
