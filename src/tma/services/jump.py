"""Bringing a person's client to a pane, with a trail that leads back (FOC-1 to FOC-3, TRL-3, TRL-4)."""

from tma.adapters import system
from tma.adapters.tmux import focus
from tma.core.errors import TmaError, TmuxError, TmuxGoneError, TmuxTimeoutError
from tma.core.events import trail
from tma.core.selector import Selection
from tma.core.stamp import ATTENTION
from tma.services.rows import detect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.adapters.tmux.focus import Client, Shown, Sight
    from tma.core.events.trail import Place
    from tma.services.runtime import Runtime


class Here:
    """The client that acts, what it shows, and everything around it, as one read found them."""

    __slots__ = ("client", "origin", "sight")

    def __init__(self, sight: "Sight", client: "Client") -> None:
        """Keep the parts; ``origin`` is None for a client whose pane cannot be told."""
        self.sight = sight
        self.client = client
        self.origin = sight.place(client.pane_id, client.session_id)

    @property
    def pane(self) -> str:
        """The pane that the client shows."""
        return self.client.pane_id

    @property
    def place(self) -> tuple[bytes, int, int]:
        """Where that pane stands among others."""
        shown = self.origin
        if shown is None:
            return b"", 0, 0
        return shown.session_name.encode("utf-8", "surrogatepass"), shown.window_index, shown.pane_index


def look(runtime: "Runtime") -> "Sight":
    """Who looks at what, and where every pane is shown."""
    mark = system.nonce(8)
    return focus.parse(runtime.server.run(focus.question(mark)), mark)


def here(runtime: "Runtime") -> Here:
    """The acting client and what it shows (FOC-2).

    Raises:
        TmaError: there is no such client, or nobody is attached.
    """
    sight = look(runtime)
    name = runtime.options.client
    client = sight.client(name)
    if client is None:
        message = f"no client {name} is attached" if name else "no client is attached"
        raise TmaError(message, "tma attach --pane shows a pane on this terminal")
    return Here(sight, client)


def to_agent(runtime: "Runtime", pane_id: str) -> None:
    """Go to an agent's pane and take its mark down; a pane without an agent is noted (JMP-5).

    Raises:
        TmaError: nobody is attached, or tmux refused.
    """
    rows, _ = detect(runtime, Selection(), labels=False)
    if any(row.pane == pane_id for row in rows):
        to_pane(runtime, here(runtime), pane_id, lower=True)
    else:
        runtime.note(f"no agent in pane {pane_id}")


def to_pane(runtime: "Runtime", at: Here, pane_id: str, *, lower: bool) -> None:
    """Go to a pane and note where from; ``lower`` takes its mark down (TRL-3, ATN-7).

    Raises:
        TmaError: the pane is gone, or tmux refused.
    """
    kept: list[list[str]] = []
    if pane_id != at.pane and at.origin is not None:
        key = trail.option(at.client.name)
        stored = _stored(runtime, key)
        origin = trail.Place(at.pane, at.origin.locator)
        if stored is not None:
            kept.append(focus.keep_trail(key, trail.render(trail.pushed(stored, origin))))
    marks = [focus.lower_mark(pane_id, ATTENTION)] if lower else []
    _run(runtime, [*_moves(at, pane_id), *kept, *marks])


def return_back(runtime: "Runtime", at: Here, *, home: bool) -> bool:
    """Go back one step of the trail, or ``home`` to its beginning; False where it leads nowhere (TRL-4)."""
    key = trail.option(at.client.name)
    stored = _stored(runtime, key)
    if not stored:
        return False

    def find(place: "Place") -> str:
        return _found(at.sight, place)

    pane, left = (trail.home(stored, find), []) if home else trail.back(stored, find)
    if pane == at.pane:
        return True
    moves = _moves(at, pane) if pane else []
    _run(runtime, [*moves, focus.keep_trail(key, trail.render(left))])
    return bool(pane)


def _moves(at: Here, pane_id: str) -> list[list[str]]:
    """What brings the client to a pane; nothing where it is (FOC-3)."""
    if pane_id == at.pane:
        return []
    return focus.move(at.client, _place(at, pane_id))


def _place(at: Here, pane_id: str) -> "Shown":
    """The pane in the client's own session if it is shown there."""
    place = at.sight.place(pane_id, at.client.session_id)
    if place is None:
        message = f"pane {pane_id} vanished"
        raise TmaError(message)
    return place


def _found(sight: "Sight", place: "Place") -> str:
    """The pane that an entry means: by its id, else by exactly its locator (TRL-4)."""
    if any(shown.pane_id == place.pane for shown in sight.shown):
        return place.pane
    return next((shown.pane_id for shown in sight.shown if shown.locator == place.locator), "")


def _stored(runtime: "Runtime", key: str) -> "list[Place] | None":
    """The client's trail; None for one that cannot be read, which is left as it is (TRL-3)."""
    try:
        return trail.parse(runtime.server.run(focus.trail(key)).removesuffix("\n"))
    except (TmuxGoneError, TmuxTimeoutError):
        raise
    except TmuxError:
        return None


def _run(runtime: "Runtime", commands: list[list[str]]) -> None:
    if commands:
        runtime.server.run(focus.chain(commands))
