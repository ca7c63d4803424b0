"""The columns of ``ls`` and the keys of a row."""

import json

from rows import HOSTILE_TITLE, fleet, row
from tma.view import listing

KEYS = [
    "pane",
    "agent",
    "state",
    "detail",
    "since",
    "since_ms",
    "episode_ms",
    "locator",
    "title",
    "attention",
    "done",
    "session",
    "transcript",
    "permission_request",
    "stamped_at_ms",
    "context",
    "context_at_ms",
    "muted",
    "tokens",
    "quota",
    "cost_usd",
    "repo",
    "branch",
    "worktree",
    "pending_tool",
    "pending_call",
    "pending_summary",
    "server",
    "host",
    "snoozed",
]


def test_a_line_has_twelve_fields_in_order() -> None:
    """LS-1, LS-2: flags print 1 or nothing, a done row prints idle."""
    blocked, done, *_ = fleet()

    assert listing.line(blocked).removesuffix("\n").split("\t") == [
        "%5", "claude", "blocked", "permission", str(blocked.since), "work:1.0", "fix the build", "1", "", "app",
        "main", "",
    ]  # fmt: skip
    assert listing.line(done).removesuffix("\n").split("\t")[2:] == [
        "idle", "", str(done.since), "work:1.0", "日本語のタイトル", "1", "", "app", "fix/ünï", "1",
    ]  # fmt: skip


def test_an_unknown_since_is_zero_and_not_empty() -> None:
    """LS-1: a number is never absent text."""
    assert listing.line(row(since=0)).split("\t")[4] == "0"


def test_foreign_text_adds_no_field_and_no_line() -> None:
    """LS-3, SAN-3: exactly eleven tabs, whatever a title, name or branch holds."""
    hostile = row(
        agent=HOSTILE_TITLE, detail=HOSTILE_TITLE, title=HOSTILE_TITLE, locator=HOSTILE_TITLE + "\n:1.0",
        repo=HOSTILE_TITLE, branch=HOSTILE_TITLE, worktree=True,
    )  # fmt: skip

    line = listing.line(hostile)

    assert line.count("\t") == 11
    assert line.count("\n") == 1
    assert line.replace("\t", "")[:-1].isprintable()


def test_a_row_has_exactly_its_keys_in_order() -> None:
    """json.md section 2: every key, always, in emission order."""
    for each in fleet():
        assert list(listing.row_value(each)) == KEYS


def test_the_document_of_the_example_is_exact() -> None:
    """The example of a row, byte for byte."""
    example = row(
        "%5", state="blocked", detail="permission", since=1700000001500, episode_ms=1700000001500,
        title="fix the build", attention=True, session="65ced290-2a08",
        transcript="/home/u/.claude/projects/x/65ced290.jsonl",
        stamped_at_ms=1700000001500, context=42, context_at_ms=1700000000900, tokens=84000, repo="app", branch="main",
        worktree=False, pending_tool="Bash", pending_call="toolu_01", pending_summary="make test",
    )  # fmt: skip

    assert listing.ls_document([example]) == (
        '{"schema":1,"agents":[{"pane":"%5","agent":"claude","state":"blocked","detail":"permission",'
        '"since":1700000001500,"since_ms":1700000001500,"episode_ms":1700000001500,"locator":"work:1.0",'
        '"title":"fix the build","attention":true,"done":false,"session":"65ced290-2a08",'
        '"transcript":"/home/u/.claude/projects/x/65ced290.jsonl","permission_request":null,'
        '"stamped_at_ms":1700000001500,"context":42,"context_at_ms":1700000000900,"muted":false,"tokens":84000,'
        '"quota":null,"cost_usd":null,"repo":"app","branch":"main","worktree":false,"pending_tool":"Bash",'
        '"pending_call":"toolu_01","pending_summary":"make test","server":"/run/tmux-1000/default","host":"box",'
        '"snoozed":false}]}\n'
    )


def test_no_rows_are_a_valid_document() -> None:
    """ROW-4, LS-5."""
    assert listing.ls_document([]) == '{"schema":1,"agents":[]}\n'


def test_a_hostile_title_reads_back_raw_from_json() -> None:
    """SAN-2: JSON carries the raw value in one line."""
    text = listing.ls_document([row(title=HOSTILE_TITLE)])

    assert text.count("\n") == 1
    assert json.loads(text)["agents"][0]["title"] == HOSTILE_TITLE
