"""The short road is an oracle of the general parser: it reads the same, or nothing."""

from hypothesis import given
from hypothesis import strategies as st

from tma import fast
from tma.cli import args, table
from tma.core.errors import UsageError
from tma.core.selector import NAMES, Selection

_FLAGS = [
    "--format", "--session", "--repo", "--branch", "--agent", "--state", "--kind", "--pane", "--payload", "--config",
    "--socket-name", "--socket-path", "--manifest-dir", "--client", "-c", "--debug-timing", "--help", "--forma",
    "--", "-x",
]  # fmt: skip
_VALUES = [
    "plain",
    "prom",
    "x y",
    "",
    "-",
    "-x",
    "--",
    "%5",
    "blocked,done",
    "busy",
    "a=b",
    "#{pane_id}",
    "status",
    "日",
]
_WORDS = (
    st.sampled_from(_FLAGS)
    | st.sampled_from(_VALUES)
    | st.builds("=".join, st.tuples(st.sampled_from(_FLAGS), st.sampled_from(_VALUES)))
)
_PAIRS = st.lists(
    st.tuples(st.sampled_from(_FLAGS[:13]), st.sampled_from(_VALUES)), max_size=4, unique_by=lambda pair: pair[0]
)
_LINES = st.lists(_WORDS, max_size=6) | _PAIRS.map(lambda pairs: [word for pair in pairs for word in pair])


@given(st.sampled_from(["status", "event", "clear-attention"]), _LINES)
def test_both_roads_read_the_same(name: str, words: list[str]) -> None:
    """A line that the short road takes means the same to the general parser."""
    command = table.named(name)
    assert command is not None
    read = fast.read([name, *words])
    if read is None:
        return

    try:
        parsed = args.parse([name, *words], command)
    except UsageError as refusal:
        message = f"the general parser refuses: {refusal}"
        raise AssertionError(message) from None

    assert _meaning(read) == _meaning(parsed)


def _meaning(read: object) -> dict[str, object]:
    values = {name: value for name, value in vars(read).items() if name not in NAMES or value is not None}
    selection = values.pop("selection", None)
    if isinstance(selection, Selection):
        assert [getattr(selection, name) for name in Selection.__slots__] == [None] * len(Selection.__slots__)
    return values
