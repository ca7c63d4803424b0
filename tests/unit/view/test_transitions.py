"""A daemon's history as it is printed."""

import json

from tma.core.ring import History, Transition
from tma.view import transitions

HISTORY = History(
    256, 9, [Transition("%1", "", "idle", 5, "capture"), Transition("%1", "idle", "blocked", 7, "hook\x1b[m")]
)


def test_the_document_has_null_for_a_first_sight() -> None:
    """``debug transitions --json``."""
    found = json.loads(transitions.document(HISTORY))
    assert {key: found[key] for key in ("schema", "cap", "recorded")} == {"schema": 1, "cap": 256, "recorded": 9}
    assert found["transitions"][0] == {"pane": "%1", "from": None, "to": "idle", "at": 5, "source": "capture"}


def test_the_text_is_a_heading_and_a_line_each() -> None:
    """SAN-1: nothing foreign colours it."""
    lines = transitions.text(HISTORY).splitlines()
    assert lines[0] == "2 held, 256 kept at most, 9 recorded"
    assert lines[1] == "%1  - -> idle  at=5  src=capture"
    assert "\x1b" not in lines[2]
