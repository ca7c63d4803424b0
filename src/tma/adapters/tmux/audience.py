"""Who sees a notice: the attached terminals, what each is, and the terminal of the pane that it is about."""

from typing import NamedTuple

from tma.core.state import number

_SERVER = ("version", "socket_path", "host", "pid")
_FIELDS = (
    "client_name", "client_tty", "client_control_mode", "client_flags", "client_termname", "client_termtype",
    "session_id",
)  # fmt: skip


class Viewer(NamedTuple):
    """One attached client; ``control`` is a program's, which has no terminal."""

    name: str
    tty: str
    control: bool
    suspended: bool
    termname: str
    termtype: str
    session_id: str


class Audience(NamedTuple):
    """The clients, what the server says of itself, and a pane's terminal, "" for a pane that is gone."""

    version: str
    socket_path: str
    viewers: list[Viewer]
    pane_tty: str
    host: str = ""
    pid: int = 0

    def unseen(self) -> "Audience":
        """The same without terminals: on another host their paths may be somebody else's (FWD-8)."""
        return self._replace(viewers=[viewer._replace(tty="") for viewer in self.viewers], pane_tty="")


def question(mark: str, pane_id: str) -> list[str]:
    """The commands that ask for it, in one client; fields are split by ``|mark|``."""
    start, middle = f"|{mark}.|", f"|{mark}|"
    viewer = f"{start}viewer" + "".join(f"{middle}#{{{name}}}" for name in _FIELDS)
    told = middle.join(f"#{{{name}}}" for name in _SERVER)
    server = ["display-message", "-p", f"{start}server{middle}{told}"]
    # Last, since a pane that is gone ends the chain; under -F it may also be any text.
    pane = ["if-shell", "-F", "-t", pane_id, "1", f"display-message -p -t {pane_id} '{start}pane{middle}#{{pane_tty}}'"]
    return [*server, ";", "list-clients", "-F", viewer, *([";", *pane] if pane_id else [])]


def parse(text: str, mark: str) -> Audience:
    """What the answer says; a broken record is left out."""
    found = Audience("", "", [], "")
    for piece in text.split(f"|{mark}.|")[1:]:
        kind, *fields = piece.removesuffix("\n").split(f"|{mark}|")
        if kind == "server" and len(fields) == len(_SERVER):
            version, path, host, pid = fields
            found = found._replace(version=version, socket_path=path, host=host, pid=number(pid) or 0)
        elif kind == "viewer" and len(fields) == len(_FIELDS):
            found.viewers.append(_viewer(fields))
        elif kind == "pane" and len(fields) == 1:
            found = found._replace(pane_tty=fields[0])
    return found


def _viewer(fields: list[str]) -> Viewer:
    name, tty, control, flags, termname, termtype, session_id = fields
    return Viewer(name, tty, control != "0", "suspended" in flags.split(","), termname, termtype, session_id)
