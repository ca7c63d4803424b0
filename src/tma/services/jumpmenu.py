"""The jump menu: the agents to go to, as a menu on the acting client (MNU-2, MNU-4, MNU-7)."""

from tma.adapters import system
from tma.adapters.tmux import menu as tmux_menu
from tma.core.act import menu
from tma.core.text import clean
from tma.services import program
from tma.view.jumpmenu import label
from tma.view.palette import localised, theme
from tma.view.text import ELLIPSIS, cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.adapters.tmux.focus import Client
    from tma.core.row import AgentRow
    from tma.services.jump import Here
    from tma.services.runtime import Runtime

TITLE = "tma jump"
_FRAME_ROWS = 4
_FRAME_CELLS = 12


def show(runtime: "Runtime", at: "Here", rows: "list[AgentRow]") -> None:
    """Show a menu of the rows and wait until it closes; what does not fit is one entry that opens the picker.

    Raises:
        TmaError: tmux refused.
    """
    client = at.client
    room = max(1, client.height - _FRAME_ROWS)
    kept = rows if len(rows) <= room else rows[: room - 1]
    words = [*program.own_words(), *_options(runtime, client)]
    labels = _labels(runtime, kept, client.width - _FRAME_CELLS)
    entries = [
        menu.Entry(text, menu.KEYS[index : index + 1], menu.run_command([*words, "jump", "--pane", row.pane]))
        for index, (row, text) in enumerate(zip(kept, labels, strict=True))
    ]
    if len(kept) < len(rows):
        more = localised(f"{ELLIPSIS} {len(rows) - len(kept)} more", ascii_only=system.is_ascii_only())
        entries.append(menu.Entry(more, "", _picker(words)))
    tmux_menu.show(runtime.server, client.name, client.pane_id, entries, title=TITLE)


def _labels(runtime: "Runtime", rows: "list[AgentRow]", cells: int) -> list[str]:
    bare = system.is_ascii_only()
    glyphs = theme(runtime.settings.picker, ascii_only=bare).glyphs
    now = runtime.now_ms()
    texts = [cut(clean(label(row, glyphs[row.shown_class][0], now)), cells) for row in rows]
    return [localised(text, ascii_only=bare) for text in texts]


def _options(runtime: "Runtime", client: "Client") -> list[str]:
    chosen = runtime.options
    words = program.own_options(chosen, system.env("TMA_SOCKET_PATH"))
    return words if chosen.client else [*words, "--client", client.name]


def _picker(words: list[str]) -> str:
    """A popup does not expand what it runs, the menu does, once (KEY-1)."""
    shell = menu.tmux_quote(" ".join(map(menu.shell_quote, words)))
    return f"display-popup -E -w 80% -h 60% {shell}".replace("#", "##")
