"""What a fire types, in bursts: each is one step of the server, and time passes between them."""

from tma.core.act.effects import Stroke

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.act.schema import Typing


def presses(keys: tuple[str, ...], *, apart: bool) -> list[tuple[Stroke, ...]]:
    """The bursts of a key list: one for all, or one for each (ACT-KEY-1, ACT-KEY-4)."""
    if apart and len(keys) > 1:
        return [(Stroke((key,)),) for key in keys]
    return [(Stroke(keys),) if keys else ()]


def line(typing: "Typing", text: str) -> list[tuple[Stroke, ...]]:
    """The bursts of a line: its end comes later where the agent would take both for a paste (ACT-TEXT-3)."""
    start = (*((Stroke(typing.prefix),) if typing.prefix else ()), Stroke((text,), literal=True))
    if not typing.suffix:
        return [start]
    return [start, (Stroke(typing.suffix),)] if typing.suffix_delay_ms else [(*start, Stroke(typing.suffix))]


def told(count: int, *, is_line: bool) -> str:
    """What of a fire went out, for a person, when the rest did not."""
    if is_line:
        return "the line was typed and not submitted"
    return f"{count} of the keys went out"
