"""Writers of lines and documents over any text: what is read back is what was written."""

import json
from unicodedata import category

from hypothesis import given
from hypothesis import strategies as st

from rows import row
from tma.core.screen import width
from tma.core.text import clean
from tma.view import jsonline, listing, text

_TEXT = st.text() | st.text(
    st.sampled_from('a\t\n\r\x1b\x00\x7f\x85\x9b\u2028\u202e\ufeff\u0301\udc80日👩\u200d\ufe0f"\\')
)
_FOREIGN = st.fixed_dictionaries(
    dict.fromkeys(("agent", "title", "locator"), _TEXT),
    optional={
        name: st.none() | _TEXT for name in ("detail", "repo", "branch", "session", "pending_tool", "transcript")
    },
)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(_FOREIGN)
def test_a_line_is_twelve_fields_whatever_they_hold(fields: dict[str, str | None]) -> None:
    """FZ-12, FZ-19, LS-3: no value adds or takes a field, and each reads as its cleaned text."""
    made = row(**fields)

    line = listing.line(made)

    assert line.endswith("\n")
    cells = line[:-1].split("\t")
    assert len(cells) == len(listing.COLUMNS)
    assert line[:-1].replace("\t", "").splitlines() in ([], [line[:-1].replace("\t", "")])
    for name in ("agent", "title", "locator", "detail", "repo", "branch"):
        assert cells[listing.COLUMNS.index(name)] == clean(getattr(made, name) or "")


@given(_FOREIGN)
def test_a_document_reads_back_and_holds_no_control_character(fields: dict[str, str | None]) -> None:
    """FZ-12, JSN-1: one line; the raw values, but for bytes that no UTF-8 can carry."""
    made = row(**fields)

    document = listing.ls_document([made])

    assert not any(ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0 for char in document[:-1])
    found = json.loads(document.encode())["agents"][0]
    for key, attribute, *_ in listing.ROW_KEYS:
        value = getattr(made, attribute)
        assert found[key] == (jsonline.well_formed(value) if isinstance(value, str) else value)


@given(_VALUES)
def test_any_value_is_written_as_the_library_would(value: object) -> None:
    """JSN-1: an oracle for what holds no control character."""
    assert json.loads(jsonline.encode(value)) == json.loads(json.dumps(value))


@given(_TEXT, st.integers(0, 12))
def test_a_cut_fits_and_fills(title: str, cells: int) -> None:
    """COL-1, COL-2: unchanged if it fits, else exactly as wide as asked."""
    cleaned = clean(title)

    short = text.cut(cleaned, cells)

    assert short == cleaned if width(cleaned) <= cells else width(short) == cells
    assert width(text.cut_locator(cleaned, cells)) <= max(cells, 0)


@given(_TEXT)
def test_shown_text_acts_in_no_way(title: str) -> None:
    """SAN-2: nothing but what can be seen, in one line."""
    seen = text.shown(title)

    assert clean(seen) == seen
    assert {category(char) for char in seen if char not in "\u200c\u200d"}.isdisjoint(("Cc", "Cf", "Cs", "Zl", "Zp"))
