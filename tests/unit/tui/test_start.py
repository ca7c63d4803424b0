"""What is checked before a surface is shown, and how it is opened; the rest is tried on real terminals."""

import io
from typing import Any

import pytest

from tma.core.errors import UsageError
from tma.core.selector import Selection
from tma.services.fleet import Opening
from tma.tui import start
from tma.tui.start import Stage


def stage(monkeypatch: pytest.MonkeyPatch, *, tmux: str, client: str = "c", own: str = "%1") -> Stage:
    """A stage inside or outside tmux."""
    monkeypatch.setattr("tma.adapters.system.env", lambda name: tmux if name == "TMUX" else "")
    unused: Any = None
    return Stage(unused, unused, Opening([], 0, client, "", "", own))


def test_without_a_terminal_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """TTY-1: before anything is read; the hint names what works."""
    monkeypatch.setattr("sys.stdin", io.StringIO())
    unused: Any = None
    with pytest.raises(UsageError) as refused:
        start.prepare(unused, Selection())
    assert "tma ls" in refused.value.hint


@pytest.mark.parametrize(
    ("tmux", "client", "own", "leaves"),
    [
        ("/s,1,0", "c", "%1", (False, False)),
        ("/s,1,0", "c", "", (True, False)),
        ("", "", "", (False, True)),
        ("", "named", "", (False, False)),
    ],
)
def test_where_it_runs_decides_what_leaves(
    monkeypatch: pytest.MonkeyPatch, tmux: str, client: str, own: str, leaves: tuple[bool, bool]
) -> None:
    """MNU-8, TUI-10: a popup is in tmux and no pane; outside a jump takes the terminal unless a client is named."""
    made = start.options(
        stage(monkeypatch, tmux=tmux, client=client, own=own), hidden=frozenset(["", "%9"]), jump_leaves=False
    )
    assert (made.menu_leaves, made.jump_leaves) == leaves
    assert made.hidden == frozenset(["%9"])
