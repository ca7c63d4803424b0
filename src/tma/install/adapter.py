"""What an agent's adapter says: its channels, its gate, and what is known of its releases and events."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tma.install.channel import Channel
from tma.install.places import Places


@dataclass(frozen=True)
class Adapter:
    """One agent.

    ``channels`` are made from the files of a run and the events that its manifest names.
    ``extra`` events follow those. ``gate`` is said after a success: what else the agent wants
    before it runs hooks. ``statusline`` is the file whose status line the shim can wrap.
    ``turn`` are the events that every session sends: its start, a prompt, the turn's end; ``asks``
    is the one of a dialog. ``checked`` are the releases that the manifest was checked on, oldest first.
    """

    name: str
    channels: Callable[[Places, Sequence[str]], list[Channel]]
    extra: tuple[str, ...] = ()
    gate: str = ""
    statusline: str = ""
    turn: tuple[str, ...] = ()
    asks: str = ""
    checked: tuple[str, ...] = ()


def events_of(adapter: Adapter, manifest_events: Sequence[str]) -> list[str]:
    """The events to wire: the manifest's in order, then the adapter's own (ADP-2)."""
    return list(dict.fromkeys((*manifest_events, *adapter.extra))) if manifest_events else []
