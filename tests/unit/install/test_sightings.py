"""When events were last seen, and which should have been."""

from types import SimpleNamespace
from typing import Any

import pytest

from tma.core.stamp import Stamp
from tma.install import sightings
from tma.install.agents import ADAPTERS

CLAUDE = ADAPTERS["claude"]
EVENTS = [*CLAUDE.turn, CLAUDE.asks, "PreToolUse"]


def test_the_servers_notes_are_read_and_anything_else_is_passed_by() -> None:
    """WTR-1, STO-3: whoever wrote it, it must be a number."""
    text = "@tma_ev_claude_Stop 1700000000000\n@tma_last_poll 5\n@tma_ev_claude_SessionStart soon\nbuffer-limit 50\n"
    runtime: Any = SimpleNamespace(server=SimpleNamespace(run=lambda _: text))

    notes = sightings.read(runtime)

    came = sightings.seen(notes, "claude", ["SessionStart", "Stop", "PreToolUse"])
    assert came == {"SessionStart": None, "Stop": 1_700_000_000_000, "PreToolUse": None}


@pytest.mark.parametrize(
    ("prior", "missed"),
    [
        (None, ["UserPromptSubmit", "Stop"]),
        (Stamp("blocked", source="hook"), ["UserPromptSubmit", "Stop"]),
        (Stamp("blocked", source="capture"), ["UserPromptSubmit", "Stop", "PermissionRequest"]),
    ],
)
def test_a_turns_events_are_missed_and_a_dialogs_where_one_was_seen(prior: Stamp | None, missed: list[str]) -> None:
    """WTR-1: PermissionRequest only if a blocked screen was seen meanwhile; others may be long in coming."""
    came: dict[str, int | None] = dict.fromkeys(EVENTS)
    came["SessionStart"] = 5

    assert sightings.missed(CLAUDE, came, prior) == missed


def test_an_event_that_is_not_wired_is_not_missed() -> None:
    """WTR-1: only wired events can be dead."""
    assert sightings.missed(CLAUDE, {"Stop": None}, None) == ["Stop"]


def test_the_options_have_names_to_be_removed_by() -> None:
    """RM-3: never by pattern."""
    assert sightings.options({"a-b": ["x.y", "z"]}) == ["@tma_ev_a_b_x_y", "@tma_ev_a_b_z"]
