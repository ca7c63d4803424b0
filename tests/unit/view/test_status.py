"""The status line in its four formats."""

import pytest

from rows import NOW, fleet, row
from tma.core.config import parse
from tma.core.settings import Settings
from tma.view import status

STYLES = Settings(parse({})).status


def test_every_row_counts_in_one_class() -> None:
    """STA-1: five disjoint classes; an idle row with attention counts as done only."""
    counts = status.counts_of(one.shown_class for one in [*fleet(), row(state="blocked", attention=True)])

    assert counts == {"blocked": 2, "working": 1, "done": 1, "idle": 1, "unknown": 1}


def test_tmux_segments_carry_color_and_range_in_class_order() -> None:
    """STA-2: classes without rows are left out, no newline at the end."""
    counts = status.counts_of(
        one.shown_class for one in [row(state="blocked"), row(state="blocked"), row(attention=True)]
    )

    assert status.tmux_line(counts, STYLES) == (
        "#[range=user|tma:blocked]#[fg=red]⚑2#[norange] #[range=user|tma:done]#[fg=magenta]✓1#[norange]"
    )


def test_a_hash_in_a_glyph_is_doubled_for_tmux_only() -> None:
    """SAN-2: tmux would expand it."""
    styles = {**STYLES, "idle": ("#(x)", "colour1")}
    counts = status.counts_of(one.shown_class for one in [row()])

    assert status.tmux_line(counts, styles) == "#[range=user|tma:idle]#[fg=colour1]##(x)1#[norange]"
    assert status.plain_line(counts, styles) == "#(x)1"


def test_plain_text_has_the_same_counts_without_markup() -> None:
    """STA-3."""
    assert status.plain_line(status.counts_of(one.shown_class for one in fleet()), STYLES) == "⚑1 ●1 ✓1 ○1 ?1"


@pytest.mark.parametrize("line", [status.tmux_line, status.plain_line])
def test_no_rows_give_no_text(line: object) -> None:
    """STA-2, STA-3: an empty segment."""
    assert callable(line)
    assert line(status.counts_of(one.shown_class for one in []), STYLES) == ""


def test_json_always_holds_all_five_counts() -> None:
    """SJ-1: exact keys in their order, one line."""
    assert status.json_text(status.counts_of(one.shown_class for one in [row(state="working")])) == (
        '{"schema":1,"counts":{"working":1,"blocked":0,"idle":0,"unknown":0,"done":0}}\n'
    )


def test_prometheus_text_holds_five_counts_and_an_age_for_each_row() -> None:
    """SJ-2, SJ-3: in row order, with the disjoint class."""
    rows = [row("%5", state="blocked", since=NOW - 42_000), row("%6", attention=True, since=NOW - 1)]

    lines = status.prom_text(rows, NOW).splitlines()

    assert [line for line in lines if line[0] != "#"] == [
        'tma_agents{state="working"} 0',
        'tma_agents{state="blocked"} 1',
        'tma_agents{state="idle"} 0',
        'tma_agents{state="unknown"} 0',
        'tma_agents{state="done"} 1',
        'tma_agent_state_seconds{pane="%5",agent="claude",state="blocked"} 42.000',
        'tma_agent_state_seconds{pane="%6",agent="claude",state="done"} 0.001',
    ]
    assert [line.split()[:3] for line in lines if line[0] == "#"] == [
        ["#", kind, name] for name in ("tma_agents", "tma_agent_state_seconds") for kind in ("HELP", "TYPE")
    ]


@pytest.mark.parametrize("since", [0, NOW + 5000])
def test_an_unknown_or_future_age_is_zero(since: int) -> None:
    """SJ-3."""
    assert status.prom_text([row(since=since)], NOW).endswith("} 0.000\n")


def test_label_values_are_escaped() -> None:
    """SJ-3: backslash, quote and newline."""
    assert 'agent="a\\\\b\\"c\\nd"' in status.prom_text([row(agent='a\\b"c\nd')], NOW)


def test_glyphs_become_ascii_where_the_locale_needs_it() -> None:
    """A11Y-4: configured glyphs are kept if they are ASCII."""
    styles = status.ascii_styles({**STYLES, "idle": ("z", "green")})

    assert {name: glyph for name, (glyph, _) in styles.items()} == {
        "blocked": "!", "working": "*", "done": "+", "idle": "z", "unknown": "?",
    }  # fmt: skip
    assert styles["blocked"][1] == STYLES["blocked"][1]


def test_the_counting_line_keeps_what_would_end_a_branch() -> None:
    """STL-1: glyphs and colors stand inside conditions there; a doubled sign is doubled once more."""
    styles = dict.fromkeys(STYLES, ("#,}", "red,bold"))

    text = status.counting_line(styles)

    assert text.count("#[fg=red#,bold]#####,#}#{n:") == len(STYLES)
    assert text.startswith("#{s/^ //:#{?#{m:*b*,#{@tma_status}}, #[range=user|tma:blocked]")
