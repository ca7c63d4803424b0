"""The results as a file, as a table, and against the last run."""

import json
from pathlib import Path
from typing import Any

import summary

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results.json"
REPORT = HERE / "REPORT.md"
MODES = ("hooks", "screen", "both")

Entry = dict[str, Any]
Results = dict[str, dict[str, dict[str, Entry]]]
"""By agent, scenario and mode."""

_HEAD = """# What the rules make of real agents

Written by `agents-bench/run`; change that. Every cell tells what tma said of an agent while a script
was played on it: with its hooks alone, from its screen alone (and its own state files), and with both.

- a number: right at every step, and how many milliseconds after the truth the slowest claim stood
- `20/20, 5/5`: so many rounds of so many were right, at each width
- **wrong**: a claim that was not true, or none in time; the reasons are below the table
- gap: wrong, for a reason that the agent gives; below the table
- `n/a`: does not apply; the reasons are below the table
- `?`: not run yet

An agent whose session begins with its first prompt (codex, copilot) says nothing by its hooks before that;
then `unknown` is right for `hooks`, and the session's own `idle` may come just before the first claim.

tma looked once a second, past a stamp that was younger than 3 s unless it was blocked and its window
printed since, or worked and its window fell silent. It waited {dwell} s before it took a screen's idle for
one; a hook's claim stood for {decay} s against the screen (60 by default).
Model answers come from a script on loopback.
"""


def read(path: Path = RESULTS) -> Results:
    """The results of the last run; none without one."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write(results: Results, path: Path = RESULTS) -> None:
    """Keep the results, sorted as they were made."""
    path.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def word(entry: Entry | None) -> str:
    """One cell."""
    if entry is None:
        return "?"
    if "skip" in entry:
        return "n/a"
    if faults(entry):
        return "gap" if "known" in entry else "**wrong**"
    if "rounds" in entry:
        return ", ".join(f"{right}/{times}" for _, right, times in entry["rounds"])
    return str(late(entry))


def faults(entry: Entry) -> list[str]:
    """Everything that was wrong."""
    found = [f"{each['step']}: {each['reason']}" for each in entry.get("verdicts", []) if each["word"] == "wrong"]
    return [*found, *(entry[key] for key in ("trouble", "stream") if entry.get(key))]


def late(entry: Entry) -> int:
    """The slowest right claim."""
    return max((each["late_ms"] for each in entry.get("verdicts", [])), default=0)


def page(results: Results, *, dwell: int, decay: int) -> str:
    """The report."""
    parts = [_HEAD.format(dwell=dwell, decay=decay), summary.answers(results), summary.stops(results, dwell)]
    for agent, scenarios in results.items():
        parts.append(f"\n## {agent}\n\n| scenario | hooks | screen | both |\n|---|---|---|---|\n")
        for name, modes in scenarios.items():
            parts.append(f"| {name} | " + " | ".join(word(modes.get(mode)) for mode in MODES) + " |\n")
        parts.append("".join(_reasons(scenarios)))
    return "".join(parts)


def _reasons(scenarios: dict[str, dict[str, Entry]]) -> list[str]:
    """One line for each gap of an agent."""
    wrong = [
        f"- **{name}**, {mode}: {'; '.join(faults(entry))}{_known(entry)}\n"
        for name, modes in scenarios.items()
        for mode, entry in modes.items()
        if "skip" not in entry and faults(entry)
    ]
    absent: dict[str, list[str]] = {}
    for name, modes in scenarios.items():
        skips = {mode: entry["skip"] for mode, entry in modes.items() if "skip" in entry}
        for reason in dict.fromkeys(skips.values()):
            where = [mode for mode in MODES if skips.get(mode) == reason]
            absent.setdefault(reason, []).append(name if len(where) == len(MODES) else f"{name} ({', '.join(where)})")
    return [*(["\nWrong:\n\n", *wrong] if wrong else []), *_absent(absent)]


def _known(entry: Entry) -> str:
    return f" (a gap: {entry['known']})" if "known" in entry else ""


def _absent(absent: dict[str, list[str]]) -> list[str]:
    if not absent:
        return []
    return ["\nDoes not apply:\n\n", *(f"- {', '.join(names)}: {reason}\n" for reason, names in absent.items())]


def changes(old: Results, new: Results) -> list[str]:
    """What differs from the last run in words: not the milliseconds."""
    lines = []
    for agent, scenarios in new.items():
        for name, modes in scenarios.items():
            for mode, entry in modes.items():
                before = old.get(agent, {}).get(name, {}).get(mode)
                then, now = _plain(before), _plain(entry)
                if then != now:
                    lines.append(f"{agent}, {name}, {mode}: {then} -> {now}")
    return lines


def _plain(entry: Entry | None) -> str:
    return "right" if entry and "skip" not in entry and not faults(entry) else word(entry)
