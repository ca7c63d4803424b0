"""What doctor says of notices."""

from rows import NOW
from tma.view import sinklines


def entry(sink: str = "osc", *, ok: int | None = None, at: int = NOW, result: str = "bad-tty") -> dict[str, object]:
    """A record whose last try failed."""
    told = {"at": at, "result": result, "detail": ""}
    return {"sink": sink, "target": "pts/1\x1b", "last_ok_at": ok, "failing_since": at, "last_failure": told}


def test_a_sink_is_told_of_while_its_last_try_failed() -> None:
    """DLV-3: a success that is newer ends it."""
    section = {"last_failure": None, "sinks": [entry(ok=NOW - 1), entry(ok=NOW + 1), entry(result="no-client")]}
    assert sinklines.lines(section, NOW + 2000) == ["✗ osc pts/1: bad-tty 2.0s ago", "osc pts/1: no-client 2.0s ago"]


def test_a_failed_command_is_told_with_its_reason() -> None:
    """DLV-2."""
    section = {"last_failure": {"at": NOW, "reason": "exited 7", "command": "x"}, "sinks": []}
    assert sinklines.lines(section, NOW) == ["✗ the command exited 7 0.0s ago: x: tma debug notify-test"]


def test_a_sink_that_fails_all_day_is_a_warning() -> None:
    """DLV-4: not one that was not tried, and not a missing client."""
    old = entry(at=NOW) | {"failing_since": NOW - sinklines.DAY_MS}
    assert sinklines.failing([old], NOW + 1) == [old]
    assert sinklines.failing([entry(at=NOW)], NOW + 1) == []
    assert sinklines.failing([old], NOW + sinklines.DAY_MS) == []
    nobody = entry(result="no-client") | {"failing_since": NOW - sinklines.DAY_MS}
    assert sinklines.failing([nobody], NOW + 1) == []


def test_forms_are_confirmed_by_kind_of_terminal() -> None:
    """NTT-3."""
    assert sinklines.confirmed({}, ()) == []
    assert sinklines.confirmed({}, ("9",))[0].startswith("terminal sequences: never confirmed")
    told = sinklines.confirmed({"kitty": ["9", "99"], "xterm": []}, ("9",))
    assert told == ["terminal kitty: confirmed 9, 99", "terminal xterm: never confirmed"]
