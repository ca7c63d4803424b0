"""Panes whose hooks went silent: unexplained bursts of output, counted (CYC-12, FOLD-16)."""

from tma.core.state import BLOCKED, HOOK, WORKING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.settings import Settings
    from tma.core.stamp import Stamp

MAX_TRACKED = 4096
"""Panes that are counted; of more, the least recently touched are dropped."""


class Demotion:
    """How often each pane printed without its hooks explaining it; lives in memory only."""

    __slots__ = ("_counts", "_limit")

    def __init__(self, limit: int) -> None:
        """So many bursts demote a pane."""
        self._counts: dict[str, int] = {}
        self._limit = limit

    @property
    def panes(self) -> frozenset[str]:
        """The demoted panes."""
        return frozenset(pane for pane, count in self._counts.items() if count >= self._limit)

    def adopt(self, limit: int) -> None:
        """Another threshold, for the counts that stand (DRL-1)."""
        self._limit = limit

    def edge(self, pane: str, stamp: "Stamp", settings: "Settings", now: int) -> None:
        """Count an edge of a pane that hooks report for, unless its stored claim explains it."""
        if explains(stamp, settings, now):
            return
        count = self._counts.pop(pane, 0)
        if len(self._counts) >= MAX_TRACKED:
            del self._counts[next(iter(self._counts))]
        self._counts[pane] = min(count + 1, self._limit)

    def reset(self, pane: str) -> None:
        """A hook spoke for the pane."""
        self._counts.pop(pane, None)

    def keep(self, panes: "frozenset[str]") -> None:
        """Forget panes that hold no agent any more (DED-7)."""
        for pane in [pane for pane in self._counts if pane not in panes]:
            del self._counts[pane]


def explains(stamp: "Stamp", settings: "Settings", now: int) -> bool:
    """Whether a stored claim says why the pane prints: a hook's that is young, or one of work."""
    if stamp.source != HOOK:
        return False
    decay = settings.blocked_decay_ms if stamp.state == BLOCKED else settings.hook_decay_ms
    return stamp.state == WORKING or now - stamp.evidence <= decay
