"""Gauges of any payload, and state files of any content."""

import json
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from tma.core.detect.published import CLAUDE_SESSIONS, Writer, read_record
from tma.core.detect.telemetry import (
    CLAUDE_STATUSLINE,
    CURSOR_STATUSLINE,
    PI_CONTEXT,
    Gauge,
    parse_payload,
    parse_rollout,
)

FORMS = st.sampled_from([CLAUDE_STATUSLINE, PI_CONTEXT, CURSOR_STATUSLINE, "other"])
KEYS = st.sampled_from(
    [
        "context_window",
        "used_percentage",
        "total_input_tokens",
        "context_window_size",
        "context_usage",
        "percent",
        "tokens",
        "contextWindow",
        "version",
        "model",
        "id",
        "payload",
        "type",
        "info",
        "total_token_usage",
        "total_tokens",
        "model_context_window",
        "session_id",
        "pid",
        "status",
        "statusUpdatedAt",
        "tmux",
        "procStart",
        "waitingFor",
    ]
)
NUMBERS = st.integers() | st.floats() | st.sampled_from([0, 1, 100, 1e308, -1e308, 10**400, 5e-324])
WORDS = st.sampled_from(["token_count", "turn_context", "2.1.332", "busy", "%7"])
LEAVES = st.none() | st.booleans() | NUMBERS | WORDS | st.text(max_size=5)
VALUES: st.SearchStrategy[Any] = st.recursive(
    LEAVES, lambda inner: st.dictionaries(KEYS, inner, max_size=5) | st.lists(inner, max_size=2), max_leaves=20
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=6)
WINDOWS = st.lists(OBJECTS.map(json.dumps) | st.text(max_size=20), max_size=8).map("\n".join)


def is_sound(gauge: Gauge | None) -> bool:
    """Whether a gauge holds only what may be stored."""
    if gauge is None:
        return True
    percent = gauge.percent is None or (type(gauge.percent) is int and 0 <= gauge.percent <= 100)
    tokens = gauge.tokens is None or (type(gauge.tokens) is int and 0 <= gauge.tokens < 2**53)
    one = gauge.clear != (gauge.percent is not None)
    return percent and tokens and one and len(gauge.model.encode("utf-8", "surrogatepass")) <= 64


@given(FORMS, OBJECTS)
@example(PI_CONTEXT, {"context_usage": {"tokens": 1e308, "contextWindow": 5e-324}})
@example(CURSOR_STATUSLINE, {"context_window": {"total_input_tokens": 10**400, "context_window_size": 1}})
def test_any_payload_gives_a_percentage_of_a_hundred_or_nothing(form: str, payload: dict[str, Any]) -> None:
    """FZ-16: percent in 0-100, or clear, or nothing."""
    assert is_sound(parse_payload(form, json.dumps(payload)))


@given(FORMS, st.text(max_size=40))
def test_any_text_gives_a_sound_gauge_or_nothing(form: str, text: str) -> None:
    """FZ-16: no exception leaves the parser."""
    assert is_sound(parse_payload(form, text))
    assert is_sound(parse_rollout(text, from_start=True))


@given(text=WINDOWS, cut=st.integers(0, 200), from_start=st.booleans())
def test_any_window_onto_a_rollout_gives_a_sound_gauge_or_nothing(text: str, cut: int, *, from_start: bool) -> None:
    """FZ-16, ROL-4: wherever the window begins."""
    assert is_sound(parse_rollout(text[cut:], from_start=from_start))


@given(OBJECTS, st.integers(0, 2**53), st.integers(0, 9))
def test_any_state_file_says_nothing_that_an_action_rests_on(record: dict[str, Any], now: int, pid: int) -> None:
    """APS-3, APS-5: no exception, no detail of a wait, no instant that is too far ahead."""
    text = json.dumps({"pid": 7, "status": "waiting", **record})
    writer = Writer(pid, "%7", started="1", started_ms=1, changed_ms=now)
    said = read_record(CLAUDE_SESSIONS, text, writer, now)

    if said is not None and said.evidence is not None:
        assert said.evidence.at <= now + 2000
        assert said.evidence.state != "blocked" or not said.evidence.detail
