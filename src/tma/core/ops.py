"""Option writes of one pane as values, and what they leave when they are run in order.

An op is a tuple ``(form, …)``; ``adapters.tmux.write`` renders it, ``apply`` runs it on a dict by
the same meaning. Nothing else in the product composes a ``set-option``.
"""

from tma.core import guard
from tma.core.stamp import STAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from tma.core.guard import Expr

Op: "TypeAlias" = "tuple[object, ...]"

MAX_VALUE = 1024
"""Bytes of one stored text (SEC-T-3)."""


def put(key: str, value: str) -> "Op":
    """Set an option to a text that is not expanded."""
    return ("put", key, value)


def set_(key: str, expr: "Expr") -> "Op":
    """Set an option to what an expression gives in the server."""
    return ("set", key, expr)


def unset(key: str) -> "Op":
    """Remove an option; an absent one costs nothing (RC-1)."""
    return ("unset", key)


def unless(condition: "Expr", ops: "list[Op]") -> "Op":
    """Run ops if the server finds the condition false."""
    return ("unless", condition, ops)


def when(condition: "Expr", ops: "list[Op]") -> "Op":
    """Run ops if the server finds the condition true."""
    return ("when", condition, ops)


def say(expr: "Expr") -> "Op":
    """Print what an expression gives, for a read-back in the same client (WR-7)."""
    return ("say", expr)


def scoped(flag: str, target: str, key: str, expr: "Expr") -> "Op":
    """Set an option of another scope (``-w``, ``-s``, or a session by ``""``); empty target: the pane's own."""
    return ("scoped", flag, target, key, expr)


def scoped_put(flag: str, target: str, key: str, value: str) -> "Op":
    """Set an option of another scope to a text that is not expanded."""
    return ("scoped_put", flag, target, key, value)


def unscoped(flag: str, target: str, key: str) -> "Op":
    """Remove an option of another scope."""
    return ("unscoped", flag, target, key)


def guarded(key: str, hold: "Expr", new: "Expr") -> "Op":
    """Set an option unless the guard holds, in which case it keeps its value."""
    return set_(key, guard.if_(hold, guard.opt(key), new))


def staged(key: str, hold: "Expr", text: str) -> "list[Op]":
    """A guarded write of free text, through an option, so that it never enters a format (WR-5)."""
    return [put(STAGE, text), guarded(key, hold, guard.opt(STAGE)), unset(STAGE)]


def apply(options: dict[str, str], ops: "list[Op]") -> None:
    """Run ops on a pane's options as the server would; an empty value reads as absent (RD-1)."""
    for form, *args in ops:
        if form == "put":
            _store(options, str(args[0]), str(args[1]))
        elif form == "set":
            _store(options, str(args[0]), guard.evaluate(args[1], options))  # type: ignore[arg-type]
        elif form == "unset":
            options.pop(str(args[0]), None)
        elif form in {"unless", "when"}:
            holds = guard.truthy(guard.evaluate(args[0], options))  # type: ignore[arg-type]
            if holds is (form == "when"):
                apply(options, args[1])  # type: ignore[arg-type]


def _store(options: dict[str, str], key: str, value: str) -> None:
    if value:
        options[key] = value
    else:
        options.pop(key, None)
