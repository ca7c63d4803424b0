"""Window and session summaries: how many agents are in which state (RU-1 to RU-3).

Two names, because a format in a pane falls back from pane to window to session (STO-7).
"""

from tma.core.state import BLOCKED, IDLE, STATES, UNKNOWN, WORKING

ORDER = (BLOCKED, WORKING, IDLE, UNKNOWN)
"""The fixed order of a summary."""


def summary(states: list[str]) -> str:
    """``blocked:1 working:2``; states outside the set count nothing."""
    counts = {state: states.count(state) for state in ORDER if state in STATES}
    return " ".join(f"{state}:{count}" for state, count in counts.items() if count)


def _counting(loop: str, close: str) -> str:
    """A format that lets the server count the panes of a loop."""
    parts = []
    for state in ORDER:
        marks = f"{loop}#{{?#{{==:#{{@agent_state}},{state}}},x,}}{close}"
        parts.append(f"#{{?{marks}, {state}:#{{n:{marks}}},}}")
    return f"#{{s/^ //:{''.join(parts)}}}"


WINDOW_COUNT = _counting("#{P:", "}")
"""What ``@agent_summary`` is, counted by the server in a pane's context (RU-3)."""

SESSION_COUNT = _counting("#{W:#{P:", "}}")
"""What ``@agent_session_summary`` is, counted by the server in a session's context (RU-3)."""
