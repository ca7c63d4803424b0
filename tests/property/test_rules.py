"""Screen rules over any screen and any title."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from manifests import manifest, rule
from tma.core.detect.agent import Manifest
from tma.core.detect.manifest import parse
from tma.core.detect.rules import REGION_BYTES, Screen, judge, title_matches
from tma.core.errors import ManifestError
from tma.core.screen import LINE_CHARS
from tma.core.state import STATES

RULES = (
    rule("blocked", "bottom_non_empty_lines(6)", "{ all = [{ line_regex = '^ ?❯ 1' }, { not = { contains = 'x' } }] }")
    + rule("working", "title", "{ regex = '^[\\u2800-\\u28FF] ' }")
    + rule(
        "working", "tail_lines(9)", "{ last_line = { among = '^[·✻] ', is = { regex = '…( |$)' } } }", "priority = 3"
    )
    + rule("idle", "visible", "{ regex = '(?m)^─{3}[^\\n]*\\n❯[^\\n]*(\\n[^\\n]*){0,9}\\n─{3}' }")
    + rule("idle", "visible", "{ contains = 'history' }", "skip_state_update = true")
)
LINES = st.lists(
    st.lists(
        st.sampled_from(
            ["───", "❯", " ❯ 1", "✻ ", "… ", "x", "history", "\x1b[1m", "\x1b]0;", "\x1b\\", "\x07", " ", "\ud800"]
        )
        | st.text(max_size=3),
        max_size=6,
    ).map("".join),
    max_size=12,
)
TITLES = st.sampled_from(["⠙ topic", "✳ topic", "\x1b[31m⠙ x", ""]) | st.text(max_size=20)

KEYS = st.sampled_from(
    [
        "state",
        "region",
        "match",
        "contains",
        "regex",
        "any",
        "not",
        "last_line",
        "among",
        "is",
        "event",
        "claim",
        "map",
        "where",
        "aliases",
        "plan",
        "process_names",
        "covers",
        "visible",
        "format",
        "context",
        "channel",
    ]
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
VALUES: st.SearchStrategy[Any] = st.recursive(
    LEAVES | st.sampled_from(["idle", "visible", "title"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS | st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)
TABLES = ["identity", "hooks", "capture", "rules", "details", "published", "telemetry"]


@given(LINES, st.integers(0, 15), TITLES)
def test_any_screen_gives_at_most_one_claim_a_state(lines: list[str], height: int, title: str) -> None:
    """CAP-6, CAP-7: ordered claims of closed states, a mark for each rule, and no exception."""
    agent = manifest(RULES)
    reading = judge(agent, Screen(lines, height, title), 7)
    states = [each.state for each in reading.evidence]

    assert states == sorted(set(states))
    assert set(states) <= STATES
    assert [index for index, _ in reading.trace] == list(range(len(agent.rules)))
    assert all(each.at == 7 for each in reading.evidence)


@given(LINES, st.integers(0, 15), st.integers(0, 15))
def test_regions_hold_no_escape_and_stay_within_their_limits(lines: list[str], height: int, count: int) -> None:
    """CAP-2, CAP-4, MAN-RX-5: whatever a pane shows."""
    screen = Screen(lines, height, "")
    for kind in ("tail_lines", "bottom_non_empty_lines", "visible"):
        region = screen.region(kind, count)
        assert "\x1b" not in region.text
        assert region.text == "\n".join(region.lines)
        assert len(region.text.encode("utf-8", "surrogatepass")) <= REGION_BYTES
        assert all(len(line) <= LINE_CHARS for line in region.lines)


@given(TITLES)
def test_a_title_never_proves_idle(title: str) -> None:
    """MAN-RULE-2: no title, whatever it says, claims idle."""
    reading = judge(manifest(RULES), Screen([], 5, title), 7)

    assert "idle" not in [each.state for each in reading.evidence]
    assert title_matches(manifest(), title)


@given(st.dictionaries(st.sampled_from([*TABLES, "other"]), VALUES, max_size=4))
def test_any_tables_load_or_give_a_named_error(tables: dict[str, Any]) -> None:
    """FZ-9: a manifest loads whole or fails with one line that names its file; what loads can be read."""
    data = {"min_engine_version": "0.6", "identity": {"process_names": ["a"]}, "capture": {}, **tables}
    line = ""
    try:
        judge(Manifest(parse("agent", data, "agent.toml")), Screen(["x"], 1, "t"), 7)
    except ManifestError as error:
        line = str(error)

    assert not line or (line.startswith("agent.toml: ") and line.isprintable())
