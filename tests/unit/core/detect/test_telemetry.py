"""Context gauges from what agents send and write."""

import json

import pytest

from tma.core.detect.telemetry import (
    CLAUDE_STATUSLINE,
    CODEX_ROLLOUT,
    CURSOR_STATUSLINE,
    PI_CONTEXT,
    Gauge,
    parse_payload,
    parse_rollout,
)


def reading(form: str, payload: object) -> tuple[int | None, int | None] | str:
    """Percent and tokens of a payload, or what is done instead."""
    gauge = parse_payload(form, json.dumps(payload))
    if gauge is None:
        return "ignored"
    return "clear" if gauge.clear else (gauge.percent, gauge.tokens)


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        ({"used_percentage": 42.5, "total_input_tokens": 84000}, (43, 84000)),
        ({"used_percentage": 42.49}, (42, None)),
        ({"used_percentage": 0}, (0, None)),
        ({"used_percentage": 100}, (100, None)),
        ({"used_percentage": None}, "clear"),
        ({}, "clear"),
        (None, "clear"),
        ({"used_percentage": 100.1}, "ignored"),
        ({"used_percentage": -0.1}, "ignored"),
        ({"used_percentage": "42"}, "ignored"),
        ({"used_percentage": True}, "ignored"),
        ([42], "ignored"),
        (42, "ignored"),
        ({"used_percentage": 10, "total_input_tokens": 84000.9}, (10, 84000)),
        ({"used_percentage": 10, "total_input_tokens": -1}, (10, None)),
        ({"used_percentage": 10, "total_input_tokens": "9"}, (10, None)),
    ],
)
def test_claude_tells_its_percentage_or_that_there_is_none(window: object, expected: object) -> None:
    """CTX-3: half rounds up; a missing field clears; a value out of range is ignored."""
    assert reading(CLAUDE_STATUSLINE, {"context_window": window, "version": "2.1.332"}) == expected


def test_claude_without_a_window_clears() -> None:
    """CTX-3: the object missing altogether means the same."""
    assert reading(CLAUDE_STATUSLINE, {"version": "2.1.332"}) == "clear"


@pytest.mark.parametrize(
    ("version", "counted"),
    [
        ("2.1.132", True),
        ("2.1.132-beta.1", True),
        ("2.1.132.7", True),
        ("2.2.0", True),
        ("10.0.0", True),
        ("2.1.131", False),
        ("2.1", False),
        ("2.1.x", False),
        ("v2.1.332", False),
        ("", False),
        (None, False),
        (2.1, False),
    ],
)
def test_claudes_tokens_count_from_one_version_on(version: object, *, counted: bool) -> None:
    """CTX-3: three numeric parts, a suffix ignored."""
    payload = {"version": version, "context_window": {"used_percentage": 1, "total_input_tokens": 5}}

    assert reading(CLAUDE_STATUSLINE, payload) == (1, 5 if counted else None)


def test_fields_are_read_inside_their_own_object_only() -> None:
    """CTX-4: the same names elsewhere in a payload mean something else."""
    limits = {"rate_limits": {"five_hour": {"used_percentage": 77}}, "used_percentage": 78, "total_input_tokens": 9}

    assert reading(CLAUDE_STATUSLINE, {"version": "2.1.332", **limits}) == "clear"
    assert reading(PI_CONTEXT, {"percent": 3, "tokens": 4}) == "ignored"
    assert reading(CURSOR_STATUSLINE, {"total_input_tokens": 5, "context_window_size": 10}) == "ignored"


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ({"id": " opus-5 "}, "opus-5"),
        ({"id": "x" * 64}, "x" * 64),
        ({"id": "x" * 65}, ""),
        ({"id": "é" * 33}, ""),
        ({"id": 5}, ""),
        ("opus", ""),
    ],
)
def test_claude_names_its_model(model: object, expected: str) -> None:
    """CTX-6: model.id, 1 to 64 bytes."""
    gauge = parse_payload(CLAUDE_STATUSLINE, json.dumps({"model": model}))
    assert gauge is not None

    assert gauge.model == expected


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"percent": 12.5, "tokens": 16000}, (13, 16000)),
        ({"percent": 140}, (100, None)),
        ({"percent": -3}, (0, None)),
        ({"percent": None, "tokens": 32000, "contextWindow": 128000}, (25, 32000)),
        ({"tokens": 32000, "contextWindow": 0}, "ignored"),
        ({"tokens": 32000}, "ignored"),
        ({"percent": "x"}, "ignored"),
        ({}, "ignored"),
        (None, "ignored"),
    ],
)
def test_pi_tells_a_percentage_or_its_parts(usage: object, expected: object) -> None:
    """CTX-3: clamped; else tokens by window; never cleared."""
    assert reading(PI_CONTEXT, {"context_usage": usage}) == expected


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        ({"total_input_tokens": 50, "context_window_size": 200}, (25, 50)),
        ({"total_input_tokens": 500, "context_window_size": 200}, (100, 500)),
        ({"total_input_tokens": 1, "context_window_size": 200}, (1, 1)),
        ({"total_input_tokens": -1, "context_window_size": 200}, "ignored"),
        ({"total_input_tokens": 5, "context_window_size": 0}, "ignored"),
        ({"total_input_tokens": 5}, "ignored"),
        ({}, "ignored"),
        (None, "ignored"),
    ],
)
def test_cursor_tells_tokens_and_window(window: object, expected: object) -> None:
    """CTX-3: clamped; missing, negative or no window: ignored."""
    assert reading(CURSOR_STATUSLINE, {"context_window": window}) == expected


@pytest.mark.parametrize(
    ("payload", "session"),
    [({"session_id": "S1", "sessionId": "S2"}, "S1"), ({"sessionId": "S2"}, "S2"), ({}, ""), ({"session_id": 5}, "")],
)
def test_the_session_of_a_payload_is_kept_for_its_owner(payload: dict[str, object], session: str) -> None:
    """CTX-2, HOOK-3: either spelling, the first wins."""
    gauge = parse_payload(CLAUDE_STATUSLINE, json.dumps(payload))
    assert gauge is not None

    assert gauge.session == session


@pytest.mark.parametrize("text", ["", "[1]", "null", "{", "[" * 9000])
@pytest.mark.parametrize("form", [CLAUDE_STATUSLINE, PI_CONTEXT, CURSOR_STATUSLINE])
def test_a_payload_that_is_no_object_is_ignored(form: str, text: str) -> None:
    """CTX-1: unparsable means nothing is stored or cleared."""
    assert parse_payload(form, text) is None


@pytest.mark.parametrize("form", ["", "new-format", CODEX_ROLLOUT])
def test_a_format_that_no_event_has_is_ignored(form: str) -> None:
    """CTX-1, MAN-TEL-1: an unknown format yields no reading."""
    assert parse_payload(form, '{"context_window":{"used_percentage":5}}') is None


def count(total: object, window: object = 200_000) -> str:
    """A token count record of a rollout."""
    info = {"total_token_usage": {"total_tokens": total}, "model_context_window": window}
    return json.dumps({"type": "event_msg", "payload": {"type": "token_count", "info": info, "rate_limits": {}}})


def turn(model: object) -> str:
    """A turn record of a rollout."""
    return json.dumps({"type": "turn_context", "payload": {"cwd": "/x", "model": model}})


def rollout(*lines: str, end: str = "\n", from_start: bool = True) -> Gauge | None:
    """The gauge of a rollout's lines."""
    return parse_rollout("\n".join(lines) + end, from_start=from_start)


def percent(*lines: str, end: str = "\n", from_start: bool = True) -> int | None:
    """The percentage of a rollout's lines."""
    gauge = rollout(*lines, end=end, from_start=from_start)
    return gauge.percent if gauge else None


def test_the_newest_usable_count_of_a_rollout_wins() -> None:
    """CTX-3, ROL-4: the search goes back until a count can be used."""
    assert percent(count(20_000), count(50_000), '{"type":"other"}') == 25
    assert percent(count(20_000), count(-1), count(5, 0), count("x"), count(None)) == 10
    assert percent('{"token_count":1}', "not json token_count", '["token_count"]') is None


def test_a_count_is_clamped_and_has_no_tokens() -> None:
    """CTX-3: codex gives no token count, and never clears."""
    gauge = rollout(count(900_000))
    assert gauge is not None

    assert (gauge.percent, gauge.tokens, gauge.clear) == (100, None, False)


def test_torn_lines_at_the_ends_of_the_window_are_dropped() -> None:
    """ROL-4: the first unless the file begins there, the last always."""
    assert percent(count(20_000), "x", from_start=False) is None
    assert percent("torn", count(20_000), from_start=False) == 10
    assert percent(count(20_000), count(50_000), end="") == 10
    assert percent(count(50_000), end="") is None
    assert parse_rollout("", from_start=True) is None


def test_the_newest_model_of_the_window_is_named() -> None:
    """ROL-5, MAN-FACT-16: the model of the last turn, wherever it stands."""
    gauge = rollout(turn("old"), count(20_000), turn("gpt-6"), turn(5), '{"type":"x","model":"turn_context"}')
    assert gauge is not None

    assert (gauge.percent, gauge.model) == (10, "gpt-6")
    assert rollout(turn("gpt-6")) is None


def test_text_inside_a_message_is_no_record() -> None:
    """CTX-4: a quoted record counts for nothing."""
    quoted = json.dumps({"type": "event_msg", "payload": {"type": "agent_message", "message": count(90_000)}})

    assert percent(count(20_000), quoted) == 10
