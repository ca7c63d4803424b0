"""Keystrokes into a pane, and the pane's lock: the only place that builds `send-keys` (ACT-SEND-9).

Guard, keys, result, counter and release are one step of the server: nothing happens between them.
"""

from tma.adapters.tmux.write import quote
from tma.core import stamp
from tma.core.act import guarded, lease
from tma.core.act.facts import FIELDS
from tma.core.guard import eq, if_, lit, opt, render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.act.effects import Press, Stroke
    from tma.core.act.lease import Lock


def look(pane_id: str, mark: str) -> list[str]:
    """The command of one look at a pane; the fields are split by ``|mark|`` (READ-2)."""
    return ["display-message", "-p", "-t", pane_id, f"|{mark}|".join(f"#{{{name}}}" for name in FIELDS)]


def fields(text: str, mark: str) -> list[str]:
    """The values that a look printed."""
    return text.removesuffix("\n").split(f"|{mark}|")


def acquire(pane_id: str, lock: "Lock", now: int) -> list[str]:
    """Take the lock if the server finds it free, and read it back (LK-2)."""
    return [*_set(pane_id, stamp.ACTION, lease.taken(lock, now)), ";", *_said(pane_id, stamp.ACTION)]


def release(pane_id: str, nonce: str) -> list[str]:
    """Let go of the lock, if it is still ours (LK-4)."""
    return _set(pane_id, stamp.ACTION, lease.released(nonce))


def hand_over(pane_id: str, lock: "Lock") -> list[str]:
    """Give our lock to another process, and read it back (LK-5)."""
    return [*_set(pane_id, stamp.ACTION, lease.handed_over(lock)), ";", *_said(pane_id, stamp.ACTION)]


def press(order: "Press", fire: str, at: int) -> list[str]:
    """One guarded send; ``fire`` marks the result that it prints, ``at`` the instant of its end (ACT-SEND-1)."""
    where = f"-t {order.pane}"
    then = [f"copy-mode -q {where}"] if order.leave_mode else []
    then += [_keys(where, stroke) for stroke in order.strokes]
    then.append(f"set-option -p {where} {stamp.ACT_RESULT} {quote(f'{fire}:sent' if order.last else f'{fire}:typed')}")
    if order.last:
        then.append(f"set-option -p {where} {stamp.ACT_REPEAT} {quote(order.repeat)}")
        then.append(f"set-option -p {where} {stamp.ACTED} {quote(f'{at}:{order.episode}')}")
        then.append(f"set-option -p {where} {stamp.ACTION} ''")
    refused = quote(f"{fire}:no:{guarded.first_failure(order.conditions)}")
    otherwise = f"set-option -pF {where} {stamp.ACT_RESULT} {refused}"
    branches = [guarded.all_hold(order.conditions), " ; ".join(then), otherwise]
    return ["if-shell", "-F", "-t", order.pane, *branches, ";", *_said(order.pane, stamp.ACT_RESULT)]


def forget(pane_id: str, key: str, value: str) -> list[str]:
    """Unset an option, if it still holds a checked value."""
    stored = opt(key)
    return _set(pane_id, key, render(if_(eq(stored, lit(value)), "", stored)))


def result(pane_id: str) -> list[str]:
    """Read what the last guarded send left."""
    return _said(pane_id, stamp.ACT_RESULT)


def _keys(where: str, stroke: "Stroke") -> str:
    flag = "-l " if stroke.literal else ""
    return f"send-keys {where} {flag}-- {' '.join(map(quote, stroke.words))}"


def _set(pane_id: str, key: str, value: str) -> list[str]:
    return ["set-option", "-pqF", "-t", pane_id, key, value]


def _said(pane_id: str, key: str) -> list[str]:
    return ["display-message", "-p", "-t", pane_id, f"#{{{key}}}"]
