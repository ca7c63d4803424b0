"""Rows from what a cycle saw."""

from pathlib import Path

from detection import NOW, context, pane, stored
from tma.adapters.system import node_name
from tma.core.pane import PaneRecord, ServerFacts
from tma.core.triage import triage
from tma.services.cycle import Snapshot
from tma.services.rows import rows_of

FACTS = ServerFacts("/run/tmux-1000/default", "3.4", "box", 9, 0)


def snapshot(*panes: PaneRecord) -> Snapshot:
    """A cycle that found every stamp fresh."""
    made = Snapshot(NOW, FACTS)
    made.plans = [triage(each, context()) for each in panes]
    return made


def test_a_row_comes_of_each_pane_that_has_one() -> None:
    """ROW-1: with this machine's name and the server's own socket path."""
    fresh = pane(stored("working", stamped_at=NOW - 1, session="S1"))

    rows = rows_of(snapshot(fresh, pane(dead=True)), labels=False)

    assert [(row.pane, row.state, row.session) for row in rows] == [("%1", "working", "S1")]
    assert (rows[0].host, rows[0].server) == (node_name(), "/run/tmux-1000/default")


def test_a_server_without_panes_has_no_rows() -> None:
    """READ-1: there is nothing to learn the server's path from."""
    assert rows_of(Snapshot(NOW, None), labels=True) == []


def test_labels_come_only_where_they_are_wanted(tmp_path: Path) -> None:
    """SEL-6."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    seen = snapshot(pane(stored("idle", stamped_at=NOW - 1), path=str(tmp_path)))

    assert [row.branch for row in rows_of(seen, labels=True)] == ["main"]
    assert [row.branch for row in rows_of(seen, labels=False)] == [None]
