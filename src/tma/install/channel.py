"""One file of one agent that can carry wiring: what an adapter is made of."""

from dataclasses import dataclass, field
from typing import Protocol

from tma.install.wrapper import Reference

ABSENT, CURRENT, STALE = "absent", "current", "stale"


@dataclass(frozen=True)
class Inspection:
    """What a file says of our wiring: absent, current or stale, with a reason for each finding (CHK-1)."""

    state: str
    reasons: list[str] = field(default_factory=list)


class Channel(Protocol):
    """A file and how it is wired; every method may raise FaultError for a file that cannot be edited."""

    @property
    def path(self) -> str:
        """The file, "" where nothing names one."""

    def install(self, data: bytes, reference: Reference) -> bytes:
        """The file's bytes with our wiring; ``data`` is empty for a file that is not there."""

    def uninstall(self, data: bytes, original: bytes | None) -> bytes | None:
        """The file's bytes without our wiring, None for a file that is wholly ours.

        ``original`` is what the file held before our first edit, where that is known.
        """

    def inspect(self, data: bytes, reference: Reference) -> Inspection:
        """What the file says of our wiring; ``data`` is empty for a file that is not there."""


def summed_up(present: int, wanted: int, reasons: list[str]) -> Inspection:
    """The state of a channel with that many of its entries there."""
    if not present:
        return Inspection(ABSENT, reasons)
    return Inspection(CURRENT if present == wanted and not reasons else STALE, reasons)
