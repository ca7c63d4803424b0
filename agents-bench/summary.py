"""What the report says in short: how often answers did what they say, and how soon a stopped agent is idle."""

from collections.abc import Iterator
from typing import Any

Scenarios = dict[str, dict[str, dict[str, Any]]]

ANSWERS = ("approve-often", "deny-often")
STOPS = ("deny", "question-dismissed", "plan", "interrupt", "interrupt-tool")
SAYS_MS = 2000
"""An agent that says that it was stopped is idle within this,"""

SILENT_MORE_MS = 2000
"""and one that says nothing within the dwell time and this."""

SILENT = ("gemini", "copilot")

_ANSWERS = """
## Answers

`tma act approve` and `tma act deny` at each width in columns, on a dialog of a command: how often the
command ran after the one, did not after the other, and the pane's state was right all the way.

"""
_STOPS = """
## After Escape or a denied prompt

Milliseconds from the key until the pane is idle, with hooks and screen. Agents that say that they were
stopped have {says} ms; {silent} say nothing in most of these cases and have {more} ms. Bold is later.

"""


def answers(results: dict[str, Scenarios]) -> str:
    """The table of answers; "" if none were counted."""
    rows = [
        f"| {agent} | {name.partition('-')[0]} | {_counts(entry['rounds'])} |\n"
        for agent, scenarios in results.items()
        for name in ANSWERS
        if "rounds" in (entry := scenarios.get(name, {}).get("both", {}))
    ]
    return "".join([_ANSWERS, "| agent | answer | columns: right of all |\n|---|---|---|\n", *rows]) if rows else ""


def _counts(rounds: list[list[int]]) -> str:
    return ", ".join(f"{columns}: {right} of {times}" for columns, right, times in rounds)


def stops(results: dict[str, Scenarios], dwell_s: int) -> str:
    """The table of how soon an agent that was stopped is idle."""
    more = dwell_s * 1000 + SILENT_MORE_MS
    rows = []
    for agent, scenarios in results.items():
        limit = more if agent.startswith(SILENT) else SAYS_MS
        rows.append(f"| {agent} | " + " | ".join(_cells(scenarios, limit)) + f" | {limit} |\n")
    head = "| agent | " + " | ".join(STOPS) + " | limit |\n" + "|---" * (len(STOPS) + 2) + "|\n"
    return "".join([_STOPS.format(says=SAYS_MS, silent=" and ".join(SILENT), more=more), head, *rows]) if rows else ""


def _cells(scenarios: Scenarios, limit: int) -> Iterator[str]:
    for name in STOPS:
        verdicts = scenarios.get(name, {}).get("both", {}).get("verdicts", [])
        # Where a step went wrong, nothing tells that there was something to stop.
        right = all(each["word"] == "right" for each in verdicts)
        idle = [each for each in verdicts if right and each["step"].endswith(" idle")]
        late = idle[-1]["late_ms"] if idle else None
        yield "" if late is None else f"**{late}**" if late > limit else str(late)
