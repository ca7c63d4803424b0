"""The columns of lists and of the table."""

import pytest

from frames import THEME
from rows import NOW, row
from tma.view.columns import Layout, header, listed, state_words, tabled


def joined(fragments: list[tuple[str, str]]) -> str:
    """The text alone."""
    return "".join(text for _, text in fragments)


def test_the_columns_of_a_list() -> None:
    """PIK-1, COL-3, COL-5, COL-6: no branch column where nobody has one; the title is cut to 40."""
    one = row(agent="claude-long", locator="tmux-agents-experiments:2.0", title="t" * 50, branch="b" * 20)
    assert joined(listed(one, Layout(THEME, NOW, 100, 0))) == f"○ claude-… tmux-agent…:2.0    5s {'t' * 39}…"
    assert (
        joined(listed(one, Layout(THEME, NOW, 100, 12))) == f"○ claude-… tmux-agent…:2.0    5s bbbbbbbbbbb… {'t' * 39}…"
    )
    assert len(joined(listed(one, Layout(THEME, NOW, 32, 0))).rstrip()) == 32


def test_a_title_of_wide_characters_keeps_the_edges() -> None:
    """COL-1: cut at 40 cells."""
    assert joined(listed(row(title="日" * 60), Layout(THEME, NOW, 200, 0))).endswith(" " + "日" * 19 + " …")


def test_the_columns_of_the_table() -> None:
    """WAT-2: the title gets what is left, which is the width less 59, or 72 with a branch."""
    one = row(state="blocked", detail="permission", context=42, context_at_ms=NOW, title="t" * 200)
    line = joined(tabled(one, Layout(THEME, NOW, 100, 0)))
    assert line == f"⚑ claude   blocked(permission)   42%   5s work:1.0         {'t' * 40}…"
    assert joined(tabled(one, Layout(THEME, NOW, 100, 12))).count("t") == 27
    assert joined(tabled(row(title="t"), Layout(THEME, NOW, 50, 0))).count("t") == 0
    assert joined(header(Layout(THEME, NOW, 100, 12))).split() == [
        "agent",
        "state",
        "ctx",
        "age",
        "where",
        "branch",
        "title",
    ]


def test_a_model_has_a_column_of_the_table_alone() -> None:
    """WAT-2, COL-5, COL-6: 14 cells behind the agent, which the title gives up with the blank; cleaned."""
    one = row(model="claude\x1b-opus-5-5-long", title="t" * 200)
    layout = Layout(THEME, NOW, 100, 0, 14)
    assert joined(tabled(one, layout)).startswith("○ claude   claude-opus-5… idle ")
    assert joined(tabled(one, layout)).count("t") == 25
    assert joined(tabled(row(title="t"), layout)).index("idle") == joined(tabled(one, layout)).index("idle")
    assert joined(header(layout)).split()[:3] == ["agent", "model", "state"]
    assert "opus" not in joined(listed(one, layout))


@pytest.mark.parametrize(("age_ms", "style"), [(299_999, ""), (300_000, "dim")])
def test_an_old_context_is_dim(age_ms: int, style: str) -> None:
    """WAT-2: and one without evidence is blank."""
    fragments = tabled(row(context=7, context_at_ms=NOW - age_ms), Layout(THEME, NOW, 100, 0))
    assert (style, "  7%") in fragments
    assert "%" not in joined(tabled(row(), Layout(THEME, NOW, 100, 0)))


def test_states_are_words() -> None:
    """WAT-2, A11Y-1: the disjoint class and its detail."""
    assert state_words(row(attention=True)) == "done"
    assert state_words(row(state="blocked", detail="plan")) == "blocked(plan)"
