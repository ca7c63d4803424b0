"""The short road reads what the general parser reads, or nothing."""

import pytest

from tma import fast
from tma.cli import args, table
from tma.core.selector import NAMES, Selection

ACCEPTED = [
    ["status"],
    ["status", "--format", "plain"],
    ["status", "--format=tmux", "--config", "c", "--socket-name=n"],
    ["status", "--socket-path", "/s", "--manifest-dir", "d"],
    ["event", "--agent", "claude", "--kind", "Stop"],
    ["event", "--kind=Stop", "--agent=claude", "--payload", "-", "--pane", "%1", "--socket-name", "n"],
    ["event", "--agent", "claude", "--kind", "context", "--pane", "x", "--payload=-x"],
    ["clear-attention", "%5"],
    ["clear-attention", ""],
    ["clear-attention", "--socket-path", "/s", "%5"],
    ["clear-attention", "#{pane_id}"],
]

LEFT = [
    [],
    ["ls"],
    ["--config", "c", "status"],
    ["status", "--help"],
    ["status", "-V"],
    ["status", "--debug-timing"],
    ["status", "-c", "x"],
    ["status", "--form", "plain"],
    ["status", "--format", "xml"],
    ["status", "--format"],
    ["status", "--format", "plain", "--format", "plain"],
    ["status", "--format", "prom"],
    ["status", "--format=json"],
    ["status", "--session", "a b"],
    ["status", "--state", "busy"],
    ["status", "--state="],
    ["status", "--repo", ""],
    ["status", "--repo", "-x"],
    ["status", "--socket-name", "a", "--socket-path", "b"],
    ["status", "surplus"],
    ["status", "--"],
    ["event", "--agent", "claude"],
    ["event", "--agent", "claude", "--kind", ""],
    ["event", "--agent", "a", "--kind", "k", "surplus"],
    ["clear-attention"],
    ["clear-attention", "%1", "%2"],
    ["clear-attention", "--", "%1"],
    ["clear-attention", "--pane", "%1"],
]


def meaning(read: object) -> dict[str, object]:
    """A parsed line's attributes; a selector that was not given, and their sum, are none."""
    values = {name: value for name, value in vars(read).items() if name not in NAMES or value is not None}
    selection = values.pop("selection", None)
    if isinstance(selection, Selection):
        assert [getattr(selection, name) for name in Selection.__slots__] == [None] * len(Selection.__slots__)
    return values


@pytest.mark.parametrize("argv", ACCEPTED, ids=" ".join)
def test_an_accepted_line_means_the_same_on_both_roads(argv: list[str]) -> None:
    """Oracle: the general parser gives the same values."""
    command = table.named(argv[0])
    assert command is not None

    read = fast.read(argv)

    assert read is not None
    assert meaning(read) == meaning(args.parse(argv, command))


@pytest.mark.parametrize("argv", LEFT, ids=" ".join)
def test_anything_unusual_is_left_to_the_general_parser(argv: list[str]) -> None:
    """CLI-3: refusals are worded in one place."""
    assert fast.read(argv) is None
