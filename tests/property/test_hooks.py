"""Payloads of any shape become one of the mapped claims or nothing, and write no torn tuple (FZ-2)."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tma.core import ops, stamp
from tma.core.events import chains, hooks
from tma.core.state import STATES

Options = dict[str, str]

ENTRIES: list[dict[str, Any]] = [
    {"event": "a", "state": "blocked", "detail": "plan", "where": {"tool_name": "Plan", "x.y[].z": True}},
    {"event": "a", "state": "blocked", "detail": "question", "where": {"tool_name": ["Ask", "Ask2"]}},
    {"event": "a", "state": "blocked", "matcher": '"message":\\s*"needs'},
    {"event": "a", "ignore": True, "where": {"agent_id": True}},
    {"event": "a", "state": "blocked", "detail": "permission"},
    {"event": "b", "state": "working"},
    {"event": "c", "state": "idle", "turn_end": True, "keep_detail": True},
    {"event": "d", "state": "idle", "detail": "interrupted"},
    {"event": "start", "lifecycle": "start"},
    {"event": "end", "lifecycle": "end"},
    {"event": "permission-replied", "ignore": True},
    {"event": "notify", "state": "idle", "turn_end": True},
]
KINDS = st.sampled_from([*{str(entry["event"]) for entry in ENTRIES}, "SubagentStart", "SubagentStop", "unmapped"])

FIELDS = st.sampled_from([
    "session_id", "sessionId", "thread-id", "transcript_path", "model", "api_endpoint", "request_id", "tool_name",
    "tool_use_id", "tool_input", "prompt_id", "cwd", "agent_id", "x", "message",
])  # fmt: skip
WORDS = st.sampled_from(["S1", "S2", "Plan", "Ask", "Bash", "", "0", "a,b}c;", "#(touch x)", "\ud800", "é" * 600])
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), WORDS, st.text(max_size=20))
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(FIELDS, inner, max_size=4)),
    max_leaves=12,
)
PAYLOADS = st.one_of(
    st.dictionaries(FIELDS, VALUES, max_size=8).map(json.dumps),
    VALUES.map(json.dumps),
    st.text(max_size=60),
    st.binary(max_size=60).map(lambda data: data.decode("utf-8", "replace")),
    st.binary(max_size=60).map(lambda data: data.decode("utf-8", "surrogateescape")),
    st.integers(1, 20_000).map(lambda depth: "[" * depth),
    st.integers(1, 20_000).map(lambda depth: '{"a":' * depth),
)
EVENTS = st.builds(hooks.Event, KINDS, st.integers(1, 2**41), PAYLOADS, cut=st.booleans())
STORED = st.dictionaries(
    st.sampled_from([*stamp.DEREG, stamp.IGNORE, stamp.ACTION]),
    st.one_of(
        WORDS, st.sampled_from(["1", "hook", "capture", *sorted(STATES), "1000", "99999999999999"]), st.text(max_size=9)
    ),
)


@given(EVENTS)
def test_an_event_maps_to_an_entry_of_its_own_kind_or_to_none(event: hooks.Event) -> None:
    """FZ-2: the closed set, whatever the payload; a text that is no object meets no ``where``."""
    entry = hooks.find(ENTRIES, event)
    assert entry is None or (entry in ENTRIES and entry["event"] == event.kind)
    if event.data is None and entry is not None:
        assert "where" not in entry


@given(st.dictionaries(st.sampled_from(["tool_input", "prompt", "x"]), VALUES, max_size=4))
def test_no_condition_holds_by_text_inside_another_value(payload: dict[str, Any]) -> None:
    """FZ-2, MAN-MAP-2: without the field itself nothing imitates it."""
    forged = {
        key: {"tool_name": "Plan", "inner": value, "text": '"tool_name": "Ask"'} for key, value in payload.items()
    }
    event = hooks.Event("a", 1, json.dumps(forged))
    assert hooks.find(ENTRIES, event) is (None if event.data is None else ENTRIES[4])


@given(EVENTS)
def test_every_field_may_be_stored(event: hooks.Event) -> None:
    """WR-6, HOOK-7, HOOK-14, HOOK-15: bounded, one line, and in UTF-8's reach."""
    for value in (event.session, event.transcript, event.request, event.tool, event.call, event.summary, event.model):
        assert len(value.encode()) <= 1024
        assert not any(char < " " or "\x7f" <= char <= "\x9f" for char in value)
    assert len(event.model.encode()) <= 64
    assert len(event.summary.encode()) <= 120
    assert len(event.agent_id) <= 128


@given(st.lists(EVENTS, max_size=8), STORED)
def test_any_events_leave_a_whole_tuple_and_no_scratch(events: list[hooks.Event], stored: Options) -> None:
    """HOOK-17, FZ-3: no exception, and what an event committed decodes."""
    options = {key: value for key, value in stored.items() if value}
    for event in events:
        before = dict(options)
        entry = hooks.find(ENTRIES, event)
        plan = chains.plan(event, entry, chains.Target("probe", options, ["$0"]))
        ops.apply(options, plan)
        assert stamp.STAGE not in options or not plan
        if options.get(stamp.STAMPED_AT) == str(event.at) != before.get(stamp.STAMPED_AT):
            check_committed(options, event)
        if not hooks.matters(event, entry):
            assert options == before


def check_committed(options: Options, event: hooks.Event) -> None:
    """Every part of a committed tuple is the event's."""
    assert options[stamp.STATE] in STATES
    assert options[stamp.SOURCE] == "hook"
    assert options[stamp.EVIDENCE_AT] == str(event.at)
    assert options[stamp.NAME] == "probe"
    assert options[stamp.SINCE]


@given(st.lists(EVENTS, min_size=2, max_size=6))
def test_an_older_event_never_wins_over_a_newer_one(events: list[hooks.Event]) -> None:
    """GRD-EVENT: evidence of hooks only grows while the agent is registered."""
    options: Options = {}
    newest = 0
    for event in events:
        plan = chains.plan(event, hooks.find(ENTRIES, event), chains.Target("probe", options, []))
        ops.apply(options, plan)
        seen = int(options.get(stamp.EVIDENCE_AT, "0"))
        assert seen >= newest or not seen
        newest = seen
