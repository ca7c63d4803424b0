"""Selectors: which rows a person means, by session, repository, branch, agent and state (SEL-1 to SEL-4)."""

from tma.core.state import BLOCKED, DONE, IDLE, UNKNOWN, WORKING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from tma.core.row import AgentRow

TOKENS = (IDLE, WORKING, BLOCKED, UNKNOWN, DONE)
"""What a state list may hold (SEL-2)."""

NAMES = ("session", "repo", "branch", "agent", "state")
"""The selectors, each an option of the same name."""


def parse_states(text: str) -> frozenset[str]:
    """The states of a list such as ``blocked,done`` (SEL-2).

    Raises:
        ValueError: the list names no state, or one that there is not; the message names the five.
    """
    tokens = [token for piece in text.split(",") if (token := piece.strip(" "))]
    wrong = next((token for token in tokens if token not in TOKENS), None)
    if tokens and wrong is None:
        return frozenset(tokens)
    choice = f"choose from {', '.join(TOKENS)}"
    message = f"no state in {text!r}: {choice}" if wrong is None else f"no such state: {wrong!r}: {choice}"
    raise ValueError(message)


def state_matches(row: "AgentRow", states: frozenset[str]) -> bool:
    """Whether a row is in one of the states; ``idle`` includes done rows (SEL-3)."""
    return row.state in states or (DONE in states and row.done)


class Selection:
    """What a person asked for; an absent part selects every row (SEL-1)."""

    __slots__ = ("agent", "branch", "repo", "session", "states")

    def __init__(
        self,
        *,
        session: str | None = None,
        repo: str | None = None,
        branch: str | None = None,
        agent: str | None = None,
        states: frozenset[str] | None = None,
    ) -> None:
        """Keep the parts; names are compared exactly."""
        self.session = session
        self.repo = repo
        self.branch = branch
        self.agent = agent
        self.states = states

    @classmethod
    def of(cls, chosen: object) -> "Selection":
        """The selection that a parsed command line carries in attributes of these names."""
        session, repo, branch, agent, states = (getattr(chosen, name) for name in NAMES)
        return cls(session=session, repo=repo, branch=branch, agent=agent, states=states)

    @property
    def needs_labels(self) -> bool:
        """Whether repositories must be looked up to decide (SEL-6)."""
        return self.repo is not None or self.branch is not None

    def matches(self, row: "AgentRow") -> bool:
        """Whether every given part holds; a row without a repository matches neither repo nor branch (SEL-4)."""
        return (
            (self.session is None or self.session in row.sessions)
            and (self.repo is None or self.repo == row.repo)
            and (self.branch is None or self.branch == row.branch)
            and (self.agent is None or self.agent == row.agent)
            and (self.states is None or state_matches(row, self.states))
        )

    def choose(self, rows: "Iterable[AgentRow]") -> list["AgentRow"]:
        """The rows that match, in their order."""
        return [row for row in rows if self.matches(row)]
