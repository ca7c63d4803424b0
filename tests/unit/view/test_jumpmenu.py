"""The labels of the jump menu."""

from rows import HOSTILE_TITLE, NOW, row
from tma.core.screen import width
from tma.view.jumpmenu import label


def test_a_label_has_glyph_agent_locator_and_age_in_columns() -> None:
    """MNU-2, COL-3, COL-4."""
    assert label(row(since=NOW - 90_000), "⚑", NOW) == "⚑ claude     work:1.0             1m"
    long = row(agent="a-very-long-agent", locator="tmux-agents-experiments:2.0", since=0)
    assert label(long, "●", NOW) == "● a-very-lo… tmux-agents-ex…:2.0  -"


def test_wide_and_hostile_names_keep_the_columns() -> None:
    """COL-1, SAN-1."""
    for name in ("日本語の長いセッション:1.0", f"{HOSTILE_TITLE}:1.0"):
        text = label(row(locator=name, since=NOW), "x", NOW)
        assert text.isprintable()
        assert text.endswith(" 0s")
        assert width(text) == 2 + 11 + 21 + 2
