"""State files that agents write themselves."""

import json

import pytest

from tma.core.detect.evidence import PUBLISHED
from tma.core.detect.published import (
    CLAUDE_SESSIONS,
    MOST_BYTES,
    Statement,
    Writer,
    read_record,
)

NOW = 1_795_981_860_000
STARTED_MS = NOW - 60_000
RECORD = {
    "pid": 4711,
    "sessionId": "5e1d0a52",
    "cwd": "/home/dev/shop",
    "version": "2.1.332",
    "kind": "interactive",
    "procStart": "812345",
    "status": "busy",
    "statusUpdatedAt": NOW - 500,
    "tmux": "main:@3.%7",
    "name": "claude-shop-73",
}
WRITER = Writer(4711, "%7", started="812345", started_ms=STARTED_MS, changed_ms=NOW - 400)


def statement(writer: Writer = WRITER, *, gone: tuple[str, ...] = (), **changes: object) -> Statement | None:
    """What the record says with some of its keys changed or gone."""
    record = {key: value for key, value in {**RECORD, **changes}.items() if key not in gone}
    return read_record(CLAUDE_SESSIONS, json.dumps(record), writer, NOW)


def claim(**changes: object) -> str:
    """The claim of the record, with what else it says."""
    said = statement(**changes)
    assert said is not None
    if said.history_view:
        assert said.evidence is None
        return "history view"
    return said.evidence.claim if said.evidence else "nothing"


@pytest.mark.parametrize(
    ("status", "waiting_for", "expected"),
    [
        ("idle", None, "idle"),
        ("shell", None, "idle/background"),
        ("busy", None, "working"),
        ("waiting", "permission prompt", "blocked"),
        ("waiting", "input needed", "blocked"),
        ("waiting", "dialog open", "history view"),
        ("waiting", "something new", "nothing"),
        ("waiting", None, "nothing"),
        ("dreaming", None, "nothing"),
    ],
)
def test_each_status_seen_of_claude_has_its_meaning(status: str, waiting_for: str | None, expected: str) -> None:
    """APS-4, APS-5: a wait is blocked without detail, a menu is history view, what is new says nothing."""
    assert claim(status=status, waitingFor=waiting_for) == expected


def test_evidence_is_as_old_as_the_status() -> None:
    """APS-3, APS-6: its instant is statusUpdatedAt, its source is published."""
    said = statement()
    assert said is not None
    assert said.evidence is not None

    assert (said.evidence.source, said.evidence.at) == (PUBLISHED, NOW - 500)
    assert said.evidence.label == "published claude-sessions-json"


@pytest.mark.parametrize(
    "changes",
    [
        {"pid": 4712},
        {"pid": "4711"},
        {"pid": True},
        {"procStart": "812346"},
        {"procStart": ""},
        {"tmux": "main:@3.%17"},
        {"tmux": "main:@3.%70"},
        {"tmux": "%7:@3.0"},
        {"tmux": 7},
        {"status": None},
        {"status": 1},
        {"statusUpdatedAt": None},
        {"statusUpdatedAt": "soon"},
        {"statusUpdatedAt": True},
        {"statusUpdatedAt": STARTED_MS - 1},
        {"statusUpdatedAt": NOW + 2001},
        {"gone": ("pid",)},
        {"gone": ("status",)},
        {"gone": ("statusUpdatedAt",)},
    ],
)
def test_a_record_that_does_not_fit_its_pane_is_ignored(changes: dict[str, object]) -> None:
    """APS-3: pid, process start, pane and instant must all fit."""
    assert statement(**changes) is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "changes",
    [
        {"procStart": 812345},
        {"tmux": None},
        {"gone": ("tmux",)},
        {"statusUpdatedAt": STARTED_MS},
        {"statusUpdatedAt": NOW + 2000},
    ],
)
def test_a_record_at_the_edge_of_its_limits_is_believed(changes: dict[str, object]) -> None:
    """APS-3: two seconds ahead, the very start, and an older release without a pane all count."""
    assert statement(**changes) is not None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("started_ms", "changed_ms", "believed"),
    [(STARTED_MS, STARTED_MS, True), (STARTED_MS, STARTED_MS - 1, False), (0, NOW, False)],
)
def test_without_a_process_start_the_file_must_be_younger_than_the_process(
    started_ms: int, changed_ms: int, *, believed: bool
) -> None:
    """APS-3: a file left by an earlier process with this pid is not believed."""
    writer = Writer(4711, "%7", started="812345", started_ms=started_ms, changed_ms=changed_ms)

    assert (statement(writer, gone=("procStart",)) is not None) is believed


def test_a_process_of_unknown_start_matches_no_record_that_names_one() -> None:
    """APS-3: what cannot be compared is a mismatch."""
    writer = Writer(4711, "%7", started="", started_ms=0, changed_ms=NOW)

    assert statement(writer) is None
    assert statement(writer, procStart="") is None


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"pid":4711', "[" * 9000, " " * MOST_BYTES + json.dumps(RECORD)]
)
def test_a_text_that_is_no_record_is_ignored(text: str) -> None:
    """APS-2: unparsable, or over 64 KiB."""
    assert read_record(CLAUDE_SESSIONS, text, WRITER, NOW) is None


def test_an_unknown_format_has_no_meaning() -> None:
    """APS-1: the format owns the mapping."""
    assert read_record("new", json.dumps(RECORD), WRITER, NOW) is None
