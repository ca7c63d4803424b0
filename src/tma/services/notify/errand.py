"""The child that tells a hook's notice: it takes the order from standard input and waits for every sink (CMD-4)."""

import json
import posix

from tma.adapters import system
from tma.core.events import alerts, routes
from tma.services.notify import deliver, telling
from tma.services.notify.jobs import Runner
from tma.services.notify.results import Records
from tma.services.repos import Labels

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tma.services.runtime import Runtime

_MAX_ORDER = 1 << 20
_CHUNK = 65536


def read_order() -> "dict[str, Any]":
    """The order on standard input."""
    whole = b""
    while len(whole) < _MAX_ORDER and (piece := posix.read(0, _CHUNK)):
        whole += piece
    order: dict[str, Any] = json.loads(whole)
    return order


def serve(runtime: "Runtime", order: "dict[str, Any]") -> None:
    """Be the child: look the repository up, tell through every sink, wait for all of them, keep what became of it."""
    plain = order["notice"]
    notice = alerts.Notice(plain["trigger"], plain["agent"], plain["pane"], at=plain["at"])
    for key, value in plain.items():
        setattr(notice, key, value)
    label = Labels().of([order["path"]]).get(order["path"]) if order["path"] else None
    if label is not None:
        notice.repo, notice.branch = label.repo, label.branch or ""
    env = system.environment()
    route = routes.route(runtime.settings.notify, notice.trigger)
    told = telling.of_notice(notice, title=route.title)
    deliver.everything(runtime, told, Runner(env), Records(env, runtime.now_ms))
