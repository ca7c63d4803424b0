"""Menus on a client, and the clients that can show one (MNU-1)."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tma.adapters.tmux.client import Server
    from tma.core.act.menu import Entry

TITLE = "tma actions"
_NO_LIMIT_S = 86_400.0 * 365
_CLIENT = (
    "client_name", "client_width", "client_height", "client_session", "client_activity", "client_control_mode",
    "pane_id",
)  # fmt: skip


def clients(mark: str) -> list[str]:
    """The command that lists every client with its size; fields are split by ``|mark|``."""
    return ["list-clients", "-F", f"|{mark}|".join(f"#{{{name}}}" for name in _CLIENT)]


def show(server: "Server", client: str, pane_id: str, entries: "list[Entry]", *, title: str = TITLE) -> None:
    """Show a menu and wait until it is closed, however long that takes; from 3.8 on tmux does not wait.

    ``pane_id`` is one that the client shows: 3.8 shows no menu for another.
    """
    items = [word for entry in entries for word in (_label(entry.label), entry.key, entry.command)]
    server.run(["display-menu", "-c", client, "-t", pane_id, "-T", title, "--", *items], timeout_s=_NO_LIMIT_S)


def message(client: str, text: str, *, literal: bool) -> list[str]:
    """The command that shows a line on a client, in which tmux expands nothing (SAN-2)."""
    words = ["display-message", *(["-c", client] if client else [])]
    return [*words, "-l", "--", _argument(text)] if literal else [*words, "--", _argument(escaped(text))]


def escaped(text: str) -> str:
    """A text that shows as itself where tmux expands formats and times."""
    return text.replace("#", "##").replace("%", "%%")


def _label(text: str) -> str:
    """A label in which tmux expands nothing; one that begins with ``-`` would be disabled (MNU-5)."""
    escaped = text.replace("#", "##")
    return _argument(f" {escaped}" if not escaped or escaped.startswith("-") else escaped)


def _argument(text: str) -> str:
    """A text that tmux would take for two commands if it ended in a bare ``;`` (WR-4)."""
    return f"{text[:-1]}\\;" if text.endswith(";") else text
