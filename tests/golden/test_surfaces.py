"""What surfaces print, character for character.

To write the files anew after a wanted change: ``TMA_WRITE_GOLDEN=1 pytest tests/golden/test_surfaces.py``,
then read the difference.
"""

import os
from pathlib import Path

import pytest

from detection import NOW, context, drive, judge_pane, manifest, pane, shell_with, stored
from rows import fleet
from tma.core.config import parse
from tma.core.settings import Settings
from tma.core.triage import Plan
from tma.view import explain, listing, status

SURFACES = Path(__file__).resolve().parent / "surfaces"
STYLES = Settings(parse({})).status


def judged(values: dict[str, str], screen: str, **fields: object) -> Plan:
    """The plan of a pane with a live claude."""
    answers = {"tree": shell_with("claude"), "capture": [screen]}
    plan, _ = drive(judge_pane(pane(values, sessions=[("$0", "work")], **fields), context(explain=True)), answers)
    return plan


def rendered() -> dict[str, str]:
    """Every surface by the name of its file."""
    rows = fleet()
    counts = status.counts_of(one.shown_class for one in rows)
    blocked = judged(stored("working", source="hook", evidence_at=NOW - 30_000), "[permission]", title="✳ Fix paging")
    behind = judged(stored("blocked", pid=0, source="hook", session="S1"), "", command="ssh")
    ignored = judged(stored("idle") | {"@agent_ignore": "1"}, "")
    return {
        "ls.txt": "".join(map(listing.line, rows)),
        "ls.json": listing.ls_document(rows),
        "status-tmux.txt": status.tmux_line(counts, STYLES),
        "status-plain.txt": status.plain_line(counts, STYLES),
        "status-ascii.txt": status.plain_line(counts, status.ascii_styles(STYLES)),
        "status.json": status.json_text(counts),
        "status.prom": status.prom_text(rows, NOW),
        "explain-blocked.txt": explain.text(blocked, manifest(), NOW),
        "explain-blocked.json": explain.document(blocked, manifest()),
        "explain-behind.txt": explain.text(behind, manifest(), NOW),
        "explain-ignored.txt": explain.text(ignored, None, NOW),
        "explain-ignored.json": explain.document(ignored, None),
    }


@pytest.mark.parametrize("name", rendered())
def test_a_surface_prints_what_its_file_holds(name: str) -> None:
    """LS-1, LS-4, STA-2 to STA-5, DBG-2, EXP-1: nobody's parser and nobody's eye is surprised."""
    text = rendered()[name]
    kept = SURFACES / name
    if os.environ.get("TMA_WRITE_GOLDEN") == "1":
        kept.write_text(text, encoding="utf-8")

    assert text == kept.read_text(encoding="utf-8")


def test_every_kept_file_is_a_surface() -> None:
    """A file that nothing prints is named."""
    assert {path.name for path in SURFACES.iterdir()} == set(rendered())
