"""The end of a codex rollout, found, read once per change, and stamped only as news."""

import json
import os
from pathlib import Path

import pytest

from tma.core import ops, stamp
from tma.core.pane import PaneRecord
from tma.services.tails import Tails

SESSION = "01a228bc-8699-7bb2-b4a7-89eb8d1064ff"
CODEX = {"name": "codex", "context": ["file-tail", "codex-rollout-jsonl"]}
AGENTS = [CODEX, {"name": "claude", "context": ["event", "claude-statusline-json"]}, {"name": "qwen", "context": []}]


def pane(**options: str) -> PaneRecord:
    """A codex pane whose session is known."""
    record = PaneRecord("%3", 100)
    known = {"name": "codex", "session": SESSION, "pid": "42"} | options
    record.options = {f"@agent_{key}": value for key, value in known.items() if value}
    return record


def count(tokens: int, window: int = 1000) -> str:
    """A record of a token count."""
    info = {"total_token_usage": {"total_tokens": tokens}, "model_context_window": window}
    return json.dumps({"type": "event_msg", "payload": {"type": "token_count", "info": info}}) + "\n"


def rollout(
    home: Path, text: str, day: str = "2026/11/29", name: str = f"rollout-2026-11-29T19-20-00-{SESSION}"
) -> Path:
    """A rollout file of a day."""
    file = home / ".codex" / "sessions" / day / f"{name}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def percent(tails: Tails, record: PaneRecord | None = None) -> str | None:
    """The percentage that a look would store, None for no write."""
    chains = tails.read([record or pane()], AGENTS, 500)
    if not chains:
        return None
    options: dict[str, str] = {}
    ops.apply(options, chains[0][1])
    assert (chains[0][0], options[stamp.CONTEXT_AT]) == ("%3", "500")
    return options[stamp.CONTEXT_PCT]


@pytest.fixture
def tails(tmp_path: Path) -> Tails:
    """A fresh memory over a home directory."""
    return Tails({"HOME": str(tmp_path)})


def test_the_newest_count_is_stamped(tmp_path: Path, tails: Tails) -> None:
    """ROL-2, ROL-4, ROL-5: found by the session in its name, read from its end."""
    rollout(tmp_path, count(100) + count(250) + '{"type":"torn')
    assert percent(tails) == "25"


def test_codex_home_names_another_place(tmp_path: Path) -> None:
    """ROL-2: $CODEX_HOME, else ~/.codex; a relative one counts for nothing."""
    file = rollout(tmp_path, count(100))
    home = file.parents[4]
    assert percent(Tails({"HOME": "/nowhere", "CODEX_HOME": str(home)})) == "10"
    assert percent(Tails({"CODEX_HOME": ".codex"})) is None
    assert percent(Tails({})) is None


def test_an_unchanged_file_is_not_read_again(tmp_path: Path, tails: Tails) -> None:
    """ROL-3: device, inode, size and time are the file's; a change is seen."""
    file = rollout(tmp_path, count(100))
    assert percent(tails) == "10"
    assert percent(tails) is None
    with file.open("a") as more:
        more.write(count(300))
    assert percent(tails) == "30"


def test_a_vanished_file_is_found_again(tmp_path: Path, tails: Tails) -> None:
    """ROL-3: rediscovered where it is now."""
    file = rollout(tmp_path, count(100))
    assert percent(tails) == "10"
    file.unlink()
    assert percent(tails) is None
    rollout(tmp_path, count(700), day="2026/11/30")
    assert percent(tails) == "70"


def test_the_newest_of_two_files_counts(tmp_path: Path, tails: Tails) -> None:
    """ROL-2: by modification time, not by name."""
    old = rollout(tmp_path, count(100), day="2026/11/30")
    rollout(tmp_path, count(200), day="2026/11/29")
    os.utime(old, (1, 1))
    assert percent(tails) == "20"


def test_a_count_far_from_the_end_is_still_found_and_a_farther_one_is_not(tmp_path: Path, tails: Tails) -> None:
    """ROL-4: 64 KiB at a time, at most 1 MiB."""
    line = json.dumps({"type": "message", "text": "x" * 1000}) + "\n"
    file = rollout(tmp_path, count(100) + line * 300)
    assert percent(tails) == "10"
    file.write_text(count(100) + line * 1100)
    assert percent(tails) is None


def test_what_is_stored_already_is_not_stamped_again(tmp_path: Path, tails: Tails) -> None:
    """RC-2: a short-lived process has no memory, and an idle fleet must cost no write."""
    rollout(tmp_path, count(100))
    assert percent(tails, pane(context_pct="10")) is None


@pytest.mark.parametrize(
    "other", [{"name": "claude"}, {"name": "qwen"}, {"session": ""}, {"session": "../x"}, {"pid": "0"}, {"pid": ""}]
)
def test_other_panes_read_nothing(tmp_path: Path, tails: Tails, other: dict[str, str]) -> None:
    """ROL-1, ROL-2, REM-11: another agent, no session, a session that is no id, no process here."""
    rollout(tmp_path, count(100))
    assert percent(tails, pane(**other)) is None


def test_links_and_other_kinds_of_files_are_not_opened(tmp_path: Path, tails: Tails) -> None:
    """ROL-2, SEC-F-6: a link out of the root and a pipe read as no file."""
    real = rollout(tmp_path, count(100), day="elsewhere")
    day = real.parents[1] / "2026" / "11" / "29"
    day.mkdir(parents=True)
    (day / real.name).symlink_to(real)
    os.mkfifo(day / f"rollout-pipe-{SESSION}.jsonl")
    assert percent(tails) is None
    (real.parents[1] / "2027").symlink_to(real.parents[1] / "2026")
    assert percent(tails) is None


def test_a_log_that_was_written_since_its_gauge_may_have_news(tmp_path: Path, tails: Tails) -> None:
    """ROL-1: in milliseconds; a pane without a log, or with one that stood still, has none."""
    assert not tails.has_news(pane())
    os.utime(rollout(tmp_path, count(500)), ns=(0, 2_000_999_999))
    assert tails.has_news(pane())
    assert tails.has_news(pane(context_at="2000"))
    assert not tails.has_news(pane(context_at="2001"))
    assert not tails.has_news(pane(context_at="10", stamped_at="2001"))
    assert not tails.has_news(pane(session="../x"))
