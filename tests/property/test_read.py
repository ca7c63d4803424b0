"""Any value that a pane, a process or another tool may hold reads as data, and never as structure."""

from hypothesis import given
from hypothesis import strategies as st

from tma.adapters.tmux import capture, read
from tma.core import stamp
from tma.core.state import SOURCES, STATES

MARK = "0123abcd"
FIRST = ["%1", "100", "$1", "@1", "1700", "0"]
PLAIN = ["main", "0", "2", "3", "", "0", "24", "/s", "3.3a", "box", "9", ""]
ORDER = [*stamp.AGED, *(key for key in stamp.READ_OPTIONS if key not in stamp.AGED)]
VALUES = st.text(st.characters(exclude_categories=["Cs"]), max_size=40) | st.sampled_from(
    ["|", f"|{MARK[:7]}", "|ffffffff|", "|ffffffff.|", "\n", "\r\n", "#(touch x)", "9" * 30, "-1", "٣", "\x1b]0;x\x07"]
)


@given(st.lists(VALUES, min_size=len(stamp.READ_OPTIONS), max_size=len(stamp.READ_OPTIONS)), VALUES, VALUES, VALUES)
def test_no_value_changes_another_field(values: list[str], command: str, path: str, title: str) -> None:
    """FZ-19, READ-2, SEC-T-17: the mark is unguessable, so a record comes back field by field."""
    aged = len(stamp.AGED)
    fields = [*FIRST, title, *values[:aged], "", "", *PLAIN, *values[aged:], command, path]
    text = f"|{MARK}|".join(fields) + f"|{MARK}.|\n"
    panes, facts = read.parse(text + text.replace("|%1|", "|%2|").replace("%1", "%2", 1), MARK)
    assert [pane.pane_id for pane in panes] == ["%1", "%2"]
    assert facts is not None
    for pane in panes:
        assert (pane.command, pane.path, pane.title) == (command, path, title)
        assert pane.options == {key: value for key, value in zip(ORDER, values, strict=True) if value}


@given(st.dictionaries(st.sampled_from(stamp.READ_OPTIONS), VALUES))
def test_any_stored_values_decode_or_name_the_one_that_does_not(options: dict[str, str]) -> None:
    """FZ-3, RD-2, RD-3: never an exception; a bad value equals no stamp plus a problem that names it."""
    found, problem = stamp.decode(options)
    if found is None:
        named = [key for key in options if key in problem]
        assert bool(problem) is bool(options.get(stamp.STATE))
        assert not problem or named
    else:
        assert found.state in STATES
        assert found.source in SOURCES
        assert min(found.pid, found.evidence, found.since, found.stamped, found.turn) >= 0


@given(st.text(), st.sampled_from([MARK, "x"]))
def test_any_text_is_no_record_without_the_mark(text: str, mark: str) -> None:
    """READ-3: what is no record is dropped, alone and in silence."""
    panes, _ = read.parse(text, mark + "!")
    assert panes == []
    assert read.parse_clients(text, mark + "!") == []
    assert capture.parse(text, mark + "!") == {}
