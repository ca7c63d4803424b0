"""Recorded hook streams replay into the states that were true at the terminal.

A stream is one JSON object a line. The first tells the agent, its release and the panes by their
own process; every other one an event: when it happened, under which variable and below which
processes it came, its payload, and what must stand ``then`` on each pane: state and detail,
``turn`` where this event ended one, ``mark``, ``call`` and ``request`` where they are up or open,
and the number of live sub-agents. ``typed`` says that a person typed there just before.
"""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tma.core import ops, stamp
from tma.core.detect import manifest
from tma.core.events import chains, hooks, owner
from tma.core.pane import PaneRecord, proven

Line = dict[str, Any]

HERE = Path(__file__).resolve().parent
STREAMS = sorted((HERE / "payloads").glob("*/*.jsonl"))
AGENTS = HERE.parents[1] / "src" / "tma" / "data" / "agents"


def read(path: Path) -> tuple[Line, list[Line]]:
    """A stream's head and its events."""
    head, *events = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return head, events


class Replay:
    """The panes of a stream while its events are played on them."""

    def __init__(self, head: Line) -> None:
        """Start with empty panes."""
        file = AGENTS / f"{head['agent']}.toml"
        self.plain = manifest.parse(head["agent"], tomllib.loads(file.read_text(encoding="utf-8")), str(file))
        self.directories: dict[str, str] = head.get("directories", {})
        self.panes = [PaneRecord(pane_id, pid) for pane_id, pid in head["panes"].items()]

    def play(self, line: Line) -> None:
        """Take one event to its pane."""
        if "CLAUDE_JOB_DIR" in line.get("env", {}):
            return
        event = hooks.Event(line["event"], line["at"], json.dumps(line["payload"]))
        entry = hooks.find(self.plain["map"], event)
        pane = self.pane_of(line, event, entry)
        if pane is None:
            return
        if line.get("typed"):
            pane.options.pop(stamp.ATTENTION, None)
        ops.apply(pane.options, chains.plan(event, entry, chains.Target(self.plain["name"], pane.options, ["$0"])))

    def pane_of(self, line: Line, event: hooks.Event, entry: Line | None) -> PaneRecord | None:
        """Decide the pane as the intake does; a plugin runs in the pane's own program."""
        named = next((pane for pane in self.panes if pane.pane_id == line.get("pane")), None)
        chain = [(pid, name) for pid, name in line.get("chain", [[named.pid, "plugin"]] if named else [])]
        if named is not None and proven(named.pid, 0, chain):
            return named
        sender = owner.Sender(chain)
        names = self.plain["process_names"]
        generic = bool(self.plain["title_patterns"])
        if named is not None and not owner.disproved(named, sender, names, generic=generic, others=self.panes):
            return named
        start = hooks.is_start(entry)
        there = next((pane for pane in self.panes if start and pane.pane_id == self.directories.get(event.cwd)), None)
        return owner.find(self.panes, chain, agent=self.plain["name"], session=event.session, works_in=lambda: there)


def told(pane: PaneRecord, former_turn: str) -> str:
    """What stands on a pane, in the words of ``then``; ``former_turn`` is what stood before the event."""
    seen, problem = stamp.decode(pane.options)
    assert problem == ""
    if seen is None:
        assert not pane.options
        return "none"
    assert not seen.in_progress
    words = [f"{seen.state}/{seen.detail}" if seen.detail else seen.state]
    words += ["turn"] * (pane.option(stamp.TURN_AT) != former_turn)
    words += ["mark"] * seen.attention
    words += ["call"] * bool(pane.option(stamp.PENDING_TOOL))
    words += ["request"] * bool(pane.option(stamp.PERMISSION_REQUEST))
    words += [f"subagents:{len(seen.subagents)}"] * bool(seen.subagents)
    return " ".join(words)


def expected(line: Line, pane_id: str) -> str:
    """What must stand on a pane after an event."""
    then = line["then"]
    return then if isinstance(then, str) else then[pane_id]


@pytest.mark.parametrize("path", STREAMS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_recorded_stream_replays_into_the_true_states(path: Path) -> None:
    """HOOK-1 to HOOK-18, OWN-7, MAN-MAP-1 to MAN-MAP-6: after every single event."""
    head, events = read(path)
    replay = Replay(head)
    for number, line in enumerate(events, start=2):
        turns = [pane.option(stamp.TURN_AT) for pane in replay.panes]
        replay.play(line)
        for pane, turn in zip(replay.panes, turns, strict=True):
            seen = told(pane, turn)
            assert seen == expected(line, pane.pane_id), f"{path.name}:{number} {line['event']} on {pane.pane_id}"


def runs(path: Path) -> Iterator[tuple[dict[str, str], dict[str, str], Line]]:
    """The first pane's options before and after each event."""
    head, events = read(path)
    replay = Replay(head)
    for line in events:
        before = dict(replay.panes[0].options)
        replay.play(line)
        yield before, dict(replay.panes[0].options), line


@pytest.mark.parametrize("path", STREAMS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_since_moves_with_the_state_or_another_prompt_alone(path: Path) -> None:
    """GRD-6: one state run has one beginning."""
    for before, after, line in runs(path):
        if stamp.STATE not in before or stamp.STATE not in after:
            continue
        known = [(before.get(key, ""), after.get(key, "")) for key in (stamp.PENDING_CALL, stamp.PERMISSION_REQUEST)]
        other = any(old and new and old != new for old, new in known)
        begun = before[stamp.STATE] != after[stamp.STATE] or other
        assert after[stamp.SINCE] == (str(line["at"]) if begun else before[stamp.SINCE]), line


def test_every_agent_has_a_recorded_stream_but_those_never_run() -> None:
    """MAN-FACT-1: cursor was not verified, all others were."""
    recorded = {path.parent.name.rpartition("-")[0] for path in STREAMS if not path.parent.name.endswith("-cases")}
    assert recorded == {file.stem for file in AGENTS.glob("*.toml")} - {"cursor"}
