"""One dated observation of an agent, and what kind of source made it."""

SCREEN = "screen"
TITLE = "title"
HOOK = "hook"
PUBLISHED = "published"


class Evidence:
    """What one source said at one instant (CAP-7).

    ``source`` is ``screen``, ``title``, ``hook`` or ``published``. ``state`` is the claimed
    state, or empty when ``lifecycle`` is ``start`` or ``end``. ``at`` is epoch milliseconds.
    ``label`` names the rule or event for explanations.
    """

    __slots__ = ("at", "detail", "label", "lifecycle", "source", "state")

    def __init__(
        self, source: str, state: str, at: int, *, detail: str = "", label: str = "", lifecycle: str = ""
    ) -> None:
        """Keep the parts."""
        self.source = source
        self.state = state
        self.at = at
        self.detail = detail
        self.label = label
        self.lifecycle = lifecycle

    @property
    def claim(self) -> str:
        """The claim in words: ``state``, ``state/detail`` or ``lifecycle:start``."""
        if self.lifecycle:
            return f"lifecycle:{self.lifecycle}"
        return f"{self.state}/{self.detail}" if self.detail else self.state
