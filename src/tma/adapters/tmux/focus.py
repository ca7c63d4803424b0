"""Who looks at what, and moving a client to a pane: each of the three commands only where it is needed (FOC-1).

Every target is an id, so that no name of a session or window can be taken for a pattern (SAN-2).
"""

from typing import NamedTuple

from tma.core.state import number

_CLIENT = (
    "client_name", "client_control_mode", "client_activity", "client_width", "client_height", "session_id", "pane_id",
)  # fmt: skip
_SHOWN = (
    "session_id", "session_name", "session_attached", "window_id", "window_index", "window_active", "pane_index",
    "pane_active", "pane_id",
)  # fmt: skip
_WIDTH, _HEIGHT = 80, 24


class Client(NamedTuple):
    """A person's terminal: its name, its last input, its size, its session and the pane that it shows."""

    name: str
    activity: int
    width: int
    height: int
    session_id: str
    pane_id: str


class Shown(NamedTuple):
    """A pane as one session shows it; ``current`` if its window is, ``active`` if it is in its window."""

    pane_id: str
    session_id: str
    session_name: str
    attached: bool
    window_id: str
    window_index: int
    current: bool
    pane_index: int
    active: bool

    @property
    def locator(self) -> str:
        """``session:window.pane`` (READ-5)."""
        return f"{self.session_name}:{self.window_index}.{self.pane_index}"


class Sight(NamedTuple):
    """The people's clients, the name of the one that tmux would choose, and every pane where it is shown."""

    choice: str
    clients: list[Client]
    shown: list[Shown]

    def client(self, name: str) -> Client | None:
        """The client of that name; without one tmux's choice, else the one that was used last (FOC-2)."""
        named = next((client for client in self.clients if client.name == (name or self.choice)), None)
        if named or name:
            return named
        return max(self.clients, key=lambda client: client.activity, default=None)

    def place(self, pane_id: str, session_id: str = "") -> Shown | None:
        """A pane in that session if it is there, else in an attached one, else in the oldest (READ-4)."""
        places = [shown for shown in self.shown if shown.pane_id == pane_id]
        return min(places, key=lambda shown: _distance(shown, session_id), default=None)


def question(mark: str) -> list[str]:
    """The commands that ask for it, in one client; fields are split by ``|mark|``."""
    start, middle = f"|{mark}.|", f"|{mark}|"
    client = f"{start}client" + "".join(f"{middle}#{{{name}}}" for name in _CLIENT)
    shown = f"{start}shown" + "".join(f"{middle}#{{{name}}}" for name in _SHOWN)
    choice = ["display-message", "-p", f"{start}choice{middle}#{{client_name}}"]
    return [*choice, ";", "list-clients", "-F", client, ";", "list-panes", "-a", "-F", shown]


def parse(text: str, mark: str) -> Sight:
    """What the answer says; clients of programs and broken records are left out."""
    choice = ""
    clients: list[Client] = []
    shown: list[Shown] = []
    for piece in text.split(f"|{mark}.|")[1:]:
        kind, *fields = piece.removesuffix("\n").split(f"|{mark}|")
        if kind == "choice":
            choice = fields[0]
        elif kind == "client" and len(fields) == len(_CLIENT) and fields[1] == "0":
            clients.append(_client(fields))
        elif kind == "shown" and len(fields) == len(_SHOWN):
            shown.append(_shown(fields))
    return Sight(choice, clients, shown)


def move(client: Client, place: Shown) -> list[list[str]]:
    """The commands that bring a client to a pane; none where it is there."""
    switch = ["switch-client", "-c", client.name, "-t", place.session_id]
    return [*([switch] if client.session_id != place.session_id else []), *select(place)]


def select(place: Shown) -> list[list[str]]:
    """The commands that make a pane the one that its session shows; none where it is."""
    window = ["select-window", "-t", f"{place.session_id}:{place.window_id}"]
    pane = ["select-pane", "-t", place.pane_id]
    return [*([] if place.current else [window]), *([] if place.active else [pane])]


def trail(key: str) -> list[str]:
    """The command that prints a stored trail."""
    return ["show-options", "-sqv", key]


def keep_trail(key: str, value: str) -> list[str]:
    """The command that stores a trail, or forgets an empty one."""
    return ["set-option", "-sq", key, value] if value else ["set-option", "-squ", key]


def lower_mark(pane_id: str, key: str) -> list[str]:
    """The command that takes a pane's mark down (ATN-7)."""
    return ["set-option", "-pqu", "-t", pane_id, key]


def attach(session_id: str) -> list[str]:
    """The command that shows exactly that session on this terminal."""
    return ["attach-session", "-t", session_id]


def chain(commands: list[list[str]]) -> list[str]:
    """Commands as one list that ends at the first one which fails."""
    words: list[str] = []
    for command in commands:
        words += [";", *command] if words else command
    return words


def _client(fields: list[str]) -> Client:
    name, _, activity, width, height, session_id, pane_id = fields
    size = number(width) or _WIDTH, number(height) or _HEIGHT
    return Client(name, number(activity) or 0, *size, session_id, pane_id)


def _shown(fields: list[str]) -> Shown:
    session_id, name, attached, window_id, window_index, current, pane_index, active, pane_id = fields
    return Shown(
        pane_id,
        session_id,
        name,
        attached not in {"", "0"},
        window_id,
        number(window_index) or 0,
        current == "1",
        number(pane_index) or 0,
        active == "1",
    )


def _distance(shown: Shown, session_id: str) -> tuple[bool, bool, int]:
    return (
        shown.session_id != session_id,
        not shown.attached,
        number(shown.session_id.removeprefix("$")) or 0,
    )
