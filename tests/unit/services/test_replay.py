"""The pretended agents' stories, played on a clock of the test's own."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tma.services import replay
from tma.services.replay import Replay

STORIES = Path(replay.__file__).resolve().parent.parent / "data" / "demo"
NAMES = ("claude", "codex", "pi", "plan")


def story(name: str) -> dict[str, Any]:
    """A story as it is shipped."""
    return tomllib.loads((STORIES / f"{name}.toml").read_text(encoding="utf-8"))


def kinds(played: Replay, now: float, typed: str = "") -> list[str]:
    """The kinds of the events that a step brings."""
    return [event.kind for event in played.step(now, typed)]


def test_the_loop_goes_through_every_state_within_twenty_seconds() -> None:
    """At speed 1 idle, working, blocked and an answered prompt's end follow one another (DEM-2)."""
    played = Replay(story("claude"), 1.0)

    seen = {at: kinds(played, 100.0 + at, "1" if at == 9 else "") for at in range(20)}

    assert {at: names for at, names in seen.items() if names} == {
        0: ["SessionStart"],
        3: ["UserPromptSubmit", "PreToolUse"],
        8: ["PermissionRequest"],
        9: ["PostToolUse"],
        15: ["Stop"],
    }


def test_an_unanswered_prompt_goes_on_after_thirty_seconds() -> None:
    """A prompt that nobody answers does not stop the demo (DEM-2)."""
    played = Replay(story("claude"), 1.0)
    for at in (0, 3, 8):
        played.step(at, "")

    assert kinds(played, 37.9) == []
    assert kinds(played, 38.0) == ["PostToolUse"]


def test_a_denied_prompt_shows_the_composer_and_fires_nothing() -> None:
    """After a no this agent is silent, so that only its screen ends the claim (MAN-FACT-5)."""
    played = Replay(story("claude"), 1.0)
    for at in (0, 3, 8):
        played.step(at, "")

    assert kinds(played, 9.0, "\x1b") == []
    assert "What should Claude do instead?" in played.picture(9.0, 80, 40)


def test_keys_that_answer_nothing_are_ignored() -> None:
    """Only the keys of the dialog on screen move the story (DEM-2)."""
    played = Replay(story("plan"), 1.0)
    played.step(0, "")

    assert kinds(played, 1.0, "xyz") == []
    assert "Ready to code?" in played.picture(1.0, 80, 40)


def test_the_pace_multiplies_every_duration() -> None:
    """Twice the speed brings the next scene in half the time (DEM-2)."""
    played = Replay(story("claude"), 2.0)
    played.step(0, "")

    assert kinds(played, 1.4) == []
    assert kinds(played, 1.5) == ["UserPromptSubmit", "PreToolUse"]


def test_the_gauge_rises_with_the_scene() -> None:
    """The context that the agent reports grows, and the screen says the same (DEM-2)."""
    played = Replay(story("pi"), 1.0)
    played.step(0, "")

    readings = [
        json.loads(event.payload)["context_usage"]["percent"]
        for at in range(0, 60, 3)
        for event in played.step(at, "")
        if event.kind == "context"
    ]

    assert readings == sorted(set(readings))
    assert f"{readings[-1]}.0%/128k" in played.picture(57, 80, 40)


def test_a_low_pane_shows_the_end_of_the_picture() -> None:
    """Where the screen is too high for the pane, its last lines stay, as in a terminal (DEM-2)."""
    played = Replay(story("plan"), 1.0)
    played.step(0, "")

    lines = played.picture(0.0, 80, 10).splitlines()

    assert len(lines) == 9
    assert "ctrl+g to edit" in lines[-1]


@pytest.mark.parametrize("name", NAMES)
def test_every_payload_is_json_and_every_scene_leads_to_a_scene(name: str) -> None:
    """A story can be played to its end whatever is typed (DEM-2)."""
    scenes = story(name)["scene"]
    names = {scene["name"] for scene in scenes}

    for scene in scenes:
        assert set(scene.get("keys", {}).values()) <= names
        assert scene.get("next", scene["name"]) in names
        for _kind, payload in [*scene.get("events", []), *scene.get("repeat", [])]:
            assert json.loads(payload.replace("{percent}", "50"))["session_id"]


@pytest.mark.parametrize("name", NAMES)
def test_every_picture_is_filled_and_fits_a_small_terminal(name: str) -> None:
    """No placeholder stays, rules span the pane and text keeps to 80 columns (DEM-1)."""
    told = story(name)
    for scene in told["scene"]:
        played = Replay({**told, "scene": [{**scene, "next": scene["name"]}]}, 1.0)
        played.step(0, "")

        text = re.sub(r"\x1b\[\d*m", "", played.picture(0.0, 80, 40))

        assert not re.search(r"\{\w+\}", text + played.title(0.0))
        assert max(map(len, text.splitlines())) <= 92
        assert "─" * 80 in text or "───" not in text
