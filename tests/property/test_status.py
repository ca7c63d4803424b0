"""The status line over any fleet."""

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from rows import NOW, row
from tma.core.config import parse
from tma.core.row import AgentRow
from tma.core.settings import Settings
from tma.view import status

STYLES = Settings(parse({})).status
_ROWS = st.lists(
    st.builds(
        lambda state, attention, since, agent: row(
            agent=agent, state=state, attention=attention, since=since, title=agent
        ),
        st.sampled_from(["idle", "working", "blocked", "unknown"]),
        st.booleans(),
        st.integers(0, 2 * NOW),
        st.text(),
    ),
    max_size=6,
)
_SAMPLE = re.compile(r'tma_agent_state_seconds\{pane="%1",agent="((?:[^"\\\n]|\\.)*)",state="(\w+)"\} (\d+\.\d{3})')


@given(_ROWS)
def test_every_row_is_counted_once_in_every_format(rows: list[AgentRow]) -> None:
    """STA-1, SJ-1: the sum is the number of rows, and every format says the same."""
    counts = status.counts_of(one.shown_class for one in rows)

    assert sum(counts.values()) == len(rows)
    assert json.loads(status.json_text(counts)) == {
        "schema": 1,
        "counts": {name: counts[name] for name in status.REPORTED},
    }
    assert status.plain_line(counts, STYLES) == re.sub(r"#\[[^]]*\]", "", status.tmux_line(counts, STYLES))


@given(_ROWS)
def test_a_status_line_holds_no_foreign_text(rows: list[AgentRow]) -> None:
    """SAN-2: classes, digits, glyphs and colors only, whatever agents and titles are called."""
    plain = [row(state=one.state, attention=one.attention) for one in rows]

    assert status.tmux_line(status.counts_of(one.shown_class for one in rows), STYLES) == status.tmux_line(
        status.counts_of(one.shown_class for one in plain), STYLES
    )


@given(_ROWS)
def test_samples_read_back(rows: list[AgentRow]) -> None:
    """FZ-12, SJ-3: one line for each row, its label unescaped the same, its age never negative."""
    lines = status.prom_text(rows, NOW).split("\n")

    samples = [found for line in lines if (found := _SAMPLE.fullmatch(line))]
    assert len(lines) == 5 + 4 + len(rows) + 1
    assert [_unescaped(found[1]) for found in samples] == [one.agent for one in rows]
    assert [found[2] for found in samples] == [one.shown_class for one in rows]


def _unescaped(label: str) -> str:
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], label)
