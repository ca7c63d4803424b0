"""Which sinks a trigger reaches, and with what: the configuration read for one notice (RTE-1 to RTE-4)."""

from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MESSAGE, BELL, OSC, DESKTOP, COMMAND, URLS = "message", "bell", "osc", "desktop", "command", "urls"

FORMS = (("osc", "9"), ("osc_777", "777"), ("osc_99", "99"))
"""The keys of terminal sequences with the numbers of their forms."""


NO_FAULT = frozenset(("no-client", "nested", "control-mode"))
"""Results of a sink that tell of a place and not of trouble (DLV-4)."""


class Route(NamedTuple):
    """What one notice goes to; empty and false are off.

    ``bell`` is ``pane``, ``client`` or ``both``. ``forms`` are the terminal sequences that are on.
    ``title`` lets the pane's title into what leaves tmux.
    """

    message: bool
    bell: str
    forms: tuple[str, ...]
    desktop: bool
    click: bool
    command: str
    urls: tuple[str, ...]
    log: str
    title: bool
    timeout_s: int


def route(notify: "Mapping[str, Any]", trigger: str) -> Route:
    """The sinks of a trigger; one without a table of its own has the general ones."""
    own: Mapping[str, Any] = notify.get(trigger) or {}
    chosen = own.get("sinks")
    forms = tuple(form for key, form in FORMS if notify[key])
    urls = notify["urls"] if own.get("urls") is None else own["urls"]
    return Route(
        message=chosen is None or MESSAGE in chosen,
        bell=_bell(notify["bell"], chosen),
        forms=forms if chosen is None else (forms or ("9",)) if OSC in chosen else (),
        desktop=notify["desktop"] if chosen is None else DESKTOP in chosen,
        click=notify["desktop_click"],
        command=(own.get("command") or notify["command"] or "") if _is_on(COMMAND, chosen) else "",
        urls=tuple(urls) if _is_on(URLS, chosen) else (),
        log=notify["log"] or "",
        title=notify["include_title"],
        timeout_s=notify["command_timeout_s"],
    )


def _is_on(sink: str, chosen: "list[str] | None") -> bool:
    return chosen is None or sink in chosen


def _bell(configured: object, chosen: "list[str] | None") -> str:
    if chosen is not None and BELL not in chosen:
        return ""
    if configured is False:
        return "" if chosen is None else "pane"
    return str(configured)
