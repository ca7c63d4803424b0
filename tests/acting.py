"""Facts, actions and orders for tests of acting, as literals."""

from collections.abc import Callable, Mapping
from typing import Any

from tma.core import stamp
from tma.core.act import facts as looked
from tma.core.act import schema
from tma.core.act.facts import FIELDS, Facts
from tma.core.act.order import Order, World
from tma.core.act.schema import Action
from tma.services import cache
from tma.services.runtime import Runtime

NOW = 1_700_000_000_000
NONCE = "0123456789abcdef0123456789abcdef"

_PLAIN = {
    "pane_id": "%5",
    "pane_dead": "0",
    "pane_input_off": "0",
    "pane_in_mode": "0",
    "pane_synchronized": "0",
    "pane_pid": "10",
    "pane_current_command": "claude",
    "session_name": "work",
    "window_index": "1",
    "pane_index": "0",
    "host": "box",
    "pid": "2",
    "pane_current_path": "/home/u/app",
    "pane_title": "fix the build",
    stamp.NAME: "claude",
    stamp.PID: "20",
    stamp.STATE: "blocked",
    stamp.DETAIL: "permission",
    stamp.SINCE: "1699999999000",
    stamp.EVIDENCE_AT: "1699999999000",
    stamp.STAMPED_AT: "1699999999500",
}
_BASE: dict[str, Any] = {"min_engine_version": "0.6", "label": "A label"}


def facts(values: Mapping[str, str] | None = None, *, at: int = NOW, **plain: str) -> Facts:
    """One look at a pane whose agent asks for permission, with changes by format or option name."""
    merged = {**_PLAIN, **plain, **(values or {})}
    found = looked.parse([merged.get(name, "") for name in FIELDS], at)
    assert found is not None
    return found


def keys_action(name: str = "approve", **changes: object) -> Action:
    """A keys action that presses ``1`` at a blocked claude."""
    when = {"state": ["blocked"], "detail": ["permission"]}
    return action(name, {"kind": "keys", "when": when, "keys": {"claude": ["1"]}, **changes})


def text_action(name: str = "steer", **changes: object) -> Action:
    """A text action for an idle claude."""
    return action(
        name, {"kind": "text", "when": {"state": ["idle"]}, "text": {"claude": {"suffix": ["Enter"]}}, **changes}
    )


def exec_action(name: str = "report", **changes: object) -> Action:
    """An exec action for every agent."""
    return action(name, {"kind": "exec", "command": "true", **changes})


def action(name: str, data: Mapping[str, Any]) -> Action:
    """An action of a parsed table; a key whose value is None is left out."""
    whole = {**_BASE, "name": name, **data}
    return schema.parse(name, {key: value for key, value in whole.items() if value is not None}, f"{name}.toml")


def order(chosen: Action, **changes: Any) -> Order:
    """An order for pane ``%5``."""
    return Order(chosen, "%5", NONCE)._replace(**changes)


def world(**changes: Any) -> World:
    """A world in which nothing is stale and claude declares a gauge."""
    return World(freshness_ms=10_000, gauges=frozenset(("claude",)), api={})._replace(**changes)


class FakeServer:
    """A tmux server that answers by a function, or raises what it gives, and keeps every call."""

    def __init__(self, reply: Callable[[list[str]], str | Exception]) -> None:
        self.reply = reply
        self.calls: list[list[str]] = []
        self.binary = "/usr/bin/tmux"
        self.selector: tuple[str, ...] = ()

    def run(self, words: list[str], *, timeout_s: float = 3.0) -> str:
        """Answer one call."""
        assert timeout_s > 0
        self.calls.append(words)
        answer = self.reply(words)
        if isinstance(answer, Exception):
            raise answer
        return answer


def fake_runtime(reply: Callable[[list[str]], str | Exception]) -> tuple[Runtime, FakeServer]:
    """The default configuration over such a server."""
    server = FakeServer(reply)
    return Runtime(cache.Options(), cache.load(env={}), server), server


def look_text(words: list[str], values: Mapping[str, str] | None = None) -> str:
    """What a server would print for a look of the broker's, whatever its mark is."""
    mark = words[-1].split("|")[1]
    return f"|{mark}|".join({**_PLAIN, **(values or {})}.get(name, "") for name in FIELDS) + "\n"
