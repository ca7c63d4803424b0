"""The action menu: what may be fired at a pane now, each entry bound to what the menu was built on (ACT-MENU-1)."""

from typing import NamedTuple

from tma.adapters import system
from tma.adapters.tmux import menu as tmux_menu
from tma.core import stamp
from tma.core.act import menu
from tma.core.act.gate import Binders
from tma.core.act.schema import TEXT
from tma.core.errors import TmaError
from tma.core.state import number
from tma.core.text import clean
from tma.services import broker, program
from tma.services.acting import Request
from tma.view.palette import localised
from tma.view.text import ELLIPSIS, cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.act.facts import Facts
    from tma.core.act.schema import Action
    from tma.services.actions import Actions
    from tma.services.runtime import Runtime

_FRAME_ROWS = 4
_FRAME_CELLS = 12


class Client(NamedTuple):
    """A person's terminal, its size, and the pane that it shows."""

    name: str
    width: int
    height: int
    pane: str


def show(runtime: "Runtime", actions: "Actions", seen: "Facts", *, on: str = "") -> bool:
    """Show the menu on a client and wait until it closes; False where nothing can be fired.

    ``on`` names the client; without one it is the acting client.

    Raises:
        TmaError: no client is attached, or tmux refused.
    """
    fireable = [action for action in actions.usable if action.kind != TEXT and _is_fireable(runtime, action, seen)]
    if not fireable:
        return False
    client = _client(runtime, seen, on or runtime.options.client)
    rows = max(1, client.height - _FRAME_ROWS)
    kept = fireable if len(fireable) <= rows else fireable[: rows - 1]
    entries = [_entry(runtime, action, seen, client, index) for index, action in enumerate(kept)]
    if len(kept) < len(fireable):
        more = localised(f"{ELLIPSIS} {len(fireable) - len(kept)} more", ascii_only=system.is_ascii_only())
        entries.append(menu.Entry(more, "", _picker(runtime, client)))
    tmux_menu.show(runtime.server, client.name, client.pane, entries)
    return True


def _is_fireable(runtime: "Runtime", action: "Action", seen: "Facts") -> bool:
    return broker.verdict(runtime, Request(action, binders=Binders(), source="menu").order(seen.pane), seen) is None


def _entry(runtime: "Runtime", action: "Action", seen: "Facts", client: Client, index: int) -> menu.Entry:
    label = localised(cut(clean(action.label), client.width - _FRAME_CELLS), ascii_only=system.is_ascii_only())
    words = menu.fire_words(
        program.own_words(),
        _options(runtime, client),
        action.name,
        seen.pane,
        episode=seen.episode,
        call=seen.stored[stamp.PENDING_CALL],
    )
    command = (
        menu.confirmed_command(words, name=action.name, pane=seen.pane, client=client.name)
        if action.confirm
        else menu.run_command(words)
    )
    return menu.Entry(label, menu.KEYS[index : index + 1], command)


def _options(runtime: "Runtime", client: Client) -> list[str]:
    chosen = runtime.options
    words = program.own_options(chosen, system.env("TMA_SOCKET_PATH"))
    return words if chosen.client else [*words, "--client", client.name]


def _picker(runtime: "Runtime", client: Client) -> str:
    """A popup does not expand what it runs, the menu does, once (KEY-1)."""
    shell = menu.tmux_quote(" ".join(map(menu.shell_quote, [*program.own_words(), *_options(runtime, client)])))
    return f"display-popup -E -w 80% -h 60% {shell}".replace("#", "##")


def _client(runtime: "Runtime", seen: "Facts", wanted: str) -> Client:
    """The named client, else the one that was used last among those that show the pane's session."""
    mark = system.nonce(8)
    text = runtime.server.run(tmux_menu.clients(mark))
    session = seen.locator.rpartition(":")[0]
    found: list[tuple[bool, int, Client]] = []
    for line in text.splitlines():
        name, width, height, shown, activity, control, pane = (*line.split(f"|{mark}|"), *[""] * 7)[:7]
        if control == "0" and (not wanted or name == wanted):
            size = Client(name, number(width) or 80, number(height) or 24, pane)
            found.append((shown == session, number(activity) or 0, size))
    if not found:
        message = "no client is attached that could show a menu"
        raise TmaError(message)
    return max(found, key=lambda each: each[:2])[2]
