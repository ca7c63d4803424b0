"""The action manifest's schema."""

from typing import Any

import pytest

from acting import action, exec_action, keys_action, text_action
from tma.core.act import schema
from tma.core.act.schema import Reply, Typing
from tma.core.errors import ManifestError

KEYS = {"kind": "keys", "keys": {"claude": ["1"]}}
TEXT = {"kind": "text", "text": {"claude": {}}}
EXEC = {"kind": "exec", "command": "true"}


def test_a_keys_action_reads_whole() -> None:
    """ACTM-1 to ACTM-4."""
    made = keys_action(
        label="Yes",
        requires=["session", "pid"],
        confirm=True,
        leave_mode=True,
        timeout_ms=5,
        key_delay_ms={"claude": 150},
        api={"opencode": {"op": "permission-reply", "reply": "always"}},
        screen={"claude": {"present": ["a"]}, "opencode": {"absent": ["b"]}},
    )
    assert made.agents == ("claude", "opencode")
    assert (made.transport("claude"), made.transport("opencode")) == ("keys", "api")
    assert made.api["opencode"] == Reply("permission-reply", "always")
    assert (made.confirm, made.leave_mode, made.lock_ms, made.requires) == (True, True, 5, ("session", "pid"))


def test_a_text_action_has_its_defaults() -> None:
    """ACT-TEXT-3: 150 ms, two sigils."""
    made = action("steer", TEXT)
    assert made.typing["claude"] == Typing((), (), steer_now=False, suffix_delay_ms=150)
    assert (made.sigils, made.timeout_ms, made.when) == (("/", "!"), 30_000, None)
    assert action("steer", {**TEXT, "sigils": []}).sigils == ()


def test_an_exec_action_bounds_its_lock_by_its_own_time() -> None:
    """ACT-LOCK-1."""
    assert exec_action(timeout_ms=7).lock_ms == 7
    assert exec_action(detach=True).lock_ms == 900_000


@pytest.mark.parametrize(
    ("base", "changes", "place"),
    [
        (KEYS, {"name": "other"}, "name"),
        (KEYS, {"label": ""}, "label"),
        (KEYS, {"label": "x" * 81}, "label"),
        (KEYS, {"label": "a\tb"}, "label"),
        (KEYS, {"kind": "shell"}, "kind"),
        (KEYS, {"label": None}, "label"),
        (KEYS, {"colour": 1}, "colour"),
        (KEYS, {"command": "x"}, "command"),
        (KEYS, {"agents": ["pi"]}, "agents"),
        (KEYS, {"detach": True}, "detach"),
        (KEYS, {"sigils": []}, "sigils"),
        (KEYS, {"text": {}}, "text"),
        (KEYS, {"keys": None}, "keys"),
        (KEYS, {"keys": {}}, "keys"),
        (KEYS, {"keys": {"A b": []}}, "A b"),
        (KEYS, {"keys": {"claude": ["x" * 257]}}, "claude[0]"),
        (KEYS, {"keys": {"claude": [""]}}, "claude[0]"),
        (KEYS, {"keys": {"claude": ["a\n"]}}, "claude[0]"),
        (KEYS, {"keys": {"claude": ["a"] * 65}}, "claude"),
        (KEYS, {"keys": {"claude": "1"}}, "claude"),
        (KEYS, {"keys": {"claude": [1]}}, "claude[0]"),
        (KEYS, {"api": {"claude": {"op": "permission-reply", "reply": "once"}}}, "api.claude"),
        (KEYS, {"api": {"pi": {"op": "interrupt"}}}, "op"),
        (KEYS, {"api": {"pi": {"op": "permission-reply"}}}, "reply"),
        (KEYS, {"api": {"pi": {"op": "permission-reply", "reply": "maybe"}}}, "reply"),
        (KEYS, {"key_delay_ms": {"pi": 1}}, "key_delay_ms.pi"),
        (KEYS, {"key_delay_ms": {"claude": 2001}}, "claude"),
        (KEYS, {"key_delay_ms": {"claude": True}}, "claude"),
        (KEYS, {"screen": {"pi": {}}}, "screen.pi"),
        (KEYS, {"screen": {"claude": {"present": ["a{b"]}}}, "present[0]"),
        (KEYS, {"screen": {"claude": {"present": ["a"] * 5, "absent": ["b"] * 4}}}, "claude"),
        (KEYS, {"when": {"state": ["done"]}}, "state[0]"),
        (KEYS, {"when": {"detail": ["A b"]}}, "detail[0]"),
        (KEYS, {"when": {"context_pct_min": 101}}, "context_pct_min"),
        (KEYS, {"when": {"context_pct_min": 9, "context_pct_max": 8}}, "context_pct_min"),
        (KEYS, {"when": {"colour": 1}}, "colour"),
        (KEYS, {"requires": ["money"]}, "requires[0]"),
        (KEYS, {"timeout_ms": 0}, "timeout_ms"),
        (KEYS, {"timeout_ms": 3_600_001}, "timeout_ms"),
        (KEYS, {"timeout_ms": True}, "timeout_ms"),
        (KEYS, {"confirm": 1}, "confirm"),
        (TEXT, {"keys": {"claude": []}}, "keys"),
        (TEXT, {"leave_mode": True}, "leave_mode"),
        (TEXT, {"text": {}}, "text"),
        (TEXT, {"sigils": ["//"]}, "sigils[0]"),
        (TEXT, {"sigils": [" "]}, "sigils[0]"),
        (TEXT, {"text": {"claude": {"suffix_delay_ms": -1}}}, "suffix_delay_ms"),
        (TEXT, {"text": {"claude": {"suffix": ["a\x1b"]}}}, "suffix[0]"),
        (EXEC, {"command": None}, "command"),
        (EXEC, {"command": ""}, "command"),
        (EXEC, {"command": "a\0b"}, "command"),
        (EXEC, {"command": "é" * 4097}, "command"),
        (EXEC, {"screen": {}}, "screen"),
        (EXEC, {"agents": ["A"]}, "agents[0]"),
        (EXEC, {"detach_timeout_ms": 86_400_001}, "detach_timeout_ms"),
        (EXEC, {"api": {}}, "api"),
    ],
)
def test_a_broken_file_names_file_and_key(base: dict[str, Any], changes: dict[str, Any], place: str) -> None:
    """MAN-LOAD-4, ACTM-1 to ACTM-6, ACT-KEY-2."""
    with pytest.raises(ManifestError) as error:
        action("approve", {**base, **changes})
    assert "approve.toml" in str(error.value)
    assert place in str(error.value)


def test_a_newer_engine_is_named_before_any_unknown_key() -> None:
    """MAN-VER-2."""
    with pytest.raises(ManifestError, match="needs engine 9"):
        action("approve", {**KEYS, "min_engine_version": "9.0.0", "colour": 1})


def test_a_long_command_is_whole() -> None:
    """ACT-EXEC-1: eight KiB, byte for byte."""
    assert exec_action(command="é" * 4096).command == "é" * 4096


def test_an_empty_key_list_is_allowed() -> None:
    """ACT-SEND-8."""
    assert schema.parse(
        "a", {"min_engine_version": "0.6", "name": "a", "label": "a", "kind": "keys", "keys": {"pi": []}}, ""
    ).keys == {"pi": ()}


def test_what_is_reached_through_the_terminal_is_told_apart() -> None:
    """ACT-GATE-2: only a keystroke transport has pane conditions."""
    assert keys_action().types("claude")
    assert text_action().types("claude")
    assert not exec_action().types("claude")
    assert not keys_action(keys=None, api={"pi": {"op": "permission-reply", "reply": "once"}}).types("pi")
