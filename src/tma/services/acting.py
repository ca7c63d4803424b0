"""Fires an action at one pane or, one after the other, at many; each fire is recorded and told of."""

import posix

from tma.adapters import audit, system
from tma.core import stamp
from tma.core.act.order import Order
from tma.core.act.result import Result, failed
from tma.core.errors import TmaError
from tma.core.state import number
from tma.services.broker import NONCE_DIGITS, Broker
from tma.services.stop import Stop, StoppedError
from tma.view import act

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from tma.core.act.gate import Binders
    from tma.core.act.schema import Action
    from tma.services.runtime import Runtime

BATCH_DIGITS = 16

MENU = "menu"
MENU_SETTLE_MS = 1000
"""How long a menu entry outlives another answer to its prompt: the person chose from what stood before it."""


class Request:
    """What a person asked for, whatever the panes: the action with its words, how strictly, and from where."""

    __slots__ = ("action", "args", "at", "batch", "binders", "force", "source", "text")

    def __init__(self, action: "Action", *, binders: "Binders", source: str, force: bool = False) -> None:
        """Keep the parts; ``batch`` names the fires of one request at many panes, ``at`` is when it was made."""
        self.action = action
        self.binders = binders
        self.source = source
        self.force = force
        self.text: str | None = None
        self.args: tuple[str, ...] = ()
        self.batch: str | None = None
        self.at = system.now_ms()

    def order(self, pane: str) -> Order:
        """The order for one pane."""
        return Order(
            self.action,
            pane,
            system.nonce(NONCE_DIGITS),
            force=self.force,
            binders=self.binders,
            text=self.text,
            args=self.args,
            at=self.at,
            settle_ms=MENU_SETTLE_MS if self.source == MENU else 0,
        )


def fire(runtime: "Runtime", request: Request, panes: "Iterable[str]") -> list[Result]:
    """Fire at each pane in turn; one refusal stops nothing (ACT-ALL-1).

    Raises:
        SystemExit: a signal came; nothing is left locked, and the fire is recorded.
    """
    results = []
    caller = calling_agent(runtime, request.source) if runtime.settings.act_log else None
    with Stop() as stop:
        for pane in panes:
            broker = Broker(runtime, request.order(pane), stop)
            try:
                result = broker.fire()
            except StoppedError as stopped:
                _record(runtime, request, broker, failed("stopped by a signal"), caller)
                raise SystemExit(stopped.code) from None
            _record(runtime, request, broker, result, caller)
            results.append(result)
    return results


def refuse_all(request: Request, panes: "Iterable[str]") -> list[Result]:
    """The results of a request that a person did not confirm; nothing is recorded (ACT-CONF-1, ACT-LOG-1)."""
    return [failed(f"{request.action.name} was not confirmed") for _ in panes]


def _record(runtime: "Runtime", request: Request, broker: Broker, result: Result, caller: str | None) -> None:
    """Tell of a fire on standard error, and write its line (ACT-RES-1, ACT-REP-2, ACT-LOG-1)."""
    machine, name, pane = broker.machine, request.action.name, broker.order.pane
    for line in (act.note(name, pane, result), act.repeat_note(name, pane, machine.repeat)):
        if line:
            runtime.note(line)
    if runtime.settings.act_log:
        audit.append(
            runtime.settings.act_log,
            act.audit_line(
                act.Fired(
                    broker.order,
                    result,
                    machine.facts,
                    machine.transport,
                    machine.repeat,
                    runtime.now_ms(),
                    request.source,
                    request.batch,
                    caller,
                )
            ),
        )


def calling_agent(runtime: "Runtime", source: str) -> str | None:
    """The pane of the agent that this call came from, None for none (ACT-FROM-1).

    The nearest ancestor that is a pane's agent decides; without one the pane that the environment
    names, if an agent runs there. A menu's environment is the server's and says nothing.
    """
    mark = system.nonce(8)
    named = system.env("TMUX_PANE")
    fields = f"#{{pane_id}}|{mark}|#{{{stamp.PID}}}|{mark}|#{{{stamp.NAME}}}"
    try:
        panes = [
            line.split(f"|{mark}|") for line in runtime.server.run(["list-panes", "-a", "-F", fields]).splitlines()
        ]
    except TmaError:
        return None
    by_pid = {number(pid): pane for pane, pid, _ in panes if number(pid)}
    try:
        above = [pid for pid, _ in runtime.procs().ancestors(posix.getpid())]
    except TmaError:
        above = []
    found = next((by_pid[pid] for pid in above if pid in by_pid), None)
    if found is None and source != MENU:
        found = next((pane for pane, _, name in panes if pane == named and name in runtime.names), None)
    return found
