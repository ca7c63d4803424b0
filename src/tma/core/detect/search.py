"""Whether a pattern of a manifest is found in a text, by the quickest way that cannot run away."""

from tma.core.detect.regex import Codes
from tma.core.detect.steps import Text, steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from typing import Any

    from tma.core.detect.agent import Manifest
    from tma.core.detect.automaton import Automaton

QUICK_STEPS = 1 << 22
"""Python's search takes about 10 to 50 ns a step; 131 was the worst that random patterns took."""


class Search:
    """One pattern, compiled by ``codes`` when it is first used.

    ``cost`` is what ``cost.cost_of`` says of it: None for a pattern whose search is linear.
    """

    __slots__ = ("_automaton", "_codes", "_compiled", "_cost", "_pattern")

    def __init__(self, pattern: str, cost: "dict[str, Any] | None", codes: Codes | None = None) -> None:
        """Keep the pattern and what it may cost."""
        self._codes = codes or Codes()
        self._pattern = pattern
        self._cost = cost
        self._compiled: re.Pattern[str] | None = None
        self._automaton: Automaton | None = None

    def found(self, text: str, gives_up: "Callable[[], bool] | None" = None) -> bool:
        """Whether the pattern matches anywhere; false as well once ``gives_up`` says so."""
        if self._cost is not None:
            if not all(any(need in text for need in needs) for needs in self._cost["needs"]):
                return False
            if self._cost["plan"] is None or steps(self._cost, Text(text)) > QUICK_STEPS:
                return self._found_in_step(text, gives_up)
        if self._compiled is None:
            self._compiled = self._codes.compiled(self._pattern)
        return self._compiled.search(text) is not None

    def _found_in_step(self, text: str, gives_up: "Callable[[], bool] | None") -> bool:
        if self._automaton is None:
            # Loaded here: only long or odd texts need it.
            from tma.core.detect.automaton import Automaton

            self._automaton = Automaton(self._pattern)
        return self._automaton.found(text, gives_up)


def found(manifest: "Manifest", pattern: str, text: str, gives_up: "Callable[[], bool] | None" = None) -> bool:
    """Whether one of the manifest's patterns is found in the text; what it compiles is kept there."""
    search: Search | None = manifest.searches.get(pattern)
    if search is None:
        search = manifest.searches[pattern] = Search(pattern, manifest.costs.get(pattern), manifest.codes)
    return search.found(text, gives_up)
