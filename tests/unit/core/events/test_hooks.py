"""A hook event's fields and the manifest entry it falls under."""

import hashlib
import json

import pytest

from tma.core.detect.cost import cost_of
from tma.core.events import hooks
from tma.core.events.hooks import Event, find

Entry = dict[str, object]


def event(kind: str = "PermissionRequest", **payload: object) -> Event:
    """An event at an instant that does not matter."""
    return Event(kind, 1000, json.dumps(payload))


def test_fields_are_read_from_the_top_level_only() -> None:
    """HOOK-3: what stands inside another value is no field."""
    seen = event(session_id="S1", tool_input={"session_id": "other", "tool_name": "Bash"})
    assert (seen.session, seen.tool) == ("S1", "")


def test_camel_case_names_the_same_fields_and_the_first_spelling_wins() -> None:
    """HOOK-3: copilot's spelling."""
    seen = event(sessionId="S1", toolName="bash", toolInput={"command": "touch p1"}, transcriptPath="/t", requestId="r")
    assert (seen.session, seen.tool, seen.summary) == ("S1", "bash", "touch p1")
    assert (seen.transcript, seen.request) == ("/t", "r")
    assert event(session_id="first", sessionId="second").session == "first"


def test_a_thread_id_is_a_session_for_notify_alone() -> None:
    """HOOK-3: codex names its session that way there."""
    assert event("notify", **{"thread-id": "t1"}).session == "t1"
    assert event("Stop", **{"thread-id": "t1"}).session == ""


@pytest.mark.parametrize("raw", ["", "no json", "[]", '"text"', "7", "null", '{"session_id":', "\ufeff{}", "{}{}"])
def test_a_payload_that_is_no_object_has_no_fields(raw: str) -> None:
    """HOOK-3: only a JSON object has fields."""
    seen = Event("Stop", 1, raw)
    assert (seen.data, seen.session, seen.call, seen.summary) == (None, "", "", "")


def test_a_payload_cut_at_its_limit_counts_as_text() -> None:
    """MAN-MAP-3, DEV-1: even if what is left happens to parse."""
    assert Event("Stop", 1, '{"session_id": "S1"}', cut=True).session == ""


@pytest.mark.parametrize("value", [7, None, True, ["S1"], {"id": "S1"}])
def test_a_field_of_another_type_is_missing(value: object) -> None:
    """HOOK-3: ids are texts."""
    assert event(session_id=value, tool_name=value, model=value).session == ""


def test_a_model_is_trimmed_and_of_at_most_64_bytes() -> None:
    """HOOK-7: a longer one is none."""
    assert event(model="  opus; ").model == "opus;"
    assert event(model="é" * 32).model == "é" * 32
    assert event(model="é" * 33).model == ""


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("http://127.0.0.1:4096/;", True),
        ("https://127.0.0.1", False),
        ("http://a b", False),
        ("http://ä", False),
        ("http://a\n", False),
        ("file:///x", False),
    ],
)
def test_an_endpoint_is_plain_http_in_printable_ascii(url: str, *, kept: bool) -> None:
    """HOOK-7: no blanks, nothing but ASCII."""
    assert event(api_endpoint=url).endpoint == (url if kept else "")


def test_a_call_is_named_by_its_tool_use_id() -> None:
    """HOOK-14: the agent's own id comes first."""
    assert event(tool_name="Bash", tool_use_id="toolu_1", session_id="S1").call == "toolu_1"


def test_a_call_without_an_id_is_named_by_its_content() -> None:
    """HOOK-14: SHA-256 over session, prompt, tool and sorted compact input, joined by NUL."""
    seen = event(session_id="S1", prompt_id="P1", tool_name="Bash", tool_input={"b": "ü", "a": 1})
    told = 'S1\0P1\0Bash\0{"a":1,"b":"ü"}'
    assert seen.call == hashlib.sha256(told.encode()).hexdigest()[:16]


def test_a_repeat_has_the_same_call_and_the_next_call_another() -> None:
    """HOOK-14: keys in another order are the same call."""
    first = event(session_id="S1", tool_name="Bash", tool_input={"command": "a", "x": 1})
    again = event(session_id="S1", tool_name="Bash", tool_input={"x": 1, "command": "a"})
    other = event(session_id="S1", tool_name="Bash", tool_input={"command": "b", "x": 1})
    assert first.call == again.call != other.call


def test_a_call_without_id_and_session_has_no_name() -> None:
    """HOOK-14: with neither, empty."""
    assert event(tool_name="Bash", tool_input={"command": "a"}).call == ""
    assert event(session_id="S1").call == ""


@pytest.mark.parametrize(
    ("tool", "asked", "told"),
    [
        ("Bash", {"description": "d", "command": "ls"}, "ls"),
        ("run_shell_command", {"description": "d", "command": "ls"}, "ls"),
        ("Write", {"content": "c", "file_path": "/f"}, "/f"),
        ("write_file", {"content": "c", "file_path": "/f"}, "/f"),
        ("Agent", {"n": 1, "prompt": "do", "x": "y"}, "do"),
        ("Bash", {"command": 7, "note": "n"}, "n"),
        ("AskUserQuestion", {"questions": [{"question": "q"}]}, ""),
        ("Bash", "ls", ""),
    ],
)
def test_a_summary_is_the_command_the_file_or_the_first_text(tool: str, asked: object, told: str) -> None:
    """HOOK-15: by tool, else the first string in document order, else empty."""
    assert event(tool_name=tool, tool_input=asked).summary == told


def test_a_subagents_id_outside_the_grammar_becomes_a_digest() -> None:
    """CH-SUB: the list is split at blanks, so an id is one plain word."""
    assert event(agent_id="a7f3c1").agent_id == "a7f3c1"
    assert event(agent_id="a b").agent_id == "h-" + hashlib.sha256(b"a b").hexdigest()[:16]
    assert event(agent_id="x" * 129).agent_id.startswith("h-")


NOTIFICATION: list[Entry] = [
    {"event": "N", "state": "blocked", "where": {"type": ["permission_prompt", "dialog"]}},
    {"event": "N", "ignore": True, "where": {"type": "idle_prompt"}},
    {
        "event": "N",
        "state": "blocked",
        "where": {"type": False},
        "matcher": r'"message":\s*"Claude needs your permission',
    },
]


def detail(entries: list[Entry], raw: str) -> object:
    """The entry's place in the table, None for an unmapped event."""
    found = find(entries, Event("N", 1, raw))
    return None if found is None else next(at for at, entry in enumerate(entries) if entry is found)


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        ('{"type": "permission_prompt"}', 0),
        ('{"type": "dialog"}', 0),
        ('{"type": "idle_prompt"}', 1),
        ('{"message": "Claude needs your permission to use Edit"}', 2),
        ('{"message": "Claude is waiting for your input"}', None),
        ('{"type": "other", "message": "Claude needs your permission"}', None),
        ('"message": "Claude needs your permission"', None),
    ],
)
def test_entries_are_tried_in_order_and_all_conditions_must_hold(raw: str, place: int | None) -> None:
    """MAN-MAP-1, FC-01: where before matcher; without a fallback the event is unmapped."""
    assert detail(NOTIFICATION, raw) == place


def test_an_entry_without_conditions_is_the_last_resort_wherever_it_stands() -> None:
    """MAN-MAP-1: the first with neither wins if no condition holds."""
    entries: list[Entry] = [
        {"event": "N", "state": "blocked", "detail": "permission"},
        {"event": "N", "state": "blocked", "detail": "plan", "where": {"tool_name": "ExitPlanMode"}},
        {"event": "N", "state": "idle"},
    ]
    assert detail(entries, '{"tool_name": "ExitPlanMode"}') == 1
    assert detail(entries, '{"tool_name": "Bash"}') == 0


def test_a_payload_that_is_no_object_falls_back_only_without_any_where() -> None:
    """MAN-MAP-3: a cut plan request never counts as a permission."""
    plain: Entry = {"event": "N", "state": "working"}
    narrowed: Entry = {"event": "N", "state": "blocked", "where": {"tool_name": "ExitPlanMode"}}
    assert detail([plain], "") == 0
    assert detail([narrowed, plain], '{"tool_name": "Exi') is None
    assert detail([{"event": "N", "state": "idle", "matcher": "stop"}, plain], "full stop") == 0


def test_text_inside_a_tools_input_imitates_no_field() -> None:
    """MAN-MAP-2, FZ-2: a where reads fields, not text."""
    entries: list[Entry] = [{"event": "N", "state": "blocked", "where": {"tool_name": "Bash"}}]
    forged = json.dumps({"tool_input": {"command": '"tool_name":"Bash"', "tool_name": "Bash"}})
    assert detail(entries, forged) is None


@pytest.mark.parametrize(
    ("path", "wanted", "payload", "holds"),
    [
        ("a", True, {"a": False}, True),
        ("a", True, {"a": 0}, True),
        ("a", True, {"a": None}, False),
        ("a", True, {"a": ""}, False),
        ("a", True, {"a": []}, False),
        ("a", True, {"a": {}}, False),
        ("a", True, {}, False),
        ("a", False, {}, True),
        ("a", False, {"a": "x"}, False),
        ("a", "true", {"a": True}, True),
        ("a", "true", {"a": "true"}, True),
        ("a", "false", {"a": False}, True),
        ("a", "1", {"a": 1}, True),
        ("a", "1", {"a": True}, False),
        ("a", "1.5", {"a": 1.5}, True),
        ("a", "null", {"a": None}, False),
        ("a.b", "x", {"a": {"b": "x"}}, True),
        ("a.b", "x", {"a": "x"}, False),
        ("a[].b", "x", {"a": [{"b": "y"}, {"b": "x"}]}, True),
        ("a[].b", "x", {"a": {"b": "x"}}, False),
        ("a[]", "x", {"a": ["y", "x"]}, True),
        ("a[].b", False, {"a": []}, True),
        ("a", ["x", "y"], {"a": "y"}, True),
    ],
)
def test_a_condition_compares_texts_and_presence(path: str, wanted: object, payload: object, *, holds: bool) -> None:
    """MAN-MAP-6: a path into the payload, an exact text, one of several, or whether anything is there."""
    entries: list[Entry] = [{"event": "N", "state": "idle", "where": {path: wanted}}]
    assert (detail(entries, json.dumps(payload)) == 0) is holds


def test_a_matcher_sees_the_first_mebibyte() -> None:
    """MAN-RX-5: what lies behind is not searched."""
    entries: list[Entry] = [{"event": "N", "state": "idle", "matcher": "needle"}]
    assert detail(entries, "x" * ((1 << 20) - 6) + "needle") == 0
    assert detail(entries, "x" * (1 << 20) + "needle") is None


def test_a_costly_matcher_does_not_hang_an_event() -> None:
    """MAN-RX-5, DEV-5: what backtracking would take hours over is given another way to search."""
    pattern = "x.*y.*z.*w"
    entries = [{"event": "E", "matcher": pattern, "state": "working"}]
    raw = "xyz" * 40_000
    assert hooks.find(entries, hooks.Event("E", 1, raw), {pattern: cost_of(pattern)}) is None


def test_an_ignored_or_unmapped_event_needs_no_server() -> None:
    """MAN-MAP-1, MAN-MAP-4: nothing to write, nobody to ask."""
    ignored, working = {"event": "x", "ignore": True}, {"event": "x", "state": "working"}
    assert not hooks.matters(Event("x", 1, "{}"), None)
    assert not hooks.matters(Event("x", 1, "{}"), ignored)
    assert not hooks.matters(Event("SubagentStop", 1, "{}"), None)
    assert hooks.matters(Event("SubagentStop", 1, '{"agent_id": "a"}'), None)
    assert hooks.matters(Event("permission-replied", 1, "{}"), ignored)
    assert hooks.matters(Event("x", 1, "{}"), working)
